-- One time that a mechanism of the harness acted. ``files`` are those of the work product that it touched.
CREATE TABLE mechanism_firing (
    part VARCHAR NOT NULL,
    attempt_id VARCHAR NOT NULL,
    position BIGINT NOT NULL,
    schema_version BIGINT NOT NULL,
    mechanism VARCHAR NOT NULL,
    moment VARCHAR NOT NULL,
    turn BIGINT NOT NULL,
    note VARCHAR NOT NULL,
    n_files BIGINT NOT NULL,
    files VARCHAR NOT NULL
);
