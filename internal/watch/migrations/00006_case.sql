-- +goose Up

-- The case of references is ignored.
DROP INDEX job_open;
DROP INDEX job_ref;
CREATE UNIQUE INDEX job_open ON job (lower(ref)) WHERE status IN ('waiting', 'running');
CREATE INDEX job_ref ON job (lower(ref));
