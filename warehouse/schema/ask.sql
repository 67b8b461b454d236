-- One ask of a brief and what became of it.
CREATE TABLE ask (
    part VARCHAR NOT NULL,
    attempt_id VARCHAR NOT NULL,
    position BIGINT NOT NULL,
    schema_version BIGINT NOT NULL,
    ask_id VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    state VARCHAR NOT NULL,
    words VARCHAR NOT NULL,
    answer VARCHAR NOT NULL,
    answered BIGINT NOT NULL,
    not_found BIGINT NOT NULL,
    not_attempted BIGINT NOT NULL,
    problem VARCHAR NOT NULL
);
