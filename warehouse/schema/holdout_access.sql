-- One look at matters held out of learning: each costs some of what they can still tell.
CREATE TABLE holdout_access (
    part VARCHAR NOT NULL,
    schema_version BIGINT NOT NULL,
    learn_id VARCHAR NOT NULL,
    step BIGINT NOT NULL,
    edit_id VARCHAR NOT NULL,
    harness_version VARCHAR NOT NULL,
    purpose VARCHAR NOT NULL,
    pooled_pass DOUBLE,
    accessed_utc TIMESTAMP NOT NULL
);
