-- One release gate of an attempt.
CREATE TABLE gate (
    part VARCHAR NOT NULL,
    attempt_id VARCHAR NOT NULL,
    gate VARCHAR NOT NULL,
    schema_version BIGINT NOT NULL,
    position BIGINT NOT NULL,
    status VARCHAR NOT NULL,
    checked BIGINT NOT NULL,
    verified BIGINT NOT NULL,
    n_findings BIGINT NOT NULL
);
