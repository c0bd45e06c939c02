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
	"encoding/json"
	"errors"
	"time"
)

// DB is the database. It is safe for concurrent use, also by several processes.
type DB struct{}

// Watch is what somebody asked for.
type Watch struct {
	Ref   string        `json:"ref"` // "eurostat:une_rt_m", "eurostat:nama_*", "eurostat:theme/na10", "scb:BE/*"
	Every time.Duration `json:"-"`   // 0: by the source's own rhythm
	Added time.Time     `json:"added"`
	Items int           `json:"items"` // datasets that it stands for now
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
	Status  string        `json:"status"` // created, updated, unchanged, quarantined, refused, failed
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
	Item  Item
	Entry *Entry // nil: not worth a line (unchanged, as nearly always)
}

// Office is what is known of an office's server as a whole.
type Office struct {
	ID          string
	LastSuccess time.Time // an answer that could be used
	LastError   time.Time
	Error       string    // of LastError
	Watched     int       // items
	Failing     int       // items whose last try failed
	Until       time.Time // it is not asked before: an outage, or a long Retry-After
}

var errTODO = errors.New("not written yet")

// Open opens the database in a data directory and creates it if there is none.
func Open(ctx context.Context, dir string) (*DB, error) { return &DB{}, nil }

// Close closes the database.
func (db *DB) Close() error { return nil }

// Add adds a watch, or changes how often it looks. New reports whether it was
// not there.
func (db *DB) Add(ctx context.Context, ref string, every time.Duration, now time.Time) (isNew bool, err error) {
	return false, errTODO
}

// Remove takes a watch away, and items that no other watch stands for. Their
// datasets stay in the store. The error is [stat.NotFound] if there is none.
func (db *DB) Remove(ctx context.Context, ref string) error { return errTODO }

// List returns the watches, by reference.
func (db *DB) List(ctx context.Context) ([]Watch, error) { return nil, errTODO }

// Expand says which datasets a watch stands for: new items are added, due at
// once, and items of this watch that are not among refs are no longer its. It
// returns how many came and went.
func (db *DB) Expand(ctx context.Context, watch string, refs []Ref) (came, went int, err error) {
	return 0, 0, errTODO
}

// Ref is a dataset of an office.
type Ref struct {
	Office string
	Text   string // "eurostat:une_rt_m"
}

// Items returns the items of some references, of all if there are none.
func (db *DB) Items(ctx context.Context, refs ...string) ([]Item, error) { return nil, errTODO }

// Due returns the items that are due at a time, the longest due first.
func (db *DB) Due(ctx context.Context, now time.Time) ([]Item, error) { return nil, errTODO }

// Next is when the next item will be due; zero if there is none.
func (db *DB) Next(ctx context.Context) (time.Time, error) { return time.Time{}, errTODO }

// Finish writes results, all in one transaction: rows of items (matched by ID;
// one that was removed meanwhile is passed over), lines of the log, and what
// they say of their offices.
func (db *DB) Finish(ctx context.Context, results []Result) error { return errTODO }

// Note writes a line of the log that is of no item: a list of contents that
// could not be read, an import by hand.
func (db *DB) Note(ctx context.Context, e Entry) error { return errTODO }

// Answered records an answer of an office's server, or with a reason its
// failure, after which it is not asked before until.
func (db *DB) Answered(ctx context.Context, office string, at time.Time, reason string, until time.Time) error {
	return errTODO
}

// Offices returns what is known of the offices that have items or a log.
func (db *DB) Offices(ctx context.Context) ([]Office, error) { return nil, errTODO }

// Log returns the newest lines, newest first: of a reference or an office if
// these are not empty, at most most.
func (db *DB) Log(ctx context.Context, of string, most int) ([]Entry, error) { return nil, errTODO }

// Trim deletes lines older than before.
func (db *DB) Trim(ctx context.Context, before time.Time) error { return errTODO }

// Lock takes an item for this process, so that it is never fetched twice at
// once: by this process or by another. ok is false if it is taken. The lock
// goes with Unlock, or with the process, however that ends.
func (db *DB) Lock(item int64) (unlock func(), ok bool, err error) { return nil, false, errTODO }
