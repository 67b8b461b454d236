-- One tool call of the solver.
CREATE TABLE action (
    part VARCHAR NOT NULL,
    attempt_id VARCHAR NOT NULL,
    position BIGINT NOT NULL,
    schema_version BIGINT NOT NULL,
    turn BIGINT NOT NULL,
    tool VARCHAR NOT NULL,
    bucket VARCHAR NOT NULL,
    failed BOOLEAN NOT NULL,
    arguments VARCHAR NOT NULL,
    result_preview VARCHAR NOT NULL
);
