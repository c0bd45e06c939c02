-- +goose Up
-- People who sign in. Times are Unix seconds, 0 for never. Nothing here is particular to one
-- database: ids are random texts that the program makes, and secrets are texts.

-- One row: the fingerprint of the key that the MACs and encrypted secrets were made with, empty
-- until there is one.
CREATE TABLE state (
    fingerprint TEXT NOT NULL
);
INSERT INTO state VALUES ('');

CREATE TABLE person (
    id        TEXT   PRIMARY KEY,
    mail      TEXT   NOT NULL,
    mail_key  TEXT   NOT NULL UNIQUE,       -- what addresses are compared by
    name      TEXT   NOT NULL,
    password  TEXT   NOT NULL,              -- a hash with its parameters
    factor    TEXT   NOT NULL,              -- encrypted secret of the second factor; empty: none
    step      BIGINT NOT NULL,              -- of the last code of the second factor that was accepted
    created   BIGINT NOT NULL,
    signed_in BIGINT NOT NULL
);

CREATE TABLE recovery_code (
    person TEXT   NOT NULL REFERENCES person (id),
    mac    TEXT   NOT NULL,
    used   BIGINT NOT NULL,
    PRIMARY KEY (person, mac)
);

CREATE TABLE member (
    person       TEXT   NOT NULL REFERENCES person (id),
    organisation BIGINT NOT NULL,           -- its id in the register of callers
    role         TEXT   NOT NULL,
    since        BIGINT NOT NULL,
    PRIMARY KEY (person, organisation)
);
CREATE INDEX member_organisation ON member (organisation);

-- Of the tokens of sessions, known browsers and invitations only MACs are here.
CREATE TABLE session (
    mac     TEXT   PRIMARY KEY,
    id      TEXT   NOT NULL UNIQUE,         -- by which it is listed and ended
    person  TEXT   NOT NULL REFERENCES person (id),
    stage   TEXT   NOT NULL,                -- what its owner has proved
    created BIGINT NOT NULL,
    used    BIGINT NOT NULL,
    ends    BIGINT NOT NULL,
    family  TEXT   NOT NULL,                -- of the address: IPv4, IPv6
    browser TEXT   NOT NULL                 -- in words
);
CREATE INDEX session_person ON session (person);

-- Browsers that are not asked for the second factor.
CREATE TABLE browser (
    mac    TEXT   PRIMARY KEY,
    person TEXT   NOT NULL REFERENCES person (id),
    ends   BIGINT NOT NULL
);
CREATE INDEX browser_person ON browser (person);

CREATE TABLE invitation (
    mac          TEXT   PRIMARY KEY,
    id           TEXT   NOT NULL UNIQUE,
    purpose      TEXT   NOT NULL,           -- join: an organisation; reset: a password
    mail         TEXT   NOT NULL,
    organisation BIGINT NOT NULL,           -- 0: none
    role         TEXT   NOT NULL,
    created      BIGINT NOT NULL,
    ends         BIGINT NOT NULL,
    used         BIGINT NOT NULL
);
CREATE INDEX invitation_organisation ON invitation (organisation);

-- Failed guesses of passwords and codes.
CREATE TABLE guess (
    subject TEXT   PRIMARY KEY,             -- a MAC of an account or a network
    failed  BIGINT NOT NULL,
    last    BIGINT NOT NULL,
    until   BIGINT NOT NULL                 -- no guess is accepted before
);
