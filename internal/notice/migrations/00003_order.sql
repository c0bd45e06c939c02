-- +goose Up
-- One row: the id of the newest news. Whoever adds news holds it until the news can be read, so
-- that no news appears with an id below one that was already told.
CREATE TABLE newest (
    news INTEGER NOT NULL
);
INSERT INTO newest SELECT coalesce(max(id), 0) FROM news;
