-- +goose Up
-- The id of the person who made a key on a page; empty: nobody who signed in.
ALTER TABLE key ADD COLUMN maker TEXT NOT NULL DEFAULT '';
