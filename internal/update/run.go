package update

import (
	"context"
	"maps"
	"sync"
	"sync/atomic"
	"time"
)

// poll is how often Run looks whether something is due, so that it sees soon
// what another process adds. While something is wrong it looks more and more
// seldom.
const (
	poll        = 2 * time.Second
	longestPoll = time.Minute
)

// Run keeps everything up to date until ctx ends: each office that is idle and
// has something due is visited, a round of its own, so that no office waits for
// another's, which may take hours. It returns when what was being imported is
// stored or given up, and what came of it written down. Visits that cannot be
// made are logged and tried again; the error is nil where ctx was ended.
func (k *Keeper) Run(ctx context.Context) error {
	var visits sync.WaitGroup
	defer visits.Wait()
	var wrong atomic.Bool
	for pause := poll; ctx.Err() == nil; {
		err := k.visitIdle(ctx, &visits, &wrong)
		if err != nil && ctx.Err() == nil {
			k.options.Log.Error("it cannot be found what is due", "error", err)
		}
		pause = min(2*pause, longestPoll)
		if err == nil && !wrong.Swap(false) {
			pause = poll
		}
		if err := k.options.Sleep(ctx, pause); err != nil && ctx.Err() == nil {
			return err
		}
	}
	return nil
}

// visitIdle begins a visit to each idle office that has something due, as far as
// there is room. wrong is set when one could not be made to its end.
func (k *Keeper) visitIdle(ctx context.Context, visits *sync.WaitGroup, wrong *atomic.Bool) error {
	k.mu.Lock()
	busy := maps.Clone(k.busy)
	k.mu.Unlock()
	if len(busy) >= k.options.Offices {
		return nil
	}
	all, err := k.choose(ctx, nil, busy)
	if err != nil {
		return err
	}
	for _, c := range all {
		release, ok := k.occupy(c.known.ID)
		if !ok {
			continue
		}
		visits.Go(func() {
			defer release()
			if _, err := k.round(ctx, []*plan{c}); err != nil && ctx.Err() == nil {
				wrong.Store(true)
				k.options.Log.Error("a visit could not be made to its end", "office", c.known.ID, "error", err)
			}
		})
	}
	return nil
}
