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
	"maps"
	"os"
	"slices"
	"time"

	"almanac/internal/database"
	"almanac/internal/stat"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Name is the name of the database.
const Name = "sync"

var options = database.Options{Migrations: migrations}

// Copy copies the database of one installation to another; see [database.Copy].
func Copy(ctx context.Context, from, to database.Location) (database.Copied, error) {
	return database.Copy(ctx, from, to, Name, options)
}

// DB is the database. Several goroutines and processes can use it at once.
type DB struct {
	db    *sql.DB
	locks locker
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

// Open opens the database of an installation. It creates the database and the data directory if needed.
func Open(ctx context.Context, at database.Location) (*DB, error) {
	if err := os.MkdirAll(at.Dir, 0o750); err != nil {
		return nil, fmt.Errorf("creating the data directory: %w", err)
	}
	db, err := at.Open(ctx, Name, options)
	if err != nil {
		return nil, fmt.Errorf("opening the database of watches: %w", err)
	}
	locks, err := openLocks(db, at)
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
		isNew = c.exec("UPDATE watch SET every = $1 WHERE ref = $2", every.Milliseconds(), ref) == 0
		if isNew {
			c.exec("INSERT INTO watch (ref, every, added) VALUES ($1, $2, $3)", ref, every.Milliseconds(), millis(now))
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
		c.err = c.tx.QueryRowContext(ctx, "SELECT id FROM watch WHERE lower(ref) = lower($1) ORDER BY CASE WHEN ref = $1 THEN 0 ELSE 1 END, id LIMIT 1", ref).Scan(&id)
		c.exec("DELETE FROM wanted WHERE watch = $1", id)
		c.exec("DELETE FROM watch WHERE id = $1", id)
		c.dropUnwanted()
	})
	if errors.Is(err, sql.ErrNoRows) {
		return stat.Errorf(stat.NotFound, "%s is not watched; `almanac watch list` lists the watches", ref)
	}
	return err
}

// dropUnwanted deletes the items without a watch. Their datasets then have no
// item.
func (c *change) dropUnwanted() {
	c.exec("DELETE FROM item WHERE id NOT IN (SELECT item FROM wanted)")
	c.exec("UPDATE dataset SET item = NULL WHERE item NOT IN (SELECT id FROM item)")
}

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
	err = db.change(ctx, "writing the items of "+watch, func(c *change) {
		var id int64
		c.err = c.tx.QueryRowContext(ctx, "UPDATE watch SET expanded = $1 WHERE ref = $2 RETURNING id", millis(now), watch).Scan(&id)
		if errors.Is(c.err, sql.ErrNoRows) {
			c.err = nil
			return
		}
		left := c.wantedBy(id) // the items that are not among refs
		for _, r := range refs {
			if _, isWanted := left[r.Text]; isWanted {
				delete(left, r.Text)
			} else if item := c.addItem(r); c.err == nil {
				added += int(c.exec("INSERT INTO wanted (watch, item) VALUES ($1, $2) ON CONFLICT DO NOTHING", id, item))
			}
		}
		removed = slices.Sorted(maps.Keys(left))
		for _, ref := range removed {
			c.exec("DELETE FROM wanted WHERE watch = $1 AND item = $2", id, left[ref])
		}
		if len(removed) > 0 {
			c.dropUnwanted()
		}
		c.finishExpand(id, now)
	})
	return added, removed, err
}

// wantedBy returns the IDs of the items of a watch by reference.
func (c *change) wantedBy(watch int64) map[string]int64 {
	items := map[string]int64{}
	if c.err != nil {
		return items
	}
	rows, err := c.tx.QueryContext(c.ctx, "SELECT item.ref, item.id FROM wanted JOIN item ON item.id = wanted.item WHERE wanted.watch = $1", watch)
	c.err = database.Each(rows, err, func(row database.Row) error {
		var ref string
		var id int64
		err := row.Scan(&ref, &id)
		items[ref] = id
		return err
	})
	return items
}

// addItem adds an item unless it exists, and returns its ID.
func (c *change) addItem(r Ref) (id int64) {
	var state []byte
	if r.Title != "" && c.err == nil {
		state, c.err = json.Marshal(map[string]string{"title": r.Title})
	}
	c.exec("INSERT INTO item (ref, office, state) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING", r.Text, r.Office, state)
	if c.err == nil {
		c.err = c.tx.QueryRowContext(c.ctx, "SELECT id FROM item WHERE ref = $1", r.Text).Scan(&id)
	}
	return id
}

// finishExpand counts the items of a watch and makes them due within its interval; items that
// failed keep their growing waits.
func (c *change) finishExpand(watch int64, now time.Time) {
	const (
		itsItems = "(SELECT item FROM wanted WHERE watch = $1)"
		every    = "(SELECT every FROM watch WHERE id = $1)"
	)
	c.exec("INSERT INTO office (id) SELECT DISTINCT office FROM item WHERE id IN "+itsItems+" ON CONFLICT DO NOTHING", watch)
	c.exec("UPDATE watch SET items = (SELECT count(*) FROM wanted WHERE watch = $1) WHERE id = $1", watch)
	c.exec("UPDATE item SET due = CAST($2 AS BIGINT) + "+every+" WHERE id IN "+itsItems+" AND failed = 0 AND "+every+" BETWEEN 1 AND due - CAST($2 AS BIGINT) - 1",
		watch, millis(now))
}

// RecordExpandError records why the items of a watch could not be found; they stay as
// before. An empty reason clears the error.
func (db *DB) RecordExpandError(ctx context.Context, watch, reason string, now time.Time) error {
	return db.exec(ctx, "recording the error of "+watch,
		"UPDATE watch SET expanded = $1, error = $2 WHERE ref = $3", millis(now), reason, watch)
}
