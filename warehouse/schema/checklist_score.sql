-- The scores of one work product by a reference checklist (GAVEL-Ref), from 0 to 100.
CREATE TABLE checklist_score (
    part VARCHAR NOT NULL,
    attempt_id VARCHAR NOT NULL,
    judge_profile VARCHAR NOT NULL,
    judged_utc TIMESTAMP NOT NULL,
    schema_version BIGINT NOT NULL,
    checklist VARCHAR NOT NULL,
    checklist_version VARCHAR NOT NULL,
    alpha DOUBLE NOT NULL,
    applicable BIGINT NOT NULL,
    unscored BIGINT NOT NULL,
    s_checklist DOUBLE,
    s_residual DOUBLE,
    s_style DOUBLE,
    s_gavel DOUBLE,
    residual_ratio DOUBLE,
    dropped_values BIGINT NOT NULL,
    dropped_evidence BIGINT NOT NULL
);
