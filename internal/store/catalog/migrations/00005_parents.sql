-- +goose Up
-- The codes above a code in the office's hierarchy, one a line; empty if none are stated.
ALTER TABLE dictionary_code ADD COLUMN parents TEXT NOT NULL DEFAULT '';
