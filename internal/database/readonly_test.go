package database

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// A database that lacks a migration and cannot be written is an error; one that
// lacks none can be read.
func TestReadOnly(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.db")
	migrations := fstest.MapFS{"migrations/00001_x.sql": {Data: []byte("-- +goose Up\nCREATE TABLE x (y);\n")}}
	db, err := openFile(t.Context(), file, Options{Migrations: migrations})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close() // only now, because a database without its log cannot be opened read-only
	readOnly, err := sql.Open("sqlite", "file:"+file+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer readOnly.Close()
	if err := migrate(t.Context(), readOnly, migrations, ofFile); err != nil {
		t.Errorf("nothing to write: %v", err)
	}
	migrations["migrations/00002_z.sql"] = &fstest.MapFile{Data: []byte("-- +goose Up\nCREATE TABLE z (y);\n")}
	err = migrate(t.Context(), readOnly, migrations, ofFile)
	if err == nil || !strings.Contains(err.Error(), "attempt to write a readonly database") {
		t.Errorf("error %v, want a read-only database", err)
	}
}
