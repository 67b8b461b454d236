-- One surface of a harness version, so that two versions say which of their surfaces differ.
CREATE TABLE harness (
    part VARCHAR NOT NULL,
    schema_version BIGINT NOT NULL,
    harness_version VARCHAR NOT NULL,
    surface VARCHAR NOT NULL,
    files BIGINT NOT NULL,
    digest VARCHAR NOT NULL
);
