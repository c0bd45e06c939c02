-- +goose Up
-- Catalogs of version 1 may have some of these tables already: earlier programs
-- created tables without increasing the version.

-- What imports learned of the offices' codes: labels and structures of datasets.
-- Only the labels in vintages can be rebuilt from the files.

-- The revision of a source's dictionary counts its changes.
CREATE TABLE IF NOT EXISTS dictionary (
    source   TEXT PRIMARY KEY,
    revision INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS dictionary_list (
    source  TEXT    NOT NULL,
    list    TEXT    NOT NULL,            -- in lower case, without cl_
    name    TEXT    NOT NULL,            -- as the source writes it
    version TEXT    NOT NULL,
    partial INTEGER NOT NULL,
    grown   INTEGER NOT NULL,
    PRIMARY KEY (source, list)
) WITHOUT ROWID;

-- A row a code, so that an import writes only what is new.
CREATE TABLE IF NOT EXISTS dictionary_code (
    source   TEXT    NOT NULL,
    list     TEXT    NOT NULL,
    code     TEXT    NOT NULL,
    label    TEXT    NOT NULL,
    version  TEXT    NOT NULL,           -- of the list that has the label
    whole    TEXT    NOT NULL,           -- version of the list that has the position; '' if none is whole
    position INTEGER NOT NULL,
    PRIMARY KEY (source, list, code)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS dictionary_structure (
    source    TEXT NOT NULL,
    structure TEXT NOT NULL,             -- in lower case
    body      BLOB NOT NULL,             -- JSON
    PRIMARY KEY (source, structure)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS dictionary_concept (
    source  TEXT NOT NULL,
    concept TEXT NOT NULL,               -- in lower case
    label   TEXT NOT NULL,
    PRIMARY KEY (source, concept)
) WITHOUT ROWID;

-- Labels of the codes of a dimension in data files, as long as all datasets agree.
CREATE TABLE IF NOT EXISTS dictionary_label (
    source    TEXT NOT NULL,
    dimension TEXT NOT NULL,             -- in lower case
    code      TEXT NOT NULL,
    label     TEXT NOT NULL,             -- '': datasets disagree
    dataset   TEXT NOT NULL,             -- the only one that gave it; '': several did
    PRIMARY KEY (source, dimension, code)
) WITHOUT ROWID;

-- Options for reading the file of a dataset, stated by a person. They cannot be
-- rebuilt from the vintages.
CREATE TABLE IF NOT EXISTS reading (
    source TEXT NOT NULL,
    code   TEXT NOT NULL,                -- in lower case
    flags  BLOB NOT NULL,                -- JSON
    PRIMARY KEY (code, source)
) WITHOUT ROWID;

-- At most one row per dataset: the vintage in quarantine, or the one that was
-- rejected last. Quarantined vintages can be rebuilt from their files, rejections
-- cannot.
CREATE TABLE IF NOT EXISTS quarantine (
    dataset INTEGER PRIMARY KEY REFERENCES dataset (id),
    digest  TEXT    NOT NULL,            -- of the vintage
    since   INTEGER NOT NULL,            -- when it was held or rejected, Unix nanoseconds
    file    TEXT    NOT NULL,            -- the blob's key in quarantine; '': it was rejected
    body    BLOB    NOT NULL             -- JSON
);
