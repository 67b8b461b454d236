-- A message that a role was sent while an ended attempt was judged again, by hash and size alone.
CREATE TABLE rescoring_message (
    part VARCHAR NOT NULL,
    attempt_id VARCHAR NOT NULL,
    judge_profile VARCHAR NOT NULL,
    judged_utc TIMESTAMP NOT NULL,
    role VARCHAR NOT NULL,
    sha256 VARCHAR NOT NULL,
    schema_version BIGINT NOT NULL,
    side VARCHAR NOT NULL,
    characters BIGINT NOT NULL,
    requests BIGINT NOT NULL
);
