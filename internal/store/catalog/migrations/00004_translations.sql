-- +goose Up
-- Labels of codes, dimensions and datasets in other languages than the one that is shown
-- if none is chosen. Those of a vintage are in its structure.

-- The language of most labels of a list, if it is known.
CREATE TABLE IF NOT EXISTS dictionary_language (
    source   TEXT NOT NULL,
    list     TEXT NOT NULL,
    language TEXT NOT NULL,
    PRIMARY KEY (source, list)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS dictionary_translation (
    source   TEXT NOT NULL,
    list     TEXT NOT NULL,              -- '': code is a concept, as in dictionary_concept
    code     TEXT NOT NULL,
    language TEXT NOT NULL,
    label    TEXT NOT NULL,
    PRIMARY KEY (source, list, code, language)
) WITHOUT ROWID;

-- The names of the current vintages that have several.
CREATE TABLE IF NOT EXISTS dataset_names (
    dataset INTEGER PRIMARY KEY REFERENCES dataset (id),
    names   TEXT NOT NULL                -- JSON: by language
);
