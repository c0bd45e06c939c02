package postgres_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"almanac/internal/database"
	"almanac/internal/stattest/postgres"
)

func TestMain(m *testing.M) { os.Exit(postgres.Run(m)) }

var migrations = fstest.MapFS{"migrations/00001_x.sql": {Data: []byte(`-- +goose Up
CREATE TABLE state (number INTEGER NOT NULL, at TEXT NOT NULL);
INSERT INTO state VALUES (0, '');
CREATE TABLE parent (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, body BLOB);
CREATE TABLE list (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE child (parent INTEGER NOT NULL REFERENCES parent (id), code TEXT NOT NULL, value INTEGER, PRIMARY KEY (parent, code)) WITHOUT ROWID;
`)}}

func open(t *testing.T, at database.Location) *sql.DB {
	t.Helper()
	db, err := at.Open(t.Context(), "x", database.Options{Migrations: migrations})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func run(t *testing.T, db *sql.DB, statements ...string) {
	t.Helper()
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

func copied(t *testing.T, from, to database.Location) database.Copied {
	t.Helper()
	c, err := database.Copy(t.Context(), from, to, "x", database.Options{Migrations: migrations})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestCopy copies a database from files to the other kind and back: texts in all scripts, bytes, nothing, and
// the numbers that rows get next, also if the newest row was deleted.
func TestCopy(t *testing.T) {
	files, other, back := database.Location{Dir: t.TempDir()}, postgres.At(t, t.TempDir()), database.Location{Dir: t.TempDir()}
	db := open(t, files)
	run(t, db, "UPDATE state SET number = 7, at = 'now'", "INSERT INTO parent (name, body) VALUES ('ä €', x'00ff'), ('B', NULL), ('a', x''), ('日本', x'31')",
		"DELETE FROM parent WHERE name = '日本'", "INSERT INTO list (name) VALUES ('one'), ('two')",
		"INSERT INTO child VALUES (1, 'b', NULL), (1, 'B', 9007199254740993), (2, '', -1)")
	run(t, open(t, other), "INSERT INTO parent (name) VALUES ('is replaced')")
	first := copied(t, files, other)
	if first.IsUnchanged || first.Rows != 9 {
		t.Errorf("the first copy: %+v, want 9 rows", first)
	}
	if again := copied(t, files, other); !again.IsUnchanged || again.Digest != first.Digest {
		t.Errorf("the second copy: %+v, want an unchanged %s", again, first.Digest)
	}
	if returned := copied(t, other, back); returned.Digest != first.Digest {
		t.Errorf("copied back: %+v, want %s", returned, first.Digest)
	}
	for _, at := range []database.Location{other, back} {
		var parent, list int
		db := open(t, at)
		if err := db.QueryRow("INSERT INTO parent (name) VALUES ('next') RETURNING id").Scan(&parent); err != nil {
			t.Fatal(err)
		}
		if err := db.QueryRow("INSERT INTO list (name) VALUES ('next') RETURNING id").Scan(&list); err != nil {
			t.Fatal(err)
		}
		if parent != 5 || list != 3 {
			t.Errorf("the next rows at %+v are %d and %d, want 5 and 3", at, parent, list)
		}
	}
	if third := copied(t, files, other); third.IsUnchanged || third.Digest != first.Digest {
		t.Errorf("after a change of the copy: %+v, want %s", third, first.Digest)
	}
	if _, err := os.Stat(filepath.Join(back.Dir, "x.db")); err != nil {
		t.Error(err)
	}
	forgotten := database.Location{Dir: other.Dir} // its address was not stated
	if _, err := forgotten.Exists(t.Context(), "x"); other.IsServer() != (err != nil) || err != nil && !strings.Contains(err.Error(), "are in PostgreSQL") {
		t.Errorf("without the address: %v", err)
	}
}
