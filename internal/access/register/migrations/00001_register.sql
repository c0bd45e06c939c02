-- +goose Up
-- The register of callers. Times are Unix seconds, 0 for never; days are
-- counted from 1 January 1970, UTC.

-- One row. generation grows with every change of accounts and keys; servers
-- poll it. pepper is the fingerprint of the pepper that the keys' MACs were
-- made with, empty until there is one.
CREATE TABLE state (
    generation INTEGER NOT NULL,
    pepper     TEXT    NOT NULL
);
INSERT INTO state VALUES (0, '');

CREATE TABLE organisation (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    name     TEXT    NOT NULL,
    name_key TEXT    NOT NULL UNIQUE,        -- what names are compared by
    created  INTEGER NOT NULL
);

CREATE TABLE account (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    organisation INTEGER NOT NULL REFERENCES organisation (id),
    name         TEXT    NOT NULL,
    name_key     TEXT    NOT NULL UNIQUE,
    tier         TEXT    NOT NULL,
    created      INTEGER NOT NULL,
    generation   INTEGER NOT NULL            -- of the newest change of this row
);
CREATE INDEX account_generation ON account (generation);
CREATE INDEX account_organisation ON account (organisation);

-- Of a key only its public id is here, and what it takes to check the rest.
CREATE TABLE key (
    id         TEXT    PRIMARY KEY,
    account    INTEGER NOT NULL REFERENCES account (id),
    mac        BLOB    NOT NULL,             -- HMAC-SHA-256 of the whole key under the pepper
    created    INTEGER NOT NULL,
    expires    INTEGER NOT NULL,
    revoked    INTEGER NOT NULL,
    last_used  INTEGER NOT NULL DEFAULT 0,
    generation INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX key_generation ON key (generation);
CREATE INDEX key_account ON key (account);

-- What was counted. The day is part of the key, so a new day begins at 0 by
-- itself, and a clock that goes back finds the old day's count.
CREATE TABLE usage (
    day     INTEGER NOT NULL,
    subject TEXT    NOT NULL,                -- see the constants in usage.go
    used    INTEGER NOT NULL,                -- what is reserved included
    spare   INTEGER NOT NULL DEFAULT 0,      -- reserved by servers, and not known to be spent
    PRIMARY KEY (day, subject)
) WITHOUT ROWID;

CREATE TABLE followed (
    organisation INTEGER NOT NULL REFERENCES organisation (id),
    dataset      INTEGER NOT NULL,
    name         TEXT    NOT NULL,           -- of the dataset, when this was set
    selection    TEXT    NOT NULL,           -- JSON: codes by axis
    since        INTEGER NOT NULL,
    PRIMARY KEY (organisation, dataset)
) WITHOUT ROWID;
