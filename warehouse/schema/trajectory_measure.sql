-- What the trajectory of an attempt was like. Turns of 0 stand for never.
CREATE TABLE trajectory_measure (
    part VARCHAR NOT NULL,
    attempt_id VARCHAR NOT NULL,
    schema_version BIGINT NOT NULL,
    trace_format VARCHAR NOT NULL,
    words BIGINT NOT NULL,
    actions BIGINT NOT NULL,
    lookups BIGINT NOT NULL,
    tool_errors BIGINT NOT NULL,
    first_read_turn BIGINT NOT NULL,
    first_write_turn BIGINT NOT NULL,
    wrote_before_reading BOOLEAN NOT NULL,
    audited_before_finishing BOOLEAN NOT NULL,
    skill_loaded VARCHAR NOT NULL,
    documents BIGINT NOT NULL,
    documents_opened BIGINT NOT NULL,
    characters BIGINT NOT NULL,
    served BIGINT NOT NULL,
    cached_reads_usd DOUBLE
);
