-- +goose Up
-- The catalog: which datasets there are, their vintages and structures.
-- Everything here can be rebuilt from the vintage files.

-- One row. generation grows with every change; a running server polls it.
CREATE TABLE state (
    generation INTEGER NOT NULL,
    changed    INTEGER NOT NULL  -- when, Unix nanoseconds
);
INSERT INTO state VALUES (0, 0);

-- A dataset keeps its id for ever, removed or not. What the catalog lists of
-- its current vintage stands here too: a hundred thousand rows are read at
-- start, and those of vintages are long.
CREATE TABLE dataset (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    source     TEXT    NOT NULL,
    code       TEXT    NOT NULL,
    code_key   TEXT    NOT NULL,            -- code in lower case: codes compare so
    generation INTEGER NOT NULL DEFAULT 0,  -- of the newest change of this row
    seq        INTEGER NOT NULL DEFAULT 0,  -- the current vintage; 0: none (reserved or removed)
    name       TEXT    NOT NULL DEFAULT '',
    area_list  INTEGER NOT NULL DEFAULT 0,
    version    TEXT    NOT NULL DEFAULT '',
    updated    TEXT    NOT NULL DEFAULT '', -- last_update of the vintage
    imported   INTEGER NOT NULL DEFAULT 0,  -- of the vintage
    UNIQUE (source, code_key)
);
CREATE INDEX dataset_generation ON dataset (generation);

CREATE TABLE vintage (
    dataset      INTEGER NOT NULL REFERENCES dataset (id),
    seq          INTEGER NOT NULL,          -- 1, 2, 3 … never reused
    version      TEXT    NOT NULL,
    imported     INTEGER NOT NULL,          -- Unix nanoseconds
    last_update  TEXT    NOT NULL,          -- RFC 3339, in the zone to be shown
    series       INTEGER NOT NULL,
    observations INTEGER NOT NULL,
    added        INTEGER NOT NULL,
    revised      INTEGER NOT NULL,
    removed      INTEGER NOT NULL,
    digest       TEXT    NOT NULL,
    file         TEXT    NOT NULL,          -- the blob's key
    structure    BLOB    NOT NULL,          -- JSON; code lists by digest
    PRIMARY KEY (dataset, seq)
);

-- Code lists are kept once, however many datasets and vintages share them.
CREATE TABLE code_list (
    digest TEXT PRIMARY KEY,
    codes  BLOB NOT NULL                    -- JSON
) WITHOUT ROWID;

-- The values of available_geo, shared likewise.
CREATE TABLE area_list (
    id    INTEGER PRIMARY KEY,
    areas TEXT NOT NULL UNIQUE              -- one a line
);

CREATE TABLE source (
    id         TEXT PRIMARY KEY,
    labels_dir TEXT NOT NULL DEFAULT ''
) WITHOUT ROWID;
