-- One read of what a learning run holds out.
CREATE TABLE holdout_access (
    part VARCHAR NOT NULL,
    learn_id VARCHAR NOT NULL,
    look BIGINT NOT NULL,
    schema_version BIGINT NOT NULL,
    step BIGINT NOT NULL,
    side VARCHAR NOT NULL,
    purpose VARCHAR NOT NULL,
    matters BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    harness_version VARCHAR NOT NULL,
    split_sha256 VARCHAR NOT NULL,
    read_utc TIMESTAMP NOT NULL
);
