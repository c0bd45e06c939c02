-- +goose Up
-- What the last `source check` found at each office. Times are Unix milliseconds, 0 for
-- never.
CREATE TABLE probe (
    office TEXT    PRIMARY KEY,
    at     INTEGER NOT NULL,
    worked INTEGER NOT NULL,           -- when list and data last worked
    error  TEXT    NOT NULL DEFAULT '' -- what was wrong at the last check
) WITHOUT ROWID;
