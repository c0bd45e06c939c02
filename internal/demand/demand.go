// Package demand counts what callers ask for: the texts of searches and the datasets, by
// UTC day, and how often there was nothing. The operator of a service reads from it what
// to bring. It stores no caller, key, address or time of day, and no text that may be
// private (private.go).
//
// Counts are kept in memory and written to demand.db every few seconds, so a request never
// waits for it, and a crash loses only these seconds. Several processes can write to one
// file. The number of different texts and datasets is bounded for each day; what is beyond
// is counted without its text.
package demand

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"almanac/internal/database"
	"almanac/internal/stat"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Name is the name of the database.
const Name = "demand"

var options = database.Options{Migrations: migrations, Wait: writeTime, IsPrivate: true}

// Copy copies the database of one installation to another; see [database.Copy].
func Copy(ctx context.Context, from, to database.Location) (database.Copied, error) {
	return database.Copy(ctx, from, to, Name, options)
}

const (
	writeEvery = 10 * time.Second
	writeTime  = time.Second // how long a write waits for other processes
	// maxPending bounds the different texts and datasets that wait to be written.
	maxPending = 5000
	// maxDaily bounds the different texts of a day, and its different datasets.
	maxDaily = 10_000
	// KeepDays is the number of days that are kept.
	KeepDays = 400
)

// Options configure a [DB].
type Options struct {
	Dir         string           // data directory; it must exist
	DatabaseURL string           // see [database.Location]; empty: a file in Dir
	Now         func() time.Time // nil: time.Now
	Log         *slog.Logger     // nil: none
}

// DB is the open database. Its methods may be called at once by several goroutines. A nil
// DB records nothing.
type DB struct {
	db  *sql.DB
	now func() time.Time
	log *slog.Logger

	mu      sync.Mutex
	pending map[entry]*count

	isFailing bool  // the last write failed; this and trimmed belong to Run
	trimmed   int64 // the day on which old days were last deleted
}

// Kind is what was asked for.
type Kind string

// The kinds.
const (
	Searches Kind = "search"  // texts of searches
	Datasets Kind = "dataset" // references of datasets
)

// entry identifies a count.
type entry struct {
	kind Kind
	day  int64
	text string
}

type count struct{ times, failed int64 }

// Open opens the database of an installation and creates it if needed.
func Open(ctx context.Context, o Options) (*DB, error) {
	// What people search for is not for other users of the machine.
	db, err := database.Location{Dir: o.Dir, URL: o.DatabaseURL}.Open(ctx, Name, options)
	if err != nil {
		return nil, fmt.Errorf("opening the counts of searches: %w", err)
	}
	d := &DB{db: db, now: o.Now, log: o.Log, pending: map[entry]*count{}}
	if d.now == nil {
		d.now = time.Now
	}
	if d.log == nil {
		d.log = slog.New(slog.DiscardHandler)
	}
	return d, nil
}

// Close writes what is counted and closes the database.
func (d *DB) Close() error {
	return errors.Join(d.Write(context.Background()), d.db.Close())
}

// Search counts a search, and whether it found something.
func (d *DB) Search(text string, isFound bool) {
	if d != nil {
		d.add(Searches, storedText(text), isFound)
	}
}

// Dataset counts a request for a dataset by its reference, such as eurostat:une_rt_a, in the
// office's spelling. If it was not found, nobody knows whether the office has it.
func (d *DB) Dataset(ref string, isFound bool) {
	if d != nil {
		if !isFound {
			ref = storedReference(ref)
		}
		d.add(Datasets, ref, isFound)
	}
}

func (d *DB) add(kind Kind, text string, isFound bool) {
	c := count{times: 1}
	if !isFound {
		c.failed = 1
	}
	e := entry{kind, dayOf(d.now()), text}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.join(e, c)
}

// join adds to a count. The caller holds the lock.
func (d *DB) join(e entry, c count) {
	sum := d.pending[e]
	if sum == nil && len(d.pending) >= maxPending {
		e.text = ""
		sum = d.pending[e]
	}
	if sum == nil {
		sum = &count{}
		d.pending[e] = sum
	}
	sum.times += c.times
	sum.failed += c.failed
}

func dayOf(t time.Time) int64 { return t.Unix() / (24 * 60 * 60) }

// Run writes the counts every few seconds until ctx ends.
func (d *DB) Run(ctx context.Context) {
	ticker := time.NewTicker(writeEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		err := d.Write(ctx)
		if err == nil {
			err = d.trim(ctx)
		}
		if err != nil && !d.isFailing && ctx.Err() == nil {
			d.log.Warn("searches and requests for datasets cannot be counted at the moment", "error", err)
		}
		d.isFailing = err != nil
	}
}

// Write writes the counts. What cannot be written stays for the next time.
func (d *DB) Write(ctx context.Context) error {
	d.mu.Lock()
	pending := d.pending
	d.pending = make(map[entry]*count, len(pending))
	d.mu.Unlock()
	if len(pending) == 0 {
		return nil
	}
	err := d.write(ctx, pending)
	if err != nil {
		d.putBack(pending)
	}
	return stat.Wrap(err, "writing the counts of searches")
}

// putBack adds counts that could not be written to those that came meanwhile.
func (d *DB) putBack(pending map[entry]*count) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for e, c := range pending {
		d.join(e, *c)
	}
}
