// Package watch keeps what an installation wants to have kept up to date, in a
// database of its own beside the catalog (sync.db): the watches, which are what
// people asked for (a dataset, a pattern, a whole theme), the items, which are
// the datasets that these stand for, each with what is known of its last fetch
// and when it is due, and the log of what was done. All SQL stands here.
//
// Results come by the thousand, so they are written in groups (Finish). What a
// crash takes is fetched again, and found to be unchanged.
package watch

import (
	"context"
	"database/sql"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"almanac/internal/sqlitefile"
	"almanac/internal/stat"
)

//go:embed migrations/*.sql
var migrations embed.FS

// File is the name of the database in a data directory.
const File = "sync.db"

// lockName is the name of the file whose bytes are locked, one an item.
const lockName = "sync.lock"

// DB is the database. It is safe for concurrent use, also by several processes.
type DB struct {
	db    *sql.DB
	locks *locks
}

// Watch is what somebody asked for.
type Watch struct {
	Ref      string        `json:"ref"` // "eurostat:une_rt_m", "eurostat:nama_*", "eurostat:theme/na10", "scb:BE/*"
	Every    time.Duration `json:"-"`   // 0: by the source's own rhythm
	Added    time.Time     `json:"added"`
	Expanded time.Time     `json:"-"`     // when it was last said what it stands for; zero: never
	Items    int           `json:"items"` // datasets that it stands for now
	// Error is why it could not be said, the last time, what it stands for; it
	// goes on standing for what it did before.
	Error string `json:"error,omitempty"`
}

// Item is one dataset that is kept up to date.
type Item struct {
	ID      int64           // of the row
	Ref     string          // "eurostat:une_rt_m"
	Office  string          // "eurostat"; empty for a plain address
	Every   time.Duration   // the shortest of its watches'; 0: by the source's own rhythm
	State   json.RawMessage // source.State of the last stored fetch
	Dataset int             // ID in the store; 0 before the first import
	Checked time.Time       // last success, changed or not
	Changed time.Time       // last time that something changed
	Tried   time.Time
	Due     time.Time // when it is to be asked for next; zero: at once
	Failed  int       // how many times in a row
	Error   string    // of the last failure; empty after a success
}

// Entry is one line of the log.
type Entry struct {
	ID      int64         `json:"-"`
	At      time.Time     `json:"at"`
	Ref     string        `json:"ref"`
	Office  string        `json:"source"`
	Status  string        `json:"status"` // created, updated, unchanged, quarantined, refused, failed, vanished
	Dataset int           `json:"id,omitempty"`
	Version string        `json:"version,omitempty"`
	Added   int           `json:"added"`
	Revised int           `json:"revised"`
	Removed int           `json:"removed"`
	Bytes   int64         `json:"bytes"`
	Took    time.Duration `json:"-"`
	Error   string        `json:"error,omitempty"` // why not
}

// Result is what became of an item: its new row and its line in the log.
type Result struct {
	Item   Item
	Entry  *Entry // nil: not worth a line (unchanged, as nearly always)
	Answer Answer

	Datasets []Dataset // datasets of the item of which this is news; Dataset and Version count
	Lacks    []int     // datasets that the item does not bring any more
}

// Answer is what a try of an item says of its office's server.
type Answer int

// What a try says of a server.
const (
	NoAnswer Answer = iota // nothing: it was not asked
	Good                   // it gave an answer that could be used
	Bad                    // it did not; Item.Error says why
)

// Office is what is known of an office's server as a whole.
type Office struct {
	ID          string
	LastSuccess time.Time // an answer that could be used
	LastError   time.Time
	Error       string    // of LastError
	Watched     int       // items
	Failing     int       // items whose last try failed
	Next        time.Time // when the first of its items is due, as [DB.Next] has it
	Until       time.Time // it is not asked before: an outage, or a long Retry-After
	Deferred    bool      // Until is what the office asked for itself
	Listed      time.Time // when its whole list of contents was last read
	Tells       bool      // that list tells when datasets changed
}

// Open opens the database in a data directory and creates it, and the
// directory, if there is none.
func Open(ctx context.Context, dir string) (*DB, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("making the data directory: %w", err)
	}
	db, err := sqlitefile.Open(ctx, filepath.Join(dir, File), sqlitefile.Options{Migrations: migrations})
	if err != nil {
		return nil, fmt.Errorf("the list of what is watched: %w", err)
	}
	locks, err := openLocks(filepath.Join(dir, lockName))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the locks of what is watched: %w", err), db.Close())
	}
	return &DB{db, locks}, nil
}

// Close closes the database. What it locked stays locked until it is unlocked, or
// the last handle that this process has of the same database is closed.
func (db *DB) Close() error { return errors.Join(db.locks.close(), db.db.Close()) }

// change runs do in a transaction, which holds the write lock from its
// beginning, and commits it if do returns nil. The error is
// [stat.Unavailable] if nothing can be changed at the moment.
func (db *DB) change(ctx context.Context, doing string, do func(*sql.Tx) error) error {
	tx, err := db.db.BeginTx(ctx, nil)
	if err != nil {
		return changing(err, doing)
	}
	defer tx.Rollback()
	if err := do(tx); err != nil {
		return changing(err, doing)
	}
	return changing(tx.Commit(), doing)
}

// exec is change for a single statement.
func (db *DB) exec(ctx context.Context, doing, statement string, args ...any) error {
	_, err := db.db.ExecContext(ctx, statement, args...)
	return changing(err, doing)
}

// changing wraps an error of a change.
func changing(err error, doing string) error {
	switch {
	case err == nil:
		return nil
	case sqlitefile.Passes(err):
		return &stat.Error{Kind: stat.Unavailable, Message: doing + ": the list of what is watched cannot be changed at the moment; try again", Err: err}
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// reading wraps an error of a question.
func reading(err error, what string) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("reading %s: %w", what, err)
}

// moment is a time of the database.
func moment(millis int64) time.Time {
	if millis == 0 {
		return time.Time{}
	}
	return time.UnixMilli(millis).UTC()
}

// millis is a time for the database.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}
