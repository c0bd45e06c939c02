-- +goose Up
-- What the list of datasets shows and filters by besides names and areas, of the current
-- vintages.
CREATE TABLE IF NOT EXISTS description (
    dataset      INTEGER PRIMARY KEY REFERENCES dataset (id),
    source_name  TEXT    NOT NULL,
    text         TEXT    NOT NULL,           -- the dataset's own description
    licence      TEXT    NOT NULL,           -- stated by the dataset itself
    attribution  TEXT    NOT NULL,           -- likewise
    frequencies  TEXT    NOT NULL,           -- codes of CL_FREQ, separated by spaces
    oldest       TEXT    NOT NULL,           -- first period with a value
    latest       TEXT    NOT NULL,           -- last period with a value
    observations INTEGER NOT NULL,
    versions     INTEGER NOT NULL            -- vintages that are kept
);

-- Datasets of earlier programs, whose description is written when the store opens.
CREATE TABLE IF NOT EXISTS undescribed (
    dataset INTEGER PRIMARY KEY
);
INSERT OR IGNORE INTO undescribed SELECT id FROM dataset WHERE seq > 0;

-- What the host of the service decided about sources.
CREATE TABLE IF NOT EXISTS source_setting (
    source TEXT PRIMARY KEY,
    bulk   INTEGER NOT NULL                  -- 0: whole datasets are not handed out
) WITHOUT ROWID;
