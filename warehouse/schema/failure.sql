-- One thing that went wrong: a bad task line, an attempt that crashed, a document that could not be read.
CREATE TABLE failure (
    part VARCHAR NOT NULL,
    run_id VARCHAR NOT NULL,
    attempt_id VARCHAR NOT NULL,
    stage VARCHAR NOT NULL,
    subject VARCHAR NOT NULL,
    cause VARCHAR NOT NULL,
    message VARCHAR NOT NULL,
    schema_version BIGINT NOT NULL,
    remedy VARCHAR NOT NULL
);
