package database_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"almanac/internal/database"
)

// TestReferences refuses a row that refers to one that is not there.
func TestReferences(t *testing.T) {
	schema := "-- +goose Up\nCREATE TABLE dataset (id INTEGER PRIMARY KEY);\nCREATE TABLE note (dataset INTEGER NOT NULL REFERENCES dataset (id));\n"
	migrations := fstest.MapFS{"migrations/00001_schema.sql": {Data: []byte(schema)}}
	db, err := database.Location{Dir: t.TempDir()}.Open(t.Context(), "notes", database.Options{Migrations: migrations})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("INSERT INTO note (dataset) VALUES (7)"); err == nil || !strings.Contains(err.Error(), "FOREIGN KEY") {
		t.Errorf("a note of a dataset that is not there: %v", err)
	}
}
