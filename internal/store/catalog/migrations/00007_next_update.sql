-- +goose Up
-- When the source says that it updates the data next (RFC 3339); empty if it does not say.
ALTER TABLE description ADD COLUMN next_update TEXT NOT NULL DEFAULT '';
