-- Whether the information-flow log of an attempt is sound.
CREATE TABLE flow_check (
    part VARCHAR NOT NULL,
    attempt_id VARCHAR NOT NULL,
    schema_version BIGINT NOT NULL,
    status VARCHAR NOT NULL,
    requests BIGINT NOT NULL,
    leaked BIGINT NOT NULL,
    unlogged BIGINT NOT NULL,
    unanswered BIGINT NOT NULL,
    unknown_roles BIGINT NOT NULL,
    malformed BIGINT NOT NULL,
    problems VARCHAR NOT NULL
);
