-- One row of the learner's ledger: an edit proposed, and what became of it.
CREATE TABLE edit (
    part VARCHAR NOT NULL,
    learn_id VARCHAR NOT NULL,
    step BIGINT NOT NULL,
    edit_id VARCHAR NOT NULL,
    schema_version BIGINT NOT NULL,
    surface VARCHAR NOT NULL,
    target VARCHAR NOT NULL,
    proposer VARCHAR NOT NULL,
    policy VARCHAR NOT NULL,
    decision VARCHAR NOT NULL,
    stopped_by VARCHAR NOT NULL,
    score_before DOUBLE,
    score_after DOUBLE,
    reasons VARCHAR NOT NULL,
    diff_sha256 VARCHAR NOT NULL,
    minibatch BIGINT NOT NULL,
    harness_before VARCHAR NOT NULL,
    harness_after VARCHAR NOT NULL,
    decided_utc TIMESTAMP NOT NULL
);
