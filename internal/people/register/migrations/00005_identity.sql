-- +goose Up
-- Who people are at another service with which they sign in (OpenID Connect).
CREATE TABLE identity (
    issuer  TEXT   NOT NULL,
    subject TEXT   NOT NULL,                -- by which the issuer names the person
    person  TEXT   NOT NULL REFERENCES person (id),
    mail    TEXT   NOT NULL,                -- as the issuer named it when the identity was linked
    created BIGINT NOT NULL,
    used    BIGINT NOT NULL,
    PRIMARY KEY (issuer, subject)
);
CREATE INDEX identity_person ON identity (person);
