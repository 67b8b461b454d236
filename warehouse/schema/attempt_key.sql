-- The work key that an attempt was made under.
CREATE TABLE attempt_key (
    part VARCHAR NOT NULL,
    attempt_id VARCHAR NOT NULL,
    schema_version BIGINT NOT NULL,
    work_key VARCHAR NOT NULL
);
