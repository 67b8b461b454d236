-- How often an attempt called a tool that its skill calls mandatory.
CREATE TABLE mandatory_tool (
    part VARCHAR NOT NULL,
    attempt_id VARCHAR NOT NULL,
    tool VARCHAR NOT NULL,
    schema_version BIGINT NOT NULL,
    calls BIGINT NOT NULL
);
