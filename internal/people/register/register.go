// Package register stores people, their sessions and invitations. It has all SQL of package
// people and the types of the rows.
//
// The statements are those that SQLite and PostgreSQL share, and none relies on a lock that only
// one of them takes: what must happen once is an update with a condition.
package register

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"time"

	"almanac/internal/database"
	"almanac/internal/stat"
)

//go:embed migrations/*.sql
var migrations embed.FS

// waitToChange bounds how long a change waits for changes by other processes.
const waitToChange = 5 * time.Second

// DB is the register's database.
type DB struct {
	db *sql.DB
	at database.Location
}

// Name is the name of the database.
const Name = "people"

var options = database.Options{Migrations: migrations, Wait: waitToChange, IsPrivate: true}

// Copy copies the database of one installation to another; see [database.Copy].
func Copy(ctx context.Context, from, to database.Location) (database.Copied, error) {
	return database.Copy(ctx, from, to, Name, options)
}

// Open opens the register of an installation and creates it if needed.
func Open(ctx context.Context, at database.Location) (*DB, error) {
	db, err := at.Open(ctx, Name, options)
	if err != nil {
		return nil, fmt.Errorf("register of people: %w", err)
	}
	return &DB{db, at}, nil
}

// Close closes the database.
func (r *DB) Close() error { return r.db.Close() }

// SetFingerprint stores the fingerprint of the key if there is none, and returns the stored one.
// An empty fingerprint is not stored.
func (r *DB) SetFingerprint(ctx context.Context, fingerprint string) (stored string, err error) {
	if _, err = r.db.ExecContext(ctx, "UPDATE state SET fingerprint = $1 WHERE fingerprint = ''", fingerprint); err != nil {
		return "", fmt.Errorf("storing the fingerprint of the key: %w", err)
	}
	err = r.db.QueryRowContext(ctx, "SELECT fingerprint FROM state").Scan(&stored)
	return stored, stat.Wrap(err, "reading the fingerprint of the key")
}

// Tidy deletes what has ended before a time: sessions, browsers, invitations and counts of
// guesses.
func (r *DB) Tidy(ctx context.Context, before time.Time) error {
	return r.change(ctx, "deleting what has ended", func(tx *sql.Tx) error {
		for _, statement := range []string{
			"DELETE FROM session WHERE ends < $1", "DELETE FROM browser WHERE ends < $1",
			"DELETE FROM invitation WHERE ends < $1", "DELETE FROM guess WHERE last < $1 AND until < $1", "DELETE FROM answered WHERE ends < $1",
		} {
			if _, err := tx.ExecContext(ctx, statement, before.Unix()); err != nil {
				return err
			}
		}
		return nil
	})
}

// change runs do in a transaction and commits it if do returns nil. The error is
// [stat.Unavailable] if the register is temporarily locked.
func (r *DB) change(ctx context.Context, doing string, do func(*sql.Tx) error) error {
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return wrapChange(err, doing)
	}
	defer tx.Rollback()
	if err := do(tx); err != nil {
		return wrapChange(err, doing)
	}
	return wrapChange(tx.Commit(), doing)
}

// executor is a database or a transaction.
type executor interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// happened runs a statement and reports whether it changed a row.
func happened(ctx context.Context, on executor, statement string, args ...any) (bool, error) {
	result, err := on.ExecContext(ctx, statement, args...)
	if err != nil {
		return false, err
	}
	n, err := result.RowsAffected()
	return n > 0, err
}

// wrapChange adds to the error of a change what failed; nil stays nil. A temporary error becomes
// [stat.Unavailable].
func wrapChange(err error, doing string) error {
	if err != nil && database.IsTemporary(err) {
		return &stat.Error{Kind: stat.Unavailable, Message: "accounts cannot be changed at the moment; try again", Err: err}
	}
	if stat.KindOf(err) != stat.Internal {
		return err // it says what is wrong
	}
	return stat.Wrap(err, "%s", doing)
}

// ifFound is wrap for a query for one row; no row is not an error.
func ifFound(err error, doing string) error {
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return stat.Wrap(err, "%s", doing)
}

// scanTime scans a time of the database: Unix seconds, 0 for the zero time.
type scanTime struct{ into *time.Time }

func (t scanTime) Scan(value any) error {
	seconds, ok := value.(int64)
	if !ok {
		return fmt.Errorf("a time has type %T, want an integer", value)
	}
	*t.into = time.Time{}
	if seconds != 0 {
		*t.into = time.Unix(seconds, 0).UTC()
	}
	return nil
}

func unixSeconds(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}
