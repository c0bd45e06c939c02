// Package watch stores what is kept up to date, in a database of its own beside
// the catalogue (sync.db). It contains the watches, which users add (a dataset, a
// pattern, a whole theme); the items, which are the datasets of the watches, with
// the state of their last fetch and when they are due; and the log.
//
// Results come by the thousand, so they are written in groups by [DB.Record].
// What a crash loses is fetched again and found to be unchanged.
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

	"almanac/internal/database"
	"almanac/internal/stat"
)

//go:embed migrations/*.sql
var migrations embed.FS

// File is the name of the database in a data directory.
const File = "sync.db"

const lockName = "sync.lock" // one locked byte for each item

// DB is the database. Several goroutines and processes can use it at once.
type DB struct {
	db    *sql.DB
	locks *locks
}

// Watch is what a user wants to keep up to date.
type Watch struct {
	Ref      string        `json:"ref"` // "eurostat:une_rt_m", "eurostat:nama_*", "eurostat:theme/na10", "scb:BE/*"
	Every    time.Duration `json:"-"`   // 0: the office's interval
	Added    time.Time     `json:"added"`
	Expanded time.Time     `json:"-"`     // when its items were last found; zero: never
	Items    int           `json:"items"` // number of its items
	// Error is why its items could not be found the last time; they stay as before.
	Error string `json:"error,omitempty"`
}

// Item is one dataset that is kept up to date.
type Item struct {
	ID      int64           // of the row
	Ref     string          // "eurostat:une_rt_m"
	Office  string          // "eurostat"; empty for a plain address
	Every   time.Duration   // the shortest of its watches'; 0: the office's interval
	State   json.RawMessage // source.State of the last stored fetch
	Dataset int             // ID in the store; 0 before the first import
	Checked time.Time       // last success, changed or not
	Changed time.Time       // last time the data changed
	Tried   time.Time
	Due     time.Time // when to fetch it next; zero: at once
	Failed  int       // failures in a row
	Error   string    // of the last failure; empty after a success
}

// Entry is an entry of the log.
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
	Error   string        `json:"error,omitempty"`
}

// Result is the result of a try: the item's new row and its log entry.
type Result struct {
	Item   Item
	Entry  *Entry // nil: none, as for nearly all unchanged items
	Answer Answer

	Datasets []Dataset // changed datasets of the item; ID and Version count
	Vanished []int     // IDs of datasets that are no longer in the item
}

// Answer is what a try says about the office's server.
type Answer int

// The answers.
const (
	NoAnswer Answer = iota // the server was not asked
	Good                   // a usable answer
	Bad                    // no usable answer; Item.Error says why
)

// Office is the state of an office's server.
type Office struct {
	ID          string
	LastSuccess time.Time // the last usable answer
	LastError   time.Time
	Error       string    // of LastError
	Watched     int       // items
	Failing     int       // items whose last try failed
	Next        time.Time // when its first item is due, as [DB.Next] returns it
	Until       time.Time // end of its pause after an outage or by Retry-After
	Deferred    bool      // the office itself stated Until
	Listed      time.Time // when its whole list of contents was last read
	// ListHasTimes says that this list states when datasets changed.
	ListHasTimes bool
}

// Open opens the database in a data directory and creates both if needed.
func Open(ctx context.Context, dir string) (*DB, error) {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return nil, fmt.Errorf("creating the data directory: %w", err)
	}
	db, err := database.Open(ctx, filepath.Join(dir, File), database.Options{Migrations: migrations})
	if err != nil {
		return nil, fmt.Errorf("opening the database of watches: %w", err)
	}
	locks, err := openLocks(filepath.Join(dir, lockName))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("opening the locks of watches: %w", err), db.Close())
	}
	return &DB{db, locks}, nil
}

// Close closes the database. Its locks stay until they are unlocked, or until this
// process closes its last handle of the same database.
func (db *DB) Close() error { return errors.Join(db.locks.close(), db.db.Close()) }

// change is a transaction. After its first error it does nothing.
type change struct {
	ctx context.Context
	tx  *sql.Tx
	err error
}

// exec executes statements and returns the number of rows that the last one changed.
func (c *change) exec(statements string, args ...any) (rows int64) {
	if c.err != nil {
		return 0
	}
	var result sql.Result
	if result, c.err = c.tx.ExecContext(c.ctx, statements, args...); c.err == nil {
		rows, c.err = result.RowsAffected()
	}
	return rows
}

// change runs do in a transaction and commits it, unless it has an error. The error is
// [stat.Unavailable] if the database is busy.
func (db *DB) change(ctx context.Context, doing string, do func(*change)) error {
	tx, err := db.db.BeginTx(ctx, nil)
	if err != nil {
		return changing(err, doing)
	}
	defer tx.Rollback()
	c := &change{ctx: ctx, tx: tx}
	if do(c); c.err != nil {
		return changing(c.err, doing)
	}
	return changing(tx.Commit(), doing)
}

// exec is like change for a single statement.
func (db *DB) exec(ctx context.Context, doing, statement string, args ...any) error {
	_, err := db.db.ExecContext(ctx, statement, args...)
	return changing(err, doing)
}

func changing(err error, doing string) error {
	if database.IsTemporary(err) {
		return &stat.Error{Kind: stat.Unavailable, Message: doing + ": the database of watches is busy; try again", Err: err}
	}
	return stat.Wrap(err, "%s", doing)
}

func reading(err error, what string) error { return stat.Wrap(err, "reading %s", what) }

func moment(millis int64) time.Time {
	if millis == 0 {
		return time.Time{}
	}
	return time.UnixMilli(millis).UTC()
}

func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// Ref is a dataset of an office.
type Ref struct {
	Office string
	Text   string // "eurostat:une_rt_m"
	Title  string // from the office's list, or empty
}

// Add adds a watch, or changes its interval. isNew reports whether it did not
// exist. [DB.Expand] sets its items.
func (db *DB) Add(ctx context.Context, ref string, every time.Duration, now time.Time) (isNew bool, err error) {
	err = db.change(ctx, "adding the watch "+ref, func(c *change) {
		isNew = c.exec("UPDATE watch SET every = ? WHERE ref = ?", every.Milliseconds(), ref) == 0
		if isNew {
			c.exec("INSERT INTO watch (ref, every, added) VALUES (?, ?, ?)", ref, every.Milliseconds(), millis(now))
		}
	})
	return isNew, err
}

// Remove removes a watch, and the items that no other watch has. Their datasets
// stay in the store. The error is [stat.NotFound] if there is no such watch.
func (db *DB) Remove(ctx context.Context, ref string) error {
	err := db.change(ctx, "removing the watch "+ref, func(c *change) {
		var id int64
		// The exact spelling comes first.
		c.err = c.tx.QueryRowContext(ctx, "SELECT id FROM watch WHERE ref = ?1 COLLATE NOCASE ORDER BY ref = ?1 DESC LIMIT 1", ref).Scan(&id)
		c.exec("DELETE FROM wanted WHERE watch = ?", id)
		c.exec("DELETE FROM watch WHERE id = ?", id)
		c.exec(dropUnwanted)
	})
	if errors.Is(err, sql.ErrNoRows) {
		return stat.Errorf(stat.NotFound, "%s is not watched; `almanac watch list` lists the watches", ref)
	}
	return err
}

// dropUnwanted deletes the items without a watch. Their datasets then have no
// item.
const dropUnwanted = `DELETE FROM item WHERE id NOT IN (SELECT item FROM wanted);
	UPDATE dataset SET item = NULL WHERE item NOT IN (SELECT id FROM item)`

// List returns the watches, ordered by reference.
func (db *DB) List(ctx context.Context) ([]Watch, error) {
	rows, err := db.db.QueryContext(ctx, `SELECT ref, every, added, expanded,
		items, error FROM watch ORDER BY ref`)
	list, err := database.Collect(rows, err, func(row database.Row) (w Watch, err error) {
		var every, added, expanded int64
		err = row.Scan(&w.Ref, &every, &added, &expanded, &w.Items, &w.Error)
		w.Every, w.Added, w.Expanded = time.Duration(every)*time.Millisecond, moment(added), moment(expanded)
		return w, err
	})
	return list, reading(err, "the watches")
}

// Expand sets the items of a watch. New items are due at once, and items that are
// not among refs are removed from the watch. It returns the number of added items
// and the removed ones. A watch that was removed meanwhile gets no items.
func (db *DB) Expand(ctx context.Context, watch string, refs []Ref, now time.Time) (added int, removed []string, err error) {
	list, err := json.Marshal(refs)
	if err != nil {
		return 0, nil, err
	}
	err = db.change(ctx, "writing the items of "+watch, func(c *change) {
		var id int64
		c.err = c.tx.QueryRowContext(ctx, "UPDATE watch SET expanded = ? WHERE ref = ? RETURNING id", millis(now), watch).Scan(&id)
		if errors.Is(c.err, sql.ErrNoRows) {
			c.err = nil
			return
		}
		if c.err != nil {
			return
		}
		rows, err := c.tx.QueryContext(ctx, removeOthers, id, string(list))
		removed, c.err = database.Collect(rows, err, func(row database.Row) (ref string, err error) { return ref, row.Scan(&ref) })
		if len(removed) > 0 {
			c.exec(dropUnwanted)
		}
		c.exec(addItems, string(list))
		added = int(c.exec(addWanted, id, string(list)))
		c.exec(afterExpand, id, millis(now))
	})
	return added, removed, err
}

// The statements of Expand. ?1 is the ID of the watch, and the refs are ?2, for addItems
// ?1. afterExpand makes the items due within the watch's interval;
// items that failed keep their growing waits.
const (
	removeOthers = `DELETE FROM wanted
		WHERE watch = ?1 AND item NOT IN (SELECT id FROM item WHERE ref IN (SELECT value ->> 'Text' FROM json_each(?2)))
		RETURNING (SELECT ref FROM item AS removed WHERE removed.id = wanted.item)`
	addItems = `INSERT INTO item (ref, office, state)
		SELECT value ->> 'Text', value ->> 'Office', iif(value ->> 'Title' = '', NULL, json_object('title', value ->> 'Title'))
		FROM json_each(?1) WHERE NOT EXISTS (SELECT 1 FROM item WHERE ref = value ->> 'Text') ON CONFLICT DO NOTHING`
	addWanted = `INSERT INTO wanted (watch, item)
		SELECT ?1, id FROM item WHERE ref IN (SELECT value ->> 'Text' FROM json_each(?2)) AND id NOT IN (SELECT item FROM wanted WHERE watch = ?1)`
	afterExpand = `INSERT INTO office (id) SELECT DISTINCT office FROM item WHERE id IN (SELECT item FROM wanted WHERE watch = ?1) ON CONFLICT DO NOTHING;
		UPDATE watch SET items = (SELECT count(*) FROM wanted WHERE watch = ?1) WHERE id = ?1;
		UPDATE item SET due = ?2 + (SELECT every FROM watch WHERE id = ?1)
		WHERE id IN (SELECT item FROM wanted WHERE watch = ?1) AND failed = 0
			AND (SELECT every FROM watch WHERE id = ?1) BETWEEN 1 AND due - ?2 - 1`
)

// RecordExpandError records why the items of a watch could not be found; they stay as
// before. An empty reason clears the error.
func (db *DB) RecordExpandError(ctx context.Context, watch, reason string, now time.Time) error {
	return db.exec(ctx, "recording the error of "+watch,
		"UPDATE watch SET expanded = ?, error = ? WHERE ref = ?", millis(now), reason, watch)
}
