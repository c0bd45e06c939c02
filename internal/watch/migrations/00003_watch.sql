-- +goose Up
-- Watches, their items, and the log. Times are Unix milliseconds, 0 for never;
-- intervals are in milliseconds.

-- The watches that users added.
CREATE TABLE watch (
    id       INTEGER PRIMARY KEY,
    ref      TEXT    NOT NULL UNIQUE,
    every    INTEGER NOT NULL,            -- 0: the interval of the office
    added    INTEGER NOT NULL,
    expanded INTEGER NOT NULL DEFAULT 0,  -- when its items were last found
    items    INTEGER NOT NULL DEFAULT 0,  -- number of its items
    error    TEXT    NOT NULL DEFAULT ''  -- why its items could not be found the last time
);

-- The datasets of the watches. IDs are never used twice, because processes lock
-- them.
CREATE TABLE item (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    ref     TEXT    NOT NULL UNIQUE,
    office  TEXT    NOT NULL,             -- empty: a plain address
    state   BLOB,                         -- JSON: source.State of the last stored fetch
    dataset INTEGER NOT NULL DEFAULT 0,   -- in the store
    checked INTEGER NOT NULL DEFAULT 0,
    changed INTEGER NOT NULL DEFAULT 0,
    tried   INTEGER NOT NULL DEFAULT 0,
    due     INTEGER NOT NULL DEFAULT 0,   -- 0: at once
    failed  INTEGER NOT NULL DEFAULT 0,
    error   TEXT    NOT NULL DEFAULT ''
);
CREATE INDEX item_due ON item (due);
CREATE INDEX item_office ON item (office, due);
CREATE INDEX item_failing ON item (office) WHERE failed > 0;

-- The datasets of the store with the item that updates them, at most one. Datasets
-- without an item stay, so that their history is not logged twice.
CREATE TABLE dataset (
    id      INTEGER PRIMARY KEY,          -- in the store
    item    INTEGER,                      -- NULL: no item updates it any longer
    version TEXT    NOT NULL              -- the newest one in the log
);
CREATE INDEX dataset_item ON dataset (item);

CREATE TABLE wanted (
    watch INTEGER NOT NULL REFERENCES watch (id),
    item  INTEGER NOT NULL REFERENCES item (id),
    PRIMARY KEY (watch, item)
) WITHOUT ROWID;
CREATE INDEX wanted_item ON wanted (item);

CREATE TABLE log (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    at      INTEGER NOT NULL,
    ref     TEXT    NOT NULL,
    office  TEXT    NOT NULL,
    status  TEXT    NOT NULL,
    dataset INTEGER NOT NULL,
    version TEXT    NOT NULL,
    added   INTEGER NOT NULL,
    revised INTEGER NOT NULL,
    removed INTEGER NOT NULL,
    bytes   INTEGER NOT NULL,
    took    INTEGER NOT NULL,
    error   TEXT    NOT NULL
);
CREATE INDEX log_ref ON log (ref);
CREATE INDEX log_office ON log (office);
CREATE INDEX log_at ON log (at);

-- One row for each office that has or had items or log entries.
CREATE TABLE office (
    id       TEXT    PRIMARY KEY,
    success  INTEGER NOT NULL DEFAULT 0,
    error_at INTEGER NOT NULL DEFAULT 0,
    error    TEXT    NOT NULL DEFAULT '',
    until    INTEGER NOT NULL DEFAULT 0,  -- end of its pause
    deferred INTEGER NOT NULL DEFAULT 0,  -- the office itself stated until
    listed   INTEGER NOT NULL DEFAULT 0,  -- when its whole list of contents was last read
    tells    INTEGER NOT NULL DEFAULT 0   -- that list states when datasets changed
) WITHOUT ROWID;
