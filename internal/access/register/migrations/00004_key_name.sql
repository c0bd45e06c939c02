-- +goose Up
-- What the owner of a key calls it; empty: nothing.
ALTER TABLE key ADD COLUMN name TEXT NOT NULL DEFAULT '';
