// Package search finds datasets by what people type: those of the store and those that
// offices only offer.
//
// A [Search] holds an index in memory (package index). It is derived from the catalogue
// and the offers, follows their generations ([Search.Run]) and writes nothing, so each
// process has its own.
//
// A question passes through three files. analyse.go reads it: codes, places, terms of the
// field (package terms), and words. The index finds documents. rank.go puts them in order
// by how much of the title is covered, who published it, and whether it has the place.
package search

import (
	"context"
	"log/slog"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"almanac/internal/offer"
	"almanac/internal/search/index"
	"almanac/internal/search/terms"
	"almanac/internal/store"
)

// Options configure a [Search].
type Options struct {
	Store  *store.Store // nil: only offers
	Offers *offer.DB    // nil: none
	Log    *slog.Logger // nil: none
	Now    func() time.Time
}

// Search finds datasets. It is safe for concurrent use.
type Search struct {
	opts       Options
	vocabulary *index.Vocabulary
	table      *terms.Table
	known      map[string]bool                 // the words of the terms of the field
	near       map[string][]string             // these by their first letter
	begun      []begun                         // the terms of the field, sorted
	parts      func() map[string][]terms.Match // see termsByPart
	forms      func() map[string]bool          // see formsKnown

	refreshing sync.Mutex
	lists      map[string][]string // see sameList
	offered    map[string]*segment // by source
	offeredAt  map[string]position // by key
	listed     map[string]int64    // the generation of each source's offers
	relisted   map[string]bool     // sources whose stored datasets must be read again
	stored     []*segment
	have       map[int]storedAt // stored datasets by ID
	generation [2]int64         // of the catalogue and the offers

	current atomic.Pointer[snapshot]
}

// New returns a search that finds nothing before [Search.Refresh].
func New(o Options) *Search {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &Search{
		opts: o, vocabulary: index.NewVocabulary(), table: terms.Load(),
		offered: map[string]*segment{}, offeredAt: map[string]position{}, relisted: map[string]bool{}, listed: map[string]int64{}, have: map[int]storedAt{}, lists: map[string][]string{},
		generation: [2]int64{-1, -1},
	}
	s.known, s.near, s.begun = map[string]bool{}, map[string][]string{}, sortTerms(s.table)
	s.parts, s.forms = sync.OnceValue(s.termsByPart), sync.OnceValue(s.formsKnown)
	for _, word := range slices.Sorted(s.table.Words()) {
		s.known[word], s.near[word[:1]] = true, append(s.near[word[:1]], word)
	}
	s.publish()
	return s
}

// pollEvery is the interval at which Run looks for changes.
const pollEvery = 500 * time.Millisecond

// manyDatasets is the number of new datasets after which memory is returned to the system:
// building their index needs more of it than the index.
const manyDatasets = 10_000

// Run keeps the index up to date until ctx ends, and returns its error. A failure to read is logged, and
// tried again.
func (s *Search) Run(ctx context.Context) error {
	ticker := time.NewTicker(pollEvery)
	defer ticker.Stop()
	failing := false
	for {
		before := s.total()
		err := s.Refresh(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if s.total() > before+manyDatasets {
			debug.FreeOSMemory()
		}
		if err != nil && !failing {
			s.opts.Log.Error("the index of the search cannot be brought up to date", "error", err)
		}
		failing = err != nil
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
		}
	}
}

// Generation changes whenever the index does: of the catalogue, and of the offers.
func (s *Search) Generation() (catalogue, offers int64) {
	now := s.current.Load()
	return now.generation[0], now.generation[1]
}

func (s *Search) total() int {
	here, offered := s.Len()
	return here + offered
}

// Len returns the number of datasets: those that are here, and those that are only offered.
func (s *Search) Len() (here, offered int) {
	now := s.current.Load()
	return now.here, now.index.Len() - now.here
}
