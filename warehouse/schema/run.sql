-- One start of a run. A resumed run has several; the earliest is when the run began.
CREATE TABLE run (
    part VARCHAR NOT NULL,
    run_id VARCHAR NOT NULL,
    started_utc TIMESTAMP NOT NULL,
    schema_version BIGINT NOT NULL,
    corpus VARCHAR NOT NULL,
    n_matters BIGINT NOT NULL,
    cells VARCHAR NOT NULL,
    harness_version VARCHAR NOT NULL,
    solon_version VARCHAR NOT NULL,
    compute VARCHAR NOT NULL,
    judge_profile VARCHAR NOT NULL
);
