-- Work that a start of a run planned. The latest start of a run rules: attempts under other keys do not count.
CREATE TABLE plan (
    part VARCHAR NOT NULL,
    run_id VARCHAR NOT NULL,
    started_utc TIMESTAMP NOT NULL,
    cell VARCHAR NOT NULL,
    matter_id VARCHAR NOT NULL,
    epoch BIGINT NOT NULL,
    schema_version BIGINT NOT NULL,
    work_key VARCHAR NOT NULL
);
