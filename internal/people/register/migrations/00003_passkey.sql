-- +goose Up
-- Passkeys with which people sign in instead of a password.
CREATE TABLE passkey (
    id         TEXT   PRIMARY KEY,          -- of the credential
    person     TEXT   NOT NULL REFERENCES person (id),
    name       TEXT   NOT NULL,
    credential TEXT   NOT NULL,             -- JSON: its public key and counter
    created    BIGINT NOT NULL,
    used       BIGINT NOT NULL
);
CREATE INDEX passkey_person ON passkey (person);

-- Challenges of passkeys that were answered, so that an answer counts once.
CREATE TABLE answered (
    mac  TEXT   PRIMARY KEY,
    ends BIGINT NOT NULL
);
