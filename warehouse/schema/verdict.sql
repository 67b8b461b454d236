-- One criterion judged once. A re-scoring has its own ``judged_utc`` and does not change the old verdicts.
CREATE TABLE verdict (
    part VARCHAR NOT NULL,
    attempt_id VARCHAR NOT NULL,
    judge_profile VARCHAR NOT NULL,
    judged_utc TIMESTAMP NOT NULL,
    criterion_id VARCHAR NOT NULL,
    schema_version BIGINT NOT NULL,
    input_uncached BIGINT NOT NULL,
    cache_read BIGINT NOT NULL,
    cache_write BIGINT NOT NULL,
    output BIGINT NOT NULL,
    calls BIGINT NOT NULL,
    cost_usd DOUBLE NOT NULL,
    cost_source VARCHAR NOT NULL,
    title VARCHAR NOT NULL,
    status VARCHAR NOT NULL,
    cause VARCHAR NOT NULL,
    match_kind VARCHAR NOT NULL,
    error_class VARCHAR NOT NULL,
    outcome VARCHAR NOT NULL,
    reasoning VARCHAR NOT NULL,
    quote VARCHAR NOT NULL
);
