-- What was spent on anything but solving. Solver usage is on the attempt; a ``solver`` row here is not added to it.
CREATE TABLE spend (
    part VARCHAR NOT NULL,
    attempt_id VARCHAR NOT NULL,
    role VARCHAR NOT NULL,
    profile VARCHAR NOT NULL,
    spent_utc TIMESTAMP NOT NULL,
    schema_version BIGINT NOT NULL,
    input_uncached BIGINT NOT NULL,
    cache_read BIGINT NOT NULL,
    cache_write BIGINT NOT NULL,
    output BIGINT NOT NULL,
    calls BIGINT NOT NULL,
    cost_usd DOUBLE NOT NULL,
    cost_source VARCHAR NOT NULL,
    run_id VARCHAR NOT NULL
);
