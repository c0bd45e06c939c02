-- +goose Up
-- What is to be kept up to date. Times are Unix milliseconds, 0 for never;
-- spans are milliseconds too.

-- What people asked for.
CREATE TABLE watch (
    id       INTEGER PRIMARY KEY,
    ref      TEXT    NOT NULL UNIQUE,
    every    INTEGER NOT NULL,            -- 0: by the source's own rhythm
    added    INTEGER NOT NULL,
    expanded INTEGER NOT NULL DEFAULT 0,  -- when it was last said what it stands for
    items    INTEGER NOT NULL DEFAULT 0,  -- how many that were
    error    TEXT    NOT NULL DEFAULT ''  -- why it could not be said since
);

-- The datasets that watches stand for. Numbers are never given twice: they are
-- what processes lock.
CREATE TABLE item (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    ref     TEXT    NOT NULL UNIQUE,
    office  TEXT    NOT NULL,             -- empty: a plain address
    state   BLOB,                         -- JSON of the server that it is fetched from
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

-- The datasets of the store that items brought, each of one item at most. What
-- nobody brings any more is kept, so that its history is not told twice.
CREATE TABLE dataset (
    id      INTEGER PRIMARY KEY,          -- in the store
    item    INTEGER,                      -- NULL: nobody's any more
    version TEXT    NOT NULL              -- the newest of which the log has a line
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

-- One row for each office that has, or had, items or lines of the log.
CREATE TABLE office (
    id       TEXT    PRIMARY KEY,
    success  INTEGER NOT NULL DEFAULT 0,
    error_at INTEGER NOT NULL DEFAULT 0,
    error    TEXT    NOT NULL DEFAULT '',
    until    INTEGER NOT NULL DEFAULT 0,  -- it is not asked before
    deferred INTEGER NOT NULL DEFAULT 0,  -- whether that is what it asked for itself
    listed   INTEGER NOT NULL DEFAULT 0,  -- when its whole list of contents was last read
    tells    INTEGER NOT NULL DEFAULT 0   -- whether that list tells when datasets changed
) WITHOUT ROWID;
