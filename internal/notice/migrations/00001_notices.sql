-- +goose Up
-- What organisations are told of changes. Times are Unix milliseconds, 0 for never.

-- The version of each dataset up to which notices were made.
CREATE TABLE seen (
    dataset INTEGER PRIMARY KEY,
    version TEXT    NOT NULL
);

-- Addresses that receive webhooks.
CREATE TABLE endpoint (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    organisation  INTEGER NOT NULL,
    address       TEXT    NOT NULL,
    secret        BLOB    NOT NULL,           -- encrypted
    created       INTEGER NOT NULL,
    failing_since INTEGER NOT NULL DEFAULT 0, -- of the attempts since the last success
    disabled      INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX endpoint_organisation ON endpoint (organisation);

-- One message to one endpoint.
CREATE TABLE delivery (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    endpoint  INTEGER NOT NULL REFERENCES endpoint (id) ON DELETE CASCADE,
    message   TEXT    NOT NULL UNIQUE,        -- the id that the receiver sees
    kind      TEXT    NOT NULL,
    body      TEXT    NOT NULL,
    created   INTEGER NOT NULL,
    due       INTEGER NOT NULL,               -- of the next attempt
    lease     INTEGER NOT NULL DEFAULT 0,     -- until when a process has the delivery
    fence     INTEGER NOT NULL DEFAULT 0,     -- grows each time that a process takes it
    attempts  INTEGER NOT NULL DEFAULT 0,
    status    TEXT    NOT NULL,               -- waiting, delivered or failed
    answer    TEXT    NOT NULL DEFAULT '',    -- of the last attempt
    attempted INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX delivery_due ON delivery (status, due);
CREATE INDEX delivery_endpoint ON delivery (endpoint, id);
