-- How many characters of a document's canonical text the solver was shown; what was shown twice counts once.
CREATE TABLE document_served (
    part VARCHAR NOT NULL,
    attempt_id VARCHAR NOT NULL,
    document VARCHAR NOT NULL,
    schema_version BIGINT NOT NULL,
    characters BIGINT NOT NULL,
    served BIGINT NOT NULL
);
