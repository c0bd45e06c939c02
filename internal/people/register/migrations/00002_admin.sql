-- +goose Up
-- Whether a person may change everything, in the name of the operator.
ALTER TABLE person ADD COLUMN admin BIGINT NOT NULL DEFAULT 0;
