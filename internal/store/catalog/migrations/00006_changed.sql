-- +goose Up
-- What a vintage changed besides its observations: labels, metadata, structure, units, separated
-- by spaces. Vintages that were published before have the empty text.
ALTER TABLE vintage ADD COLUMN changed TEXT NOT NULL DEFAULT '';
