-- One item of a reference checklist compared with the work product.
CREATE TABLE checklist_item (
    part VARCHAR NOT NULL,
    attempt_id VARCHAR NOT NULL,
    judge_profile VARCHAR NOT NULL,
    judged_utc TIMESTAMP NOT NULL,
    item_id VARCHAR NOT NULL,
    schema_version BIGINT NOT NULL,
    position BIGINT NOT NULL,
    item_group VARCHAR NOT NULL,
    manner VARCHAR NOT NULL,
    status VARCHAR NOT NULL,
    relation VARCHAR NOT NULL,
    reference_values BIGINT NOT NULL,
    candidate_values BIGINT NOT NULL,
    matched BIGINT NOT NULL,
    score DOUBLE
);
