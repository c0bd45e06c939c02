-- +goose Up
-- What offices offer. Times are Unix milliseconds, 0 for never.

-- The offices, and other sources of tables of offers, with their last try.
CREATE TABLE source (
    id         TEXT    PRIMARY KEY,
    datasets   INTEGER NOT NULL DEFAULT 0,  -- different codes
    entries    INTEGER NOT NULL DEFAULT 0,  -- a dataset has one for each language
    origin     TEXT    NOT NULL DEFAULT '', -- name of the table with the list; empty: the office
    digest     BLOB,                        -- of the list; NULL: never listed
    generation INTEGER NOT NULL DEFAULT 0,  -- of the last list that differed from the one before
    listed     INTEGER NOT NULL DEFAULT 0,  -- when the list was last read
    tried      INTEGER NOT NULL DEFAULT 0,
    due        INTEGER NOT NULL DEFAULT 0,  -- when to read it next; 0: at once
    failed     INTEGER NOT NULL DEFAULT 0,  -- tries in a row
    error      TEXT    NOT NULL DEFAULT ''  -- of the last try; empty after a success
) WITHOUT ROWID;

-- The lists, in the order of the offices.
CREATE TABLE offer (
    id          INTEGER PRIMARY KEY,
    source      TEXT NOT NULL,
    code        TEXT NOT NULL,
    language    TEXT NOT NULL,
    title       TEXT NOT NULL,
    description TEXT NOT NULL,
    topic       TEXT NOT NULL,
    frequency   TEXT NOT NULL,
    first       TEXT NOT NULL,
    last        TEXT NOT NULL,
    updated     TEXT NOT NULL
);
CREATE INDEX offer_code ON offer (source, code COLLATE NOCASE);

-- One row: it grows with each list that differs from the one before.
CREATE TABLE generation (number INTEGER NOT NULL);
INSERT INTO generation VALUES (0);
