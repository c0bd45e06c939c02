// Package update gets datasets from the offices' servers and keeps them up to
// date: it finds what is due, fetches what changed, imports it, and writes down
// what came of it.
//
// One round, in [Keeper.Sync]: watches that are patterns are expanded against
// the office's list of contents, which is read once; items that are due are
// fetched, each office's one after another, while earlier ones are imported, as
// many at once as there are processors. An office that is out is left alone
// until later. Whatever ends the process, the next round does the rest.
package update

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"almanac/internal/importer"
	"almanac/internal/source"
	"almanac/internal/store"
	"almanac/internal/watch"
)

// Options are what a [Keeper] is made from.
type Options struct {
	Store   *store.Store
	Watches *watch.DB // nil: only Import
	Sources *source.Table
	Dir     string // where files are kept while they are fetched and read; made and emptied

	Imports int // at once; 0: as many as processors
	Offices int // asked at once; 0: 8

	Import importer.Options // what people state of imports by hand

	Now func() time.Time // nil: time.Now
	Log *slog.Logger     // nil: none
	// Tell, if not nil, is told what happens, one call at a time.
	Tell func(Event)
}

// Keeper keeps datasets up to date.
type Keeper struct{ options Options }

// New makes a Keeper.
func New(o Options) (*Keeper, error) { return &Keeper{options: o}, nil }

// Stage is where an item is.
type Stage string

// The stages of an item.
const (
	Waiting   Stage = "waiting"
	Fetching  Stage = "fetching"
	Importing Stage = "importing"
	Finished  Stage = "finished" // Event.Entry says how
)

// Event is a step of an item.
type Event struct {
	Ref   string
	Stage Stage
	Bytes int64        // fetched so far
	Entry *watch.Entry // when it is finished

	Left int // items of this round that are not finished, this one included unless it is
}

// Summary counts what a round did.
type Summary struct {
	Items       int `json:"items"` // that were due
	Created     int `json:"created"`
	Updated     int `json:"updated"`
	Unchanged   int `json:"unchanged"`
	Quarantined int `json:"quarantined"`
	Refused     int `json:"refused"`
	Failed      int `json:"failed"`    // could not be fetched
	Postponed   int `json:"postponed"` // of an office that is out, or taken by another process
}

// Sync makes one round: over what is due, or over all items of the given
// references (datasets, patterns, offices), due or not. The error is that the
// round could not be made; what went wrong with items stands in the summary.
func (k *Keeper) Sync(ctx context.Context, refs ...string) (Summary, error) {
	return Summary{}, errors.New("not written yet")
}

// Run makes rounds whenever something is due, until ctx ends.
func (k *Keeper) Run(ctx context.Context) error { return errors.New("not written yet") }

// Import fetches and imports datasets by reference, watched or not, and tells
// of each outcome as [importer.Importer.Import] does. Outcome.File is the
// reference.
func (k *Keeper) Import(ctx context.Context, refs ...string) []importer.Outcome { return nil }

// Watch checks that what is to be watched exists and adds it; it returns how
// many datasets it stands for.
func (k *Keeper) Watch(ctx context.Context, ref string, every time.Duration) (datasets int, err error) {
	return 0, errors.New("not written yet")
}
