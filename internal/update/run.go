package update

import (
	"context"
	"time"
)

// poll is how often Run looks whether something is due, so that it sees soon
// what another process adds. After rounds that could not be made it looks more
// and more seldom.
const (
	poll        = 2 * time.Second
	longestPoll = time.Minute
)

// Run makes rounds whenever something is due, until ctx ends. It returns when
// what was being imported is stored or given up, and what came of it written
// down. Rounds that cannot be made are logged and tried again; the error is nil
// where ctx was ended.
func (k *Keeper) Run(ctx context.Context) error {
	pause := poll
	for ctx.Err() == nil {
		due, err := k.anythingDue(ctx)
		if err == nil && due {
			_, err = k.Sync(ctx)
		}
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			k.options.Log.Error("a round could not be made", "error", err)
			pause = min(2*pause, longestPoll)
		default:
			pause = poll
		}
		if err := k.options.Sleep(ctx, pause); err != nil && ctx.Err() == nil {
			return err
		}
	}
	return nil
}

// anythingDue reports whether a round would have something to do.
func (k *Keeper) anythingDue(ctx context.Context) (bool, error) {
	now := k.options.Now()
	next, err := k.options.Watches.Next(ctx)
	if err != nil || !next.IsZero() && !next.After(now) {
		return err == nil, err
	}
	watches, err := k.options.Watches.List(ctx)
	if err != nil {
		return false, err
	}
	offices, err := k.options.Watches.Offices(ctx)
	if err != nil {
		return false, err
	}
	out := map[string]bool{}
	for _, o := range offices {
		out[o.ID] = now.Before(o.Until)
	}
	for _, w := range watches {
		if s, err := k.scopeOf(w.Ref); err == nil && !out[s.Office] && k.expandable(w, s, now) {
			return true, nil
		}
	}
	return false, nil
}
