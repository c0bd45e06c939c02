-- +goose Up
-- Jobs: datasets that offices offer and that callers want in the store. Times are Unix
-- milliseconds, 0 for never.
CREATE TABLE job (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    ref        TEXT    NOT NULL,             -- "eurostat:une_rt_m"
    office     TEXT    NOT NULL,
    title      TEXT    NOT NULL,             -- in the office's list, or empty
    listed     INTEGER NOT NULL,             -- 1: the office's list is known to have it
    subject    TEXT    NOT NULL,             -- who wants it: an account, or a digest of an address
    day        INTEGER NOT NULL,             -- of created: days since 1 January 1970, UTC
    status     TEXT    NOT NULL,             -- waiting, running, done, failed
    stage      TEXT    NOT NULL DEFAULT '',  -- of a running job: listing, fetching, reading, publishing
    bytes      INTEGER NOT NULL DEFAULT 0,   -- fetched so far
    created    INTEGER NOT NULL,
    started    INTEGER NOT NULL DEFAULT 0,   -- the last attempt
    finished   INTEGER NOT NULL DEFAULT 0,
    attempts   INTEGER NOT NULL DEFAULT 0,
    due        INTEGER NOT NULL DEFAULT 0,   -- a waiting job is not taken earlier
    fence      INTEGER NOT NULL DEFAULT 0,   -- grows each time that a process takes the job
    lease      INTEGER NOT NULL DEFAULT 0,   -- until when the process that took it has it
    locked     INTEGER NOT NULL DEFAULT 0,   -- 1: that process also has its lock, until it ends
    publishing TEXT    NOT NULL DEFAULT '',  -- JSON: the datasets that it publishes, once they are known
    dataset    INTEGER NOT NULL DEFAULT 0,   -- in the store
    version    TEXT    NOT NULL DEFAULT '',
    fault      TEXT    NOT NULL DEFAULT '',  -- of a failed job: missing, refused, keyless and other faults
    error      TEXT    NOT NULL DEFAULT ''
);
-- There is one job at a time for a dataset.
CREATE UNIQUE INDEX job_open ON job (ref COLLATE NOCASE) WHERE status IN ('waiting', 'running');
CREATE INDEX job_ref ON job (ref COLLATE NOCASE);
CREATE INDEX job_day ON job (day, subject);
