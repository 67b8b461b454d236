-- One flag on a draft. Offsets are into the deliverable's and the source's canonical text.
CREATE TABLE finding (
    part VARCHAR NOT NULL,
    attempt_id VARCHAR NOT NULL,
    position BIGINT NOT NULL,
    schema_version BIGINT NOT NULL,
    gate VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    severity VARCHAR NOT NULL,
    deliverable VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    start_char BIGINT NOT NULL,
    end_char BIGINT NOT NULL,
    sentence VARCHAR NOT NULL,
    checked VARCHAR NOT NULL,
    source_document VARCHAR NOT NULL,
    source_start BIGINT NOT NULL,
    source_end BIGINT NOT NULL,
    remedy VARCHAR NOT NULL
);
