// Package store keeps the published datasets. Each version of a dataset is a
// vintage, which never changes.
//
// A data directory contains:
//
//	catalog.db   the list of datasets, their vintages and structures (package catalog)
//	vintages/    the observations: one file per vintage (package blob, file.go)
//	quarantine/  updates that remove too much and wait for a person (quarantine.go)
//	charts/      what charts were drawn from (charts.go)
//
// The last three can be in an object store (blobs.go).
//
// A dataset is published with a [Builder] and its [Draft]: the file is written and
// synced, then one transaction makes it current. To read, use the [Catalog], an
// immutable list in memory, or a [Vintage], which shows one request a consistent state.
// [Vintage.Select] answers a query from columns in memory (columns.go), which are
// decoded from the file when first needed and cached within a budget. Instead of a vintage whose file
// is damaged, the one before is served (damage.go, repair.go).
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

	"almanac/internal/database"
	"almanac/internal/stat"
	"almanac/internal/store/blob"
	"almanac/internal/store/catalog"
)

// Options configure a store.
type Options struct {
	Dir         string // data directory; created if it does not exist
	DatabaseURL string // see [database.Location]; empty: a file in Dir
	Memory      int64  // bytes of decoded vintages to cache; 0: a quarter of the available memory
	// ImportMemory is how many bytes the observations of a dataset may take while it is
	// imported, before they are written to temporary files; 0: an eighth of the available
	// memory, at most 128 MiB.
	ImportMemory int64
	Now          func() time.Time // nil: time.Now
	Log          *slog.Logger     // nil: none
	// Blobs is where files are kept, such as s3://BUCKET/PREFIX (see [blob.ParsePlace]); "": in Dir.
	Blobs     string
	BlobCache int64 // bytes of files of Blobs to keep in Dir; 0: [DefaultBlobCache]
}

// Store holds datasets. It is safe for concurrent use. Several processes may use
// one directory: each sees a publication of another within a second.
type Store struct {
	catalog      *catalog.DB
	blobs        blob.Store
	quarantine   blob.Store // vintages in quarantine
	charts       blob.Store // see charts.go
	cache        *cache
	importMemory int64
	now          func() time.Time
	log          *slog.Logger

	list         atomic.Pointer[Catalog]
	published    atomic.Int64 // number of publications by this store
	listed       atomic.Int64 // how many of these list includes
	refreshing   sync.Mutex
	codeLists    sync.Map // digest to *codeList
	dictionaries dictionaries
	damages      damages
	stop         context.CancelFunc
	stopped      chan struct{}
}

// pollEvery is the interval at which the store looks for changes by other processes.
const pollEvery = 500 * time.Millisecond

// Open opens the store in o.Dir, or creates it. If there are vintage files but the
// catalogue never had a vintage, it rebuilds the catalogue from them.
func Open(ctx context.Context, o Options) (*Store, error) {
	if o.Dir == "" {
		return nil, stat.Errorf(stat.Invalid, "the store has no data directory")
	}
	if err := os.MkdirAll(o.Dir, 0o750); err != nil {
		return nil, fmt.Errorf("creating the data directory: %w", err)
	}
	s := &Store{now: o.Now, log: o.Log, stopped: make(chan struct{}), dictionaries: dictionaries{bySource: map[string]*Dictionary{}}}
	if s.now == nil {
		s.now = time.Now
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if o.Memory == 0 {
		o.Memory = availableMemory() / 4
	}
	if s.importMemory = o.ImportMemory; s.importMemory == 0 {
		s.importMemory = importMemoryOf(availableMemory())
	}
	s.cache = newCache(o.Memory)
	err := s.openBlobs(o)
	if err != nil {
		return nil, err
	}
	if s.catalog, err = catalog.Open(ctx, database.Location{Dir: o.Dir, URL: o.DatabaseURL}); err != nil {
		return nil, err
	}
	s.list.Store(&Catalog{})
	if err = errors.Join(s.describe(ctx), s.refresh(ctx)); err == nil && s.list.Load().Generation == 0 {
		err = errors.Join(s.rebuild(ctx), s.refresh(ctx))
	}
	if err != nil {
		return nil, errors.Join(err, s.catalog.Close())
	}
	polling, stop := context.WithCancel(context.Background())
	s.stop = stop
	go s.poll(polling)
	return s, nil
}

// Exists reports whether there is a store: a catalogue, or versions from which it can be rebuilt.
func Exists(ctx context.Context, o Options) (bool, error) {
	exists, err := database.Location{Dir: o.Dir, URL: o.DatabaseURL}.Exists(ctx, catalog.Name)
	if err != nil || exists {
		return exists, err
	}
	_, err = os.Stat(filepath.Join(o.Dir, "vintages"))
	return err == nil, nil
}

// Close closes the store. Open vintages stay readable.
func (s *Store) Close() error {
	s.stop()
	<-s.stopped
	return s.catalog.Close()
}

// poll refreshes the catalogue in memory until ctx ends.
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
				s.log.Error("polling the catalogue", "error", err)
			}
			s.verifyDamaged(ctx)
		}
	}
}

func (s *Store) refresh(ctx context.Context) error {
	s.refreshing.Lock()
	defer s.refreshing.Unlock()
	published := s.published.Load()
	next, err := s.list.Load().refreshed(ctx, s.catalog)
	if err != nil {
		return fmt.Errorf("refreshing the catalogue: %w", err)
	}
	s.list.Store(next)
	s.listed.Store(published)
	return nil
}

// Refresh reads what other processes have published.
func (s *Store) Refresh(ctx context.Context) error { return s.refresh(ctx) }

// Catalog returns the current catalogue. It includes all that this store published.
// The list is read here and not at each publication, so that a long import does
// not copy a long list again and again.
func (s *Store) Catalog() *Catalog {
	if s.listed.Load() < s.published.Load() {
		if err := s.refresh(context.Background()); err != nil {
			s.log.Error("reading publications into the catalogue", "error", err)
		}
	}
	return s.list.Load()
}

// Ready returns an error if the store cannot be used.
func (s *Store) Ready(ctx context.Context) error {
	_, _, err := s.catalog.State(ctx)
	return err
}

// Vintage opens the current vintage of a dataset. The error is
// [stat.NotFound] for an unknown or removed ID. Observations are loaded when they
// are first needed.
func (s *Store) Vintage(ctx context.Context, id int) (*Vintage, error) {
	e := s.Catalog().Entry(id)
	if e == nil {
		return nil, s.noDataset(ctx, id)
	}
	key := e.cacheKey()
	isDamaged := s.damages.has(key)
	if v := s.cache.vintage(key); v != nil && (!isDamaged || v.columns.Load() != nil) {
		return v, nil
	}
	if isDamaged {
		if v, err := s.readableBefore(ctx, id, e.seq); v != nil || err != nil {
			return v, err
		}
		// Its metadata are in the catalogue.
	}
	v, err := s.openVintage(ctx, id, e.seq)
	if stat.KindOf(err) == stat.NotFound { // it was removed after the catalogue was read
		if e, err = s.current(ctx, id); err != nil {
			return nil, err
		}
		v, err = s.openVintage(ctx, id, e.seq)
	}
	if err != nil {
		return nil, err
	}
	return s.cache.add(v), nil
}

// openVintage opens a vintage of a dataset by its seq. The error is
// [stat.NotFound] if there is none.
func (s *Store) openVintage(ctx context.Context, id, seq int) (*Vintage, error) {
	row, ok, err := s.catalog.Vintage(ctx, id, seq)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, stat.Errorf(stat.NotFound, "dataset %d has no vintage %d", id, seq)
	}
	return s.newVintage(ctx, row.File, row.Structure)
}
