// Package store keeps datasets: what is published, and how it is found.
//
// A data directory holds four things:
//
//	catalog.db   which datasets there are, their vintages and structures (package catalog)
//	vintages/    the observations: one file a vintage, never changed (package blob, file.go)
//	quarantine/  vintages that took too much away and wait for a person (quarantine.go)
//	cache/       what may be thrown away
//
// A dataset is published by a [Builder] and the [Draft] that it makes: the new
// file is written and synced, then one transaction makes it current. Reading begins with the [Catalog], an
// immutable list in memory, or with a [Vintage], which pins what one request
// sees; [Vintage.Select] answers a query from columns in memory (columns.go),
// which are decoded from the file on first need and kept under a budget.
package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"almanac/internal/stat"
	"almanac/internal/store/blob"
	"almanac/internal/store/catalog"
)

// Options say where a store is and how much memory it may use.
type Options struct {
	Dir    string           // data directory; created if it is not there
	Memory int64            // bytes of vintages kept decoded; 0: a quarter of the machine's memory
	Now    func() time.Time // nil: time.Now
	Log    *slog.Logger     // nil: none
}

// Store holds datasets. It is safe for concurrent use, also by several
// processes on one directory: each sees another's publication within a second.
type Store struct {
	catalog    *catalog.DB
	blobs      *blob.Dir
	quarantine *blob.Dir // held vintages
	charts     *blob.Dir // what charts were drawn from
	cache      *cache
	now        func() time.Time
	log        *slog.Logger

	list         atomic.Pointer[Catalog]
	stale        atomic.Bool // this store published since list was read
	refreshing   sync.Mutex
	codeLists    sync.Map // digest to *codeList
	dictionaries dictionaries
	stop         context.CancelFunc
	stopped      chan struct{}
}

// pollEvery is how often the store looks for what other processes published.
const pollEvery = 500 * time.Millisecond

// Open opens the store in o.Dir, and creates it if there is none. Where files
// are there but the catalog's rows are not, it rebuilds them.
func Open(ctx context.Context, o Options) (*Store, error) {
	if o.Dir == "" {
		return nil, stat.Errorf(stat.Invalid, "a store needs a data directory")
	}
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return nil, fmt.Errorf("making the data directory: %w", err)
	}
	s := &Store{now: o.Now, log: o.Log, stopped: make(chan struct{})}
	if s.now == nil {
		s.now = time.Now
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if o.Memory == 0 {
		o.Memory = machineMemory() / 4
	}
	s.cache = newCache(o.Memory)
	var err error
	for name, dir := range map[string]**blob.Dir{"vintages": &s.blobs, "quarantine": &s.quarantine, "charts": &s.charts} {
		if *dir, err = blob.OpenDir(filepath.Join(o.Dir, name), s.now()); err != nil {
			return nil, err
		}
	}
	if s.catalog, err = catalog.Open(ctx, filepath.Join(o.Dir, "catalog.db")); err != nil {
		return nil, err
	}
	if err := s.load(ctx); err != nil {
		return nil, errors.Join(err, s.catalog.Close())
	}
	polling, stop := context.WithCancel(context.Background())
	s.stop = stop
	go s.poll(polling)
	return s, nil
}

// load reads the catalog into memory.
func (s *Store) load(ctx context.Context) error {
	s.list.Store(&Catalog{})
	if err := s.refresh(ctx); err != nil {
		return err
	}
	if s.list.Load().Generation > 0 {
		return nil
	}
	if err := s.rebuild(ctx); err != nil {
		return err
	}
	return s.refresh(ctx)
}

// Close ends the store's work. Vintages that were handed out stay readable.
func (s *Store) Close() error {
	s.stop()
	<-s.stopped
	return s.catalog.Close()
}

// poll looks for new generations until ctx ends.
func (s *Store) poll(ctx context.Context) {
	defer close(s.stopped)
	ticker := time.NewTicker(pollEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if err := s.refresh(ctx); err != nil && ctx.Err() == nil {
				s.log.Error("looking for changes of the catalog", "error", err)
			}
		}
	}
}

// refresh brings the catalog in memory up to date.
func (s *Store) refresh(ctx context.Context) error {
	s.refreshing.Lock()
	defer s.refreshing.Unlock()
	return s.refreshLocked(ctx)
}

func (s *Store) refreshLocked(ctx context.Context) error {
	next, err := s.list.Load().refreshed(ctx, s.catalog)
	if err != nil {
		return fmt.Errorf("refreshing the catalog: %w", err)
	}
	s.list.Store(next)
	return nil
}

// Catalog returns the current catalog. What this store itself published is in
// it at once: it is read when it is asked for, not with each publication, so
// that a long import does not copy a long list again and again.
func (s *Store) Catalog() *Catalog {
	if s.stale.Load() {
		if err := s.catchUp(); err != nil {
			s.log.Error("reading what was published", "error", err)
		}
	}
	return s.list.Load()
}

// catchUp reads what this store published since the list was read. Who asks
// meanwhile waits for it.
func (s *Store) catchUp() error {
	s.refreshing.Lock()
	defer s.refreshing.Unlock()
	if !s.stale.Swap(false) {
		return nil // another has just done it
	}
	err := s.refreshLocked(context.Background())
	if err != nil {
		s.stale.Store(true)
	}
	return err
}

// Ready reports whether the store can answer: nil, or why not.
func (s *Store) Ready(ctx context.Context) error {
	if _, _, err := s.catalog.State(ctx); err != nil {
		return fmt.Errorf("reading the catalog's state: %w", err)
	}
	return nil
}

// Vintage opens the current vintage of a dataset. The error is
// [stat.NotFound] for an unknown or removed ID. Observations are loaded on
// first need.
func (s *Store) Vintage(ctx context.Context, id int) (*Vintage, error) {
	e := s.Catalog().Entry(id)
	if e == nil {
		return nil, noDataset(id)
	}
	if v := s.cache.vintage(id, e); v != nil {
		return v, nil
	}
	v, err := s.openVintage(ctx, id, e.seq)
	if stat.KindOf(err) == stat.NotFound { // it went since the catalog was read
		if err := s.refresh(ctx); err != nil {
			return nil, err
		}
		if e = s.Catalog().Entry(id); e == nil {
			return nil, noDataset(id)
		}
		v, err = s.openVintage(ctx, id, e.seq)
	}
	if err != nil {
		return nil, err
	}
	return s.cache.add(id, v), nil
}

// openVintage opens any vintage of a dataset. The error is [stat.NotFound] if
// there is none with that seq.
func (s *Store) openVintage(ctx context.Context, id, seq int) (*Vintage, error) {
	row, ok, err := s.catalog.Vintage(ctx, id, seq)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, stat.Errorf(stat.NotFound, "dataset %d has no vintage %d", id, seq)
	}
	return newVintage(s, row.File, row.Structure, func(digest string) (*codeList, error) {
		return s.codeList(ctx, digest)
	})
}
