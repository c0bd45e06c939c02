-- +goose Up

-- The case of codes is ignored.
DROP INDEX offer_code;
CREATE INDEX offer_code ON offer (source, lower(code));
