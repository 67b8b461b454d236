-- One thing that a question of a session of `solon ask` asked, and what became of it.
CREATE TABLE session_ask (
    part VARCHAR NOT NULL,
    room VARCHAR NOT NULL,
    session VARCHAR NOT NULL,
    number BIGINT NOT NULL,
    ask_id VARCHAR NOT NULL,
    schema_version BIGINT NOT NULL,
    asked_utc TIMESTAMP,
    profile VARCHAR NOT NULL,
    question VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    state VARCHAR NOT NULL,
    words VARCHAR NOT NULL,
    answer VARCHAR NOT NULL,
    documents BIGINT NOT NULL,
    passages BIGINT NOT NULL,
    to_verify BIGINT NOT NULL,
    turns BIGINT NOT NULL,
    missing BIGINT NOT NULL
);
