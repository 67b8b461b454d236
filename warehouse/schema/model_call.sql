-- One reply of a model that an attempt was charged with, in the order of its account.
CREATE TABLE model_call (
    part VARCHAR NOT NULL,
    attempt_id VARCHAR NOT NULL,
    position BIGINT NOT NULL,
    schema_version BIGINT NOT NULL,
    input_uncached BIGINT NOT NULL,
    cache_read BIGINT NOT NULL,
    cache_write BIGINT NOT NULL,
    output BIGINT NOT NULL,
    calls BIGINT NOT NULL,
    cost_usd DOUBLE NOT NULL,
    cost_source VARCHAR NOT NULL,
    role VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    profile VARCHAR NOT NULL,
    sha256 VARCHAR NOT NULL,
    replayed BOOLEAN NOT NULL
);
