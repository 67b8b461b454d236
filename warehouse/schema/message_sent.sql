-- A message that a role was sent during an attempt, by hash and size alone.
CREATE TABLE message_sent (
    part VARCHAR NOT NULL,
    attempt_id VARCHAR NOT NULL,
    role VARCHAR NOT NULL,
    sha256 VARCHAR NOT NULL,
    schema_version BIGINT NOT NULL,
    side VARCHAR NOT NULL,
    characters BIGINT NOT NULL,
    requests BIGINT NOT NULL
);
