// Package access knows who calls and how often they may: organisations and
// their accounts, keys, daily limits by tier, the count of today's requests,
// and what an organisation follows.
//
// A request passes in two steps. [Access.Verify] finds the caller of a key in
// memory: keys and accounts are read at start and brought up to date when their
// generation in the database has changed, which is looked at four times a
// second. So a key that another process made or revoked is known within a
// second.
// [Access.Admit] then counts the request if it is below the caller's limit;
// the count is on the disk before Admit returns (meter.go says how thousands a
// second share one write).
//
// A data directory holds two files for it:
//
//	access.db      all of this (package register holds the SQL)
//	access.pepper  32 random bytes without which no key in the database can be
//	               checked or guessed; a backup of one does without the other
//
// It knows nothing of HTTP.
package access

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

	"almanac/internal/access/register"
	"almanac/internal/stat"
)

// Options are what an [Access] is opened with.
type Options struct {
	Dir    string           // data directory; created if it is not there
	Limits Limits           // of the tiers
	Now    func() time.Time // nil: time.Now
	Log    *slog.Logger     // nil: none
}

// Access is the open register of callers. It is safe for concurrent use, also
// by several processes on one directory.
type Access struct {
	db     *register.DB
	pepper *pepper
	limits Limits
	now    func() time.Time
	log    *slog.Logger
	meter  *meter

	mu         sync.RWMutex
	keys       map[string]*heldKey // by public id
	refreshing sync.Mutex
	generation int64        // of keys
	misses     atomic.Int32 // how often in a row it could not be looked for changes

	stop    context.CancelFunc
	running sync.WaitGroup
	closing sync.Once
	closed  error
}

const (
	databaseFile = "access.db"
	// pollEvery is how often it is looked for keys that other processes made
	// or revoked.
	pollEvery = 250 * time.Millisecond
	// pollTime is how long that may take.
	pollTime = time.Second
	// maxMisses is how often in a row it may fail until keys are not believed
	// any more: five seconds, or up to half a minute where it takes long to fail.
	maxMisses = 20
	// noteEvery is how many seconds lie between two notes of the last use of keys.
	noteEvery = 60
	// forgetAfter is for how many days the digests of anonymous callers are kept:
	// so far a clock may go back and find them.
	forgetAfter = 2
	// forgetAtOnce is how many are dropped in one transaction, which others wait
	// for.
	forgetAtOnce = 5000
)

// Open opens the register in o.Dir and makes it, and the pepper, if there is
// none. The error says so if the pepper is not the one that the keys in the
// database were made with.
func Open(ctx context.Context, o Options) (*Access, error) {
	if o.Dir == "" {
		return nil, stat.Errorf(stat.Invalid, "a register needs a data directory")
	}
	if lowest := min(o.Limits.Anonymous, o.Limits.Essential, o.Limits.Pro); lowest < Unlimited {
		return nil, stat.Errorf(stat.Invalid, "a limit of %d requests a day is none", lowest)
	}
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return nil, fmt.Errorf("making the data directory: %w", err)
	}
	a := &Access{limits: o.Limits, now: o.Now, log: o.Log, keys: map[string]*heldKey{}}
	if a.now == nil {
		a.now = time.Now
	}
	if a.log == nil {
		a.log = slog.New(slog.DiscardHandler)
	}
	path := filepath.Join(o.Dir, databaseFile)
	// Who has an account is nobody else's business: SQLite's other files get the
	// same mode.
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err == nil {
		err = file.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("the register of accounts: %w", err)
	}
	if a.db, err = register.Open(ctx, path); err != nil {
		return nil, err
	}
	if err := a.prepare(ctx, o.Dir); err != nil {
		return nil, errors.Join(err, a.db.Close())
	}
	a.meter = newMeter(a.db, a.log)
	running, stop := context.WithCancel(context.Background())
	a.stop = stop
	a.running.Go(func() { a.poll(running) })
	a.running.Go(func() { a.keepHouse(running) })
	return a, nil
}

// prepare finds the pepper and reads the keys.
func (a *Access) prepare(ctx context.Context, dir string) error {
	_, fingerprint, err := a.db.State(ctx)
	if err != nil {
		return err
	}
	if a.pepper, err = openPepper(dir, fingerprint); err != nil {
		return err
	}
	if fingerprint == "" {
		noted, err := a.db.SetPepper(ctx, a.pepper.fingerprint())
		if err != nil {
			return err
		}
		if a.pepper, err = openPepper(dir, noted); err != nil {
			return err
		}
	}
	return a.refresh(ctx)
}

// Exists reports whether a data directory has a register.
func Exists(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, databaseFile))
	return err == nil
}

// Close gives back what was reserved but not used, and closes the database. A
// second call does nothing.
func (a *Access) Close() error {
	a.closing.Do(func() {
		a.stop()
		a.running.Wait()
		a.meter.close()
		a.note(context.Background())
		a.closed = a.db.Close()
	})
	return a.closed
}

// Limits are the limits that the register was opened with.
func (a *Access) Limits() Limits { return a.limits }

// Ready reports whether callers can be known and their requests be counted: nil,
// or why not. Where counting failed it is tried again every second.
func (a *Access) Ready() error {
	if a.blind() {
		return stat.Errorf(stat.Unavailable, "keys cannot be checked")
	}
	if a.meter.failing.Load() {
		return stat.Errorf(stat.Unavailable, "requests cannot be counted")
	}
	return nil
}

// poll keeps the keys up to date until ctx ends.
func (a *Access) poll(ctx context.Context) {
	ticker := time.NewTicker(pollEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		bounded, cancel := context.WithTimeout(ctx, pollTime)
		if err := a.refresh(bounded); err != nil && ctx.Err() == nil {
			a.misses.Add(1)
			a.log.Error("looking for new and revoked keys", "error", err)
		}
		cancel()
	}
}

// blind reports whether for some time it could not be looked which keys were
// revoked.
func (a *Access) blind() bool { return a.misses.Load() >= maxMisses }

// keepHouse does what may wait, until ctx ends.
func (a *Access) keepHouse(ctx context.Context) {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	forgot := int64(0) // the day before which nobody is left to be forgotten
	for seconds := 1; ; seconds++ {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if seconds%noteEvery == 0 {
			a.note(ctx)
		}
		before := dayOf(a.now()) - forgetAfter
		if before == forgot {
			continue
		}
		switch n, err := a.db.Forget(ctx, before, forgetAtOnce); {
		case err == nil && n < forgetAtOnce:
			forgot = before
		case err != nil && ctx.Err() == nil && seconds%noteEvery == 0:
			a.log.Warn("old counts of anonymous callers cannot be dropped", "error", err)
		}
	}
}

// refresh brings the keys in memory up to date.
func (a *Access) refresh(ctx context.Context) error {
	a.refreshing.Lock()
	defer a.refreshing.Unlock()
	generation, _, err := a.db.State(ctx)
	if err != nil {
		return err
	}
	if generation != a.generation {
		// A change between the two readings is read twice.
		changed, err := a.db.Changed(ctx, a.generation)
		if err != nil {
			return err
		}
		a.mu.Lock()
		for i := range changed {
			a.hold(&changed[i])
		}
		a.mu.Unlock()
		a.generation = generation
	}
	a.misses.Store(0)
	return nil
}

// note writes down when keys were last used. It can fail without harm.
func (a *Access) note(ctx context.Context) {
	used := map[string]time.Time{}
	a.mu.RLock()
	for id, k := range a.keys {
		if at := k.used.Swap(0); at != 0 {
			used[id] = time.Unix(at, 0)
		}
	}
	a.mu.RUnlock()
	if len(used) == 0 {
		return
	}
	if err := a.db.MarkUsed(ctx, used); err != nil && ctx.Err() == nil {
		a.log.Warn("noting the last use of keys", "error", err)
	}
}
