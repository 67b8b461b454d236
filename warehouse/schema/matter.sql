-- One matter as a digest of its content names it. Formats are names of ours ("pdf docx"), never file names.
CREATE TABLE matter (
    part VARCHAR NOT NULL,
    schema_version BIGINT NOT NULL,
    matter_digest VARCHAR NOT NULL,
    matter_id VARCHAR NOT NULL,
    area VARCHAR NOT NULL,
    work_type VARCHAR NOT NULL,
    title VARCHAR NOT NULL,
    n_documents BIGINT NOT NULL,
    document_formats VARCHAR NOT NULL,
    deliverable_formats VARCHAR NOT NULL
);
