// Package database opens a SQLite database that several processes share:
// durable commits, write-ahead logging so that readers never wait, and a schema
// that grows by migrations.
package database

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"modernc.org/sqlite" // also the driver "sqlite"
	sqlitelib "modernc.org/sqlite/lib"
)

// Options configures a database.
type Options struct {
	// Migrations contains a folder migrations with the SQL files that create the
	// schema, in goose's format. Each file name begins with a version
	// (00002_labels.sql). A released file never changes.
	Migrations fs.FS
	Wait       time.Duration // for changes by other processes; 0: defaultWait
	// IsPrivate has the file created so that other users of the machine cannot read it.
	// SQLite gives its other files the same mode.
	IsPrivate bool
}

const defaultWait = 20 * time.Second

// Open opens the database in a file and creates the file if needed. It runs the missing
// migrations, all or none; a database of a newer program is an error. Transactions take
// the write lock when they begin. A committed change is on disk. References between tables are checked.
func Open(ctx context.Context, path string, o Options) (*sql.DB, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if o.IsPrivate {
		if err := createPrivate(path); err != nil {
			return nil, err
		}
	}
	wait := cmp.Or(o.Wait, defaultWait)
	dsn := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: url.Values{
		"_pragma": {fmt.Sprintf("busy_timeout(%d)", wait.Milliseconds()), "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)"},
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

func createPrivate(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return file.Close()
}

// How long processes that open a new file at once wait for each other.
const (
	openingTime  = 20 * time.Second
	openingPause = 20 * time.Millisecond
)

// migrateInTurn retries migrate while the database is busy, because switching a
// new file to write-ahead logging does not wait by itself.
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

// codeOf returns SQLite's code of an error, 0 for other errors.
func codeOf(err error) int {
	var known *sqlite.Error
	if !errors.As(err, &known) {
		return 0
	}
	return known.Code() & 0xff // without the extended code
}

// IsTemporary reports whether a later try may succeed: other processes are
// changing the database, or the disk is full.
func IsTemporary(err error) bool {
	switch codeOf(err) {
	case sqlitelib.SQLITE_BUSY, sqlitelib.SQLITE_LOCKED, sqlitelib.SQLITE_FULL, sqlitelib.SQLITE_IOERR:
		return true
	}
	return false
}

// Row is a [sql.Row], or the current row of [sql.Rows].
type Row interface{ Scan(...any) error }

// Each calls do for all rows and closes them. err is the error of the query.
func Each(rows *sql.Rows, err error, do func(Row) error) error {
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := do(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Collect is [Each] that returns what scan makes of the rows.
func Collect[T any](rows *sql.Rows, err error, scan func(Row) (T, error)) (list []T, _ error) {
	err = Each(rows, err, func(row Row) error {
		item, err := scan(row)
		list = append(list, item)
		return err
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}
