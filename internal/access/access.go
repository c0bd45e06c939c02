// Package access manages callers: organisations and their accounts, keys, daily limits,
// the counts of requests, and what an organisation follows. It does not depend on HTTP.
//
// [Access.Verify] finds the caller of a key in memory. Keys and accounts are read again
// when their generation in the database has changed, which is checked four times a second,
// and before a key or link is refused. So one that another process created is known at
// once, and one that it revoked within a second.
// [Access.Admit] then counts the request if it is below the caller's limit. The count is
// on disk before Admit returns; limiter.go explains how requests share one write.
//
// A data directory has two files for it:
//
//	access.db      everything (package register has the SQL)
//	access.pepper  32 random bytes without which no key in the database can be
//	               checked or guessed; back it up apart from the database
package access

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"almanac/internal/access/register"
	"almanac/internal/database"
	"almanac/internal/pace"
	"almanac/internal/secretfile"
	"almanac/internal/stat"
)

// Options configure an [Access].
type Options struct {
	Dir         string           // data directory; created if missing
	DatabaseURL string           // see [database.Location]; empty: a file in Dir
	Limits      Limits           // of the tiers, a day
	Bursts      Limits           // of the tiers, a minute; 0 is unlimited too
	Now         func() time.Time // nil: time.Now
	Log         *slog.Logger     // nil: none
}

// Access is the open register of callers. It is safe for concurrent use, also by several
// processes on one directory.
type Access struct {
	db      *register.DB
	pepper  *pepper
	limits  Limits
	now     func() time.Time
	log     *slog.Logger
	limiter *limiter
	guesses *pace.Paces[netip.Prefix] // see Verify

	burstLimits Limits
	bursts      map[Tier]*pace.Paces[sender] // of the tiers with a limit

	mu         sync.RWMutex
	keys       map[string]*knownKey  // by public id
	links      map[string]*knownLink // by ID
	refreshing sync.Mutex
	generation int64 // of keys
	catchingUp sync.Mutex
	caughtUp   time.Time    // when the last reading by catchUp began
	misses     atomic.Int32 // consecutive failures to read changes

	seconds   int   // of maintenance; these two belong to its goroutine
	forgotten int64 // digests of earlier days are deleted

	stop    context.CancelFunc
	running sync.WaitGroup
	closing sync.Once
	closed  error
}

const (
	pollEvery    = 250 * time.Millisecond // between reads of keys that other processes changed
	pollTimeout  = time.Second            // of one read
	catchUpEvery = 10 * time.Millisecond  // between reads before refusals
	// maxMisses is the number of consecutive failures after which keys are refused:
	// five seconds, or up to half a minute if failures are slow.
	maxMisses   = 20
	recordEvery = 60   // seconds between records of the use of keys
	forgetAfter = 2    // days that counts of anonymous callers are kept, for a clock that goes back
	forgetBatch = 5000 // in one transaction, because others wait for it
)

// Open opens the register in o.Dir. It creates a missing register and pepper, and fails if
// the pepper is not the one that the keys were created with.
func Open(ctx context.Context, o Options) (*Access, error) {
	if o.Dir == "" {
		return nil, stat.Errorf(stat.Invalid, "the data directory of the register is missing")
	}
	if lowest := min(o.Limits.Anonymous, o.Limits.Essential, o.Limits.Pro); lowest < Unlimited {
		return nil, stat.Errorf(stat.Invalid, "a daily limit must be 0 or more requests, or unlimited, not %d", lowest)
	}
	if err := os.MkdirAll(o.Dir, 0o750); err != nil {
		return nil, fmt.Errorf("creating the data directory: %w", err)
	}
	a := &Access{
		limits: o.Limits, now: o.Now, log: o.Log, keys: map[string]*knownKey{}, links: map[string]*knownLink{},
		burstLimits: o.Bursts, bursts: newBursts(o.Bursts), guesses: pace.New[netip.Prefix](pace.Bound{Number: wrongKeys, Again: time.Minute}),
	}
	if a.now == nil {
		a.now = time.Now
	}
	if a.log == nil {
		a.log = slog.New(slog.DiscardHandler)
	}
	at := database.Location{Dir: o.Dir, URL: o.DatabaseURL}
	if !at.IsServer() {
		if err := secretfile.CheckDatabase(filepath.Join(o.Dir, PepperFile), at.File(register.Name)); err != nil {
			return nil, err
		}
	}
	var err error
	if a.db, err = register.Open(ctx, at); err != nil {
		return nil, err
	}
	if err := a.prepare(ctx, o.Dir); err != nil {
		return nil, errors.Join(err, a.db.Close())
	}
	a.limiter = newLimiter(a.db, a.log)
	running, stop := context.WithCancel(context.Background())
	a.stop = stop
	a.running.Go(func() { every(running, pollEvery, func() { a.poll(running) }) })
	a.running.Go(func() { every(running, time.Second, func() { a.maintain(running) }) })
	return a, nil
}

func (a *Access) prepare(ctx context.Context, dir string) error {
	_, fingerprint, err := a.db.State(ctx)
	if err != nil {
		return err
	}
	if a.pepper, err = openPepper(dir, fingerprint); err != nil {
		return err
	}
	if fingerprint == "" {
		// Another process may have been first.
		if fingerprint, err = a.db.SetPepper(ctx, a.pepper.fingerprint()); err == nil {
			a.pepper, err = openPepper(dir, fingerprint)
		}
		if err != nil {
			return err
		}
	}
	return a.refresh(ctx)
}

// Exists reports whether an installation has a register.
func Exists(ctx context.Context, at database.Location) (bool, error) {
	return at.Exists(ctx, register.Name)
}

// Close returns unused reservations and closes the database. A second call does
// nothing.
func (a *Access) Close() error {
	a.closing.Do(func() {
		a.stop()
		a.running.Wait()
		a.limiter.close()
		a.recordUse(context.Background())
		a.closed = a.db.Close()
	})
	return a.closed
}

// Limits returns the limits that the register was opened with.
func (a *Access) Limits() Limits { return a.limits }

// Ready returns an error if keys cannot be checked or requests cannot be counted.
// Failed counting is retried every second.
func (a *Access) Ready() error {
	if a.keysAreStale() {
		return stat.Errorf(stat.Unavailable, "keys cannot be checked")
	}
	if a.limiter.isFailing.Load() {
		return stat.Errorf(stat.Unavailable, "requests cannot be counted")
	}
	return nil
}

func every(ctx context.Context, interval time.Duration, do func()) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			do()
		}
	}
}

func (a *Access) poll(ctx context.Context) {
	bounded, cancel := context.WithTimeout(ctx, pollTimeout)
	defer cancel()
	if err := a.refresh(bounded); err != nil && ctx.Err() == nil {
		a.misses.Add(1)
		a.log.Error("new and revoked keys cannot be read", "error", err)
	}
}

// maintain is called once a second. It records the use of keys and deletes old counts.
func (a *Access) maintain(ctx context.Context) {
	a.seconds++
	isDue := a.seconds%recordEvery == 0
	if isDue {
		a.recordUse(ctx)
	}
	before := dayOf(a.now()) - forgetAfter
	if before == a.forgotten {
		return
	}
	switch n, err := a.db.Forget(ctx, before, forgetBatch); {
	case err == nil && n < forgetBatch:
		a.forgotten = before
	case err != nil && ctx.Err() == nil && isDue:
		a.log.Warn("old counts of anonymous callers cannot be deleted", "error", err)
	}
}
