// Package update fetches datasets from the offices' servers and keeps them up to
// date: it finds what is due, fetches what changed, imports it, and records the
// result.
//
// [Updater.Sync] makes one round. It reads an office's list of contents once, if
// watched patterns must be expanded. It fetches the due items of an office one after
// another, and meanwhile imports earlier ones, as many at once as there are
// processors. It skips unavailable offices. If a round is interrupted, the next one
// does the rest. [Updater.Run] makes a round for each office that has something due.
// Several processes may do this at once: only one of them works on an item, and only
// one fetches from an office, at a time.
//
// # When a dataset is due
//
// After a success, a dataset is due after the interval of its watch. If the watch
// states none and the office's list tells when datasets changed, it is due after the
// office's interval (a day, unless its row states another), because one list saves a
// request for each dataset. Otherwise it is due after a tenth of the time since it
// last changed, at least the office's interval and at most a week: a yearly table is
// checked weekly, and one that changed last week daily. All intervals vary at random
// by up to a tenth, to spread the requests.
//
// After a failure, a dataset is due in 15 minutes, then in 1, 4, 12 and 24 hours;
// sooner if this machine could not store it; and in 1, 2, 4 and 7 days if an available
// office does not have it. Data that were refused for their content are fetched again
// when the office has other data, or when they are requested by name.
//
// An office is unavailable after three outages in a row, after twenty failures of any
// kind except refusals, if it reports twenty stored datasets in a row as missing, or if
// it states a time to come back. It is skipped until that time, or for 5 minutes and
// then twice as long each time, up to 6 hours. Only a stated time also applies to
// datasets requested by name. Plain addresses are on many hosts, so they are never
// unavailable as a whole: each waits by itself, until the time that its host stated if
// that is later.
//
// A fault of this machine's files (no space, no permission) is not the office's fault:
// it ends the visit, and what was not fetched stays due. A time far in the future, from
// a wrong clock, delays nothing.
//
// # What is recorded
//
// A dataset of the store belongs to one item: another reference to the same dataset is
// refused. Every version has an entry in the log. Versions that were published without
// one, by a killed process or by hand, get theirs when the item is next recorded.
package update

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"almanac/internal/importer"
	"almanac/internal/importprocess"
	"almanac/internal/offer"
	"almanac/internal/source/fetch"
	"almanac/internal/source/offices"
	"almanac/internal/stat"
	"almanac/internal/store"
	"almanac/internal/watch"
)

// Options configure an [Updater].
type Options struct {
	Store   *store.Store
	Watches *watch.DB
	Sources *offices.Table
	Offers  *offer.DB // nil: what offices offer is not stored
	Dir     string    // of downloads; created if needed, and cleared of unused ones

	Imports   int                 // at once; 0: number of processors
	Processes *importprocess.Pool // runs the imports; nil: they run in this process

	Import importer.Options // of [Updater.Import], as users state them

	Now   func() time.Time                           // nil: time.Now
	Sleep func(context.Context, time.Duration) error // nil: fetch.Sleep
	Rand  func() float64                             // 0 ≤ x < 1; nil: math/rand/v2
	Log   *slog.Logger                               // nil: none
	// Notify, if not nil, is called for each event, one call at a time.
	Notify func(Event)
}

// maxOffices is how many offices are contacted at once.
const maxOffices = 8

// Updater keeps datasets up to date. It is safe for concurrent use.
type Updater struct {
	options Options

	importing chan struct{} // slots for imports

	mu      sync.Mutex
	lists   map[string]*list    // of offices, as last read
	busy    map[string]bool     // offices that Run visits now
	skipped map[int64]time.Time // until when to skip items that another process works on
	trimmed time.Time           // when the log was last trimmed

	claims    sync.Map // from datasetName to the watch.Dataset with the item that publishes it
	notifying sync.Mutex
}

// New returns an Updater and removes the downloads that a killed process left.
// The error is [stat.Invalid] if an option is invalid.
func New(o Options) (*Updater, error) {
	var wrong []error
	if o.Store == nil || o.Watches == nil || o.Sources == nil {
		wrong = append(wrong, errors.New("store, watches and table of offices are required"))
	}
	if o.Dir == "" {
		wrong = append(wrong, errors.New("a folder for downloads is required"))
	}
	if o.Imports < 0 {
		wrong = append(wrong, errors.New("the number of imports at once must not be negative"))
	}
	if err := errors.Join(wrong...); err != nil {
		return nil, stat.Errorf(stat.Invalid, "invalid update options: %v", err)
	}
	o.withDefaults()
	u := &Updater{
		options: o, importing: make(chan struct{}, o.Imports),
		lists: map[string]*list{}, busy: map[string]bool{}, skipped: map[int64]time.Time{},
	}
	dir, err := filepath.Abs(o.Dir)
	if err == nil {
		err = os.MkdirAll(dir, 0o750)
	}
	if err != nil {
		return nil, fmt.Errorf("creating the folder for downloads: %w", err)
	}
	u.options.Dir = dir
	if err := u.clear(); err != nil {
		return nil, fmt.Errorf("clearing the folder for downloads: %w", err)
	}
	return u, nil
}

func (o *Options) withDefaults() {
	o.Imports = cmp.Or(o.Imports, runtime.GOMAXPROCS(0))
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Sleep == nil {
		o.Sleep = fetch.Sleep
	}
	if o.Rand == nil {
		o.Rand = rand.Float64
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
}
