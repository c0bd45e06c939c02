package update

import (
	"context"
	"maps"
	"sync"
	"sync/atomic"
	"time"
)

// poll is how often Run checks whether something is due, so that it soon sees
// what another process adds. After errors the pause doubles up to longestPoll.
const (
	poll        = 2 * time.Second
	longestPoll = time.Minute
)

// Run keeps everything up to date until ctx ends. It makes a round of its own for
// each idle office that has something due, because one round may take hours. It
// returns when the imports under way are finished or stopped, and recorded. It
// logs visits that fail and tries them again; the error is nil if ctx ended.
func (u *Updater) Run(ctx context.Context) error {
	var visits sync.WaitGroup
	defer visits.Wait()
	var failed atomic.Bool
	for pause := poll; ctx.Err() == nil; {
		err := u.visitIdle(ctx, &visits, &failed)
		if err != nil && ctx.Err() == nil {
			u.options.Log.Error("finding what is due failed", "error", err)
		}
		pause = min(2*pause, longestPoll)
		if err == nil && !failed.Swap(false) {
			pause = poll
		}
		if err := u.options.Sleep(ctx, pause); err != nil && ctx.Err() == nil {
			return err
		}
	}
	return nil
}

// visitIdle starts a round for each idle office that has something due, while
// slots are free. It sets failed if one did not complete.
func (u *Updater) visitIdle(ctx context.Context, visits *sync.WaitGroup, failed *atomic.Bool) error {
	u.mu.Lock()
	busy := maps.Clone(u.busy)
	u.mu.Unlock()
	if len(busy) >= u.options.Offices {
		return nil
	}
	all, err := u.choose(ctx, nil, busy)
	if err != nil {
		return err
	}
	for _, v := range all {
		release, ok := u.reserve(v.known.ID)
		if !ok {
			continue
		}
		visits.Go(func() {
			defer release()
			if _, err := u.round(ctx, []*visit{v}); err != nil && ctx.Err() == nil {
				failed.Store(true)
				u.options.Log.Error("a visit did not complete", "office", v.known.ID, "error", err)
			}
		})
	}
	return nil
}

// reserve marks an office as visited by Run; ok is false if it already is, or if
// no slot is free.
func (u *Updater) reserve(office string) (release func(), ok bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.busy[office] || len(u.busy) >= u.options.Offices {
		return nil, false
	}
	u.busy[office] = true
	return func() {
		u.mu.Lock()
		defer u.mu.Unlock()
		delete(u.busy, office)
	}, true
}
