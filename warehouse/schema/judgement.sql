-- One judgement of one attempt, with the number of its verdicts, so that a lost verdict is noticed.
CREATE TABLE judgement (
    part VARCHAR NOT NULL,
    attempt_id VARCHAR NOT NULL,
    judge_profile VARCHAR NOT NULL,
    judged_utc TIMESTAMP NOT NULL,
    schema_version BIGINT NOT NULL,
    criteria BIGINT NOT NULL,
    profile_version VARCHAR NOT NULL,
    prompts VARCHAR NOT NULL
);
