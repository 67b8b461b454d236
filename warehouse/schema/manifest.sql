-- What landed, and what did not and why. Written in the transaction that lands the rows.
CREATE TABLE manifest (
    part VARCHAR PRIMARY KEY,
    table_name VARCHAR NOT NULL,
    n_rows BIGINT NOT NULL
);
CREATE TABLE quarantine (
    part VARCHAR PRIMARY KEY,
    sha256 VARCHAR NOT NULL,
    message VARCHAR NOT NULL
);
CREATE TABLE meta (
    name VARCHAR PRIMARY KEY,
    setting VARCHAR NOT NULL
);
