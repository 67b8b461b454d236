-- Whether a document of the data room was read. ``cause`` and ``message`` say why not.
CREATE TABLE coverage (
    part VARCHAR NOT NULL,
    attempt_id VARCHAR NOT NULL,
    document VARCHAR NOT NULL,
    schema_version BIGINT NOT NULL,
    status VARCHAR NOT NULL,
    characters BIGINT NOT NULL,
    cause VARCHAR NOT NULL,
    message VARCHAR NOT NULL
);
