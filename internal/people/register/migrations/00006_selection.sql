-- +goose Up
-- Selections of pages that are too long for an address, which has their hash instead.
CREATE TABLE selection (
    hash  TEXT   PRIMARY KEY,
    query TEXT   NOT NULL,
    used  BIGINT NOT NULL -- when it was last stored or read, to the day
);
CREATE INDEX selection_used ON selection (used);
