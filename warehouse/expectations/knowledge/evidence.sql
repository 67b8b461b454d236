-- What the tools say of the rows: filled by tasks/learning/knowledge/evidence.py in a database of its own, never landed.
CREATE SCHEMA evidence;
CREATE TABLE evidence.citations (
    family VARCHAR NOT NULL,
    entry VARCHAR NOT NULL,
    citation VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    jurisdiction VARCHAR NOT NULL,
    in_catalogue BOOLEAN NOT NULL,
    form VARCHAR NOT NULL,
    canonical VARCHAR NOT NULL,
    agrees BOOLEAN NOT NULL
);
CREATE TABLE evidence.windows (entry VARCHAR NOT NULL, problem VARCHAR NOT NULL);
CREATE TABLE evidence.patterns (family VARCHAR NOT NULL, entry VARCHAR NOT NULL, problem VARCHAR NOT NULL);
CREATE TABLE evidence.triggers (entry VARCHAR NOT NULL, found BOOLEAN NOT NULL);
CREATE TABLE evidence.provisions (entry VARCHAR NOT NULL, knows_itself BOOLEAN NOT NULL, common DOUBLE NOT NULL);
