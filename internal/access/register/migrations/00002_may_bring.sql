-- +goose Up
-- Whether the callers of an account may have datasets brought that offices offer.
ALTER TABLE account ADD COLUMN may_bring INTEGER NOT NULL DEFAULT 0;
