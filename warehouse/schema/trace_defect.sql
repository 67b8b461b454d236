-- A defect of B.4 of the paper. The evidence is made of counts and names nothing of the matter.
CREATE TABLE trace_defect (
    part VARCHAR NOT NULL,
    attempt_id VARCHAR NOT NULL,
    defect VARCHAR NOT NULL,
    schema_version BIGINT NOT NULL,
    by_construction BOOLEAN NOT NULL,
    evidence VARCHAR NOT NULL
);
