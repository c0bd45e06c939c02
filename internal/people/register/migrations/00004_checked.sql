-- +goose Up
-- When the owner of a session last proved who they are.
ALTER TABLE session ADD COLUMN checked BIGINT NOT NULL DEFAULT 0;
