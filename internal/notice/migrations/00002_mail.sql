-- +goose Up
-- People are told by mail: an endpoint is then a person's subscription to what an organisation
-- follows.
ALTER TABLE endpoint ADD COLUMN person   TEXT    NOT NULL DEFAULT ''; -- empty: a webhook
ALTER TABLE endpoint ADD COLUMN rhythm   TEXT    NOT NULL DEFAULT ''; -- change, day or week
ALTER TABLE endpoint ADD COLUMN language TEXT    NOT NULL DEFAULT '';
ALTER TABLE endpoint ADD COLUMN next     INTEGER NOT NULL DEFAULT 0;  -- when the next mail is due
ALTER TABLE endpoint ADD COLUMN told     INTEGER NOT NULL DEFAULT 0;  -- the last news that a mail has
CREATE UNIQUE INDEX endpoint_person ON endpoint (person, organisation) WHERE person <> '';

-- Updates that changed what an organisation follows.
CREATE TABLE news (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    organisation INTEGER NOT NULL,
    dataset      INTEGER NOT NULL,
    before       TEXT    NOT NULL,
    version      TEXT    NOT NULL,
    created      INTEGER NOT NULL
);
CREATE INDEX news_organisation ON news (organisation, id);

-- The secret address at which an organisation's feed is read.
CREATE TABLE feed (
    organisation INTEGER PRIMARY KEY,
    secret       BLOB    NOT NULL,           -- encrypted
    created      INTEGER NOT NULL
);
