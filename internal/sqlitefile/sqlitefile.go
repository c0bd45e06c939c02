// Package sqlitefile opens a SQLite database that lives in one file and is
// shared by several processes: durable commits, write-ahead logging so that
// readers never wait, and a schema that grows by migrations. What stands in
// the tables is the caller's.
package sqlitefile

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path/filepath"
	"time"

	"modernc.org/sqlite" // also the driver "sqlite"
	sqlitelib "modernc.org/sqlite/lib"
)

// Options describe a database.
type Options struct {
	// Migrations holds a folder migrations, whose files make the schema, in order:
	// SQL as goose reads it, with the version that each leads to in front of its
	// name (00002_labels.sql). A file that has been released is never changed.
	Migrations fs.FS
	Wait       time.Duration // for the changes of other processes; 0: defaultWait
}

const defaultWait = 20 * time.Second

// Open opens the database in a file and creates the file if there is none. A
// database of an earlier version of the program gets the migrations that it
// lacks, all or none of them; the error says so if a newer program made it.
// Transactions of the returned handle take the write lock when they begin; a
// change is on the disk when it is committed.
func Open(ctx context.Context, path string, o Options) (*sql.DB, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	wait := cmp.Or(o.Wait, defaultWait)
	dsn := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: url.Values{
		"_pragma": {fmt.Sprintf("busy_timeout(%d)", wait.Milliseconds()), "journal_mode(WAL)", "synchronous(FULL)"},
		"_txlock": {"immediate"},
	}.Encode()}
	db, err := sql.Open("sqlite", dsn.String())
	if err != nil {
		return nil, err
	}
	if err := migrateInTurn(ctx, db, o.Migrations); err != nil {
		return nil, fmt.Errorf("opening %s: %w", path, errors.Join(err, db.Close()))
	}
	return db, nil
}

// How long several processes that open a new file at once wait for each other.
const (
	openingTime  = 20 * time.Second
	openingPause = 20 * time.Millisecond
)

// migrateInTurn migrates the database when no other process is doing so: the
// switch of a new file to write-ahead logging does not wait by itself.
func migrateInTurn(ctx context.Context, db *sql.DB, migrations fs.FS) error {
	late := time.After(openingTime)
	for {
		err := migrate(ctx, db, migrations)
		if codeOf(err) != sqlitelib.SQLITE_BUSY {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-late:
			return err
		case <-time.After(openingPause):
		}
	}
}

// codeOf is SQLite's code for an error, 0 for others.
func codeOf(err error) int {
	var known *sqlite.Error
	if !errors.As(err, &known) {
		return 0
	}
	return known.Code() & 0xff // without what extends it
}

// Passes reports whether an error is one that goes by itself: others are
// changing the database, or the disk is full.
func Passes(err error) bool {
	switch codeOf(err) {
	case sqlitelib.SQLITE_BUSY, sqlitelib.SQLITE_LOCKED, sqlitelib.SQLITE_FULL, sqlitelib.SQLITE_IOERR:
		return true
	}
	return false
}
