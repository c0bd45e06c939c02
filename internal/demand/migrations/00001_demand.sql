-- +goose Up
-- What callers asked for, counted by UTC day (days since 1 January 1970). There is no
-- caller, key or address in it, and no time within the day.
CREATE TABLE asked (
    day    INTEGER NOT NULL,
    kind   TEXT    NOT NULL,                 -- search or dataset
    -- The text of a search; eurostat:une_rt_a, or what was asked for if there is no such
    -- dataset. Empty for those whose texts are not kept: private ones, and those beyond the
    -- number that is kept for a day.
    text   TEXT    NOT NULL,
    times  INTEGER NOT NULL,
    failed INTEGER NOT NULL,                 -- of these, when nothing was found
    PRIMARY KEY (day, kind, text)
) WITHOUT ROWID;
