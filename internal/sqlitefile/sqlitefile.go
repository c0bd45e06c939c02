// Package sqlitefile opens a SQLite database that lives in one file and is
// shared by several processes: durable commits, write-ahead logging so that
// readers never wait, and a schema whose version is checked. What stands in
// the tables is the caller's.
package sqlitefile

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"time"

	"modernc.org/sqlite" // also the driver "sqlite"
	sqlitelib "modernc.org/sqlite/lib"
)

// Options say what a new file gets, and how one is used.
type Options struct {
	Schema  string        // SQL
	Version int           // of the schema, kept in the database's user_version; at least 1
	Wait    time.Duration // for the changes of other processes; 0: defaultWait
}

const defaultWait = 20 * time.Second

// Open opens the database in a file, which is created with the schema if there
// is none. Transactions of the returned handle take the write lock when they
// begin; a change is on the disk when it is committed. The error says it if
// the file was made by another version of the program.
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
	if err := prepareInTurn(ctx, db, o); err != nil {
		return nil, fmt.Errorf("opening %s: %w", path, errors.Join(err, db.Close()))
	}
	return db, nil
}

// How long several processes that open a new file at once wait for each other.
const (
	openingTime  = 20 * time.Second
	openingPause = 20 * time.Millisecond
)

// prepareInTurn prepares the file when no other process is doing so: the
// switch of a new file to write-ahead logging does not wait by itself.
func prepareInTurn(ctx context.Context, db *sql.DB, o Options) error {
	ctx, cancel := context.WithTimeout(ctx, openingTime)
	defer cancel()
	for {
		err := prepare(ctx, db, o)
		if codeOf(err) != sqlitelib.SQLITE_BUSY {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(openingPause):
		}
	}
}

// prepare makes the tables if the file is new.
func prepare(ctx context.Context, db *sql.DB, o Options) error {
	var version int
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	if version == 0 {
		if err := create(ctx, db, o); err != nil {
			return err
		}
		version = o.Version
	}
	if version != o.Version {
		return fmt.Errorf("its schema has version %d, this program knows %d: use the program that made it, or a newer one", version, o.Version)
	}
	return nil
}

func create(ctx context.Context, db *sql.DB, o Options) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var version int // another process may have been first
	if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	if version != 0 {
		return nil
	}
	if _, err := tx.ExecContext(ctx, o.Schema); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", o.Version)); err != nil {
		return err
	}
	return tx.Commit()
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
