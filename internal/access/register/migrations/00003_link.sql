-- +goose Up
-- Addresses of one selection that are read without a key. Uses are counted in usage.
CREATE TABLE link (
    id         TEXT    PRIMARY KEY,
    account    INTEGER NOT NULL REFERENCES account (id), -- whose limit the uses count against
    dataset    INTEGER NOT NULL,
    form       TEXT    NOT NULL,             -- the extension of the file
    query      TEXT    NOT NULL,             -- the parameters of the data
    created    INTEGER NOT NULL,
    expires    INTEGER NOT NULL,
    revoked    INTEGER NOT NULL,
    generation INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX link_generation ON link (generation);
