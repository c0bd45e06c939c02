package update

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"almanac/internal/offer"
)

// listPoll is how often RunOffers checks whether a list is due.
const listPoll = 10 * time.Second

// RunOffers keeps the lists of what offices offer up to date until ctx ends: at once if
// there is none, then daily, and weekly if a list takes a request for each folder. After
// a failure it waits as for datasets. Only one process reads a list at a time.
func (u *Updater) RunOffers(ctx context.Context) error {
	var reading errgroup.Group
	reading.SetLimit(maxOffices)
	defer reading.Wait()
	var busy sync.Map
	for ctx.Err() == nil {
		due, err := u.dueLists(ctx)
		if err != nil && ctx.Err() == nil {
			u.options.Log.Error("finding the lists of offices that are due failed", "error", err)
		}
		for _, id := range due {
			if _, isBusy := busy.LoadOrStore(id, true); isBusy {
				continue
			}
			started := reading.TryGo(func() error {
				defer busy.Delete(id)
				u.refreshIfDue(ctx, id)
				return nil
			})
			if !started { // enough lists are read
				busy.Delete(id)
				break
			}
		}
		if err := u.options.Sleep(ctx, listPoll); err != nil && ctx.Err() == nil {
			return err
		}
	}
	return nil
}

// dueLists returns the offices whose lists are due, those first that have waited longest.
// Offices that are unavailable wait.
func (u *Updater) dueLists(ctx context.Context) ([]string, error) {
	states, err := u.offerStates(ctx)
	known, knownErr := u.options.Watches.Offices(ctx)
	if err := errors.Join(err, knownErr); err != nil {
		return nil, err
	}
	now := u.options.Now()
	paused := map[string]bool{}
	for _, o := range known {
		paused[o.ID] = isPaused(o.Until, now)
	}
	var due []string
	for _, o := range u.options.Sources.Offices() {
		if u.options.Sources.CanList(o.ID) && !paused[o.ID] && isListDue(states[o.ID], now) {
			due = append(due, o.ID)
		}
	}
	slices.SortStableFunc(due, func(a, b string) int { return states[a].Due.Compare(states[b].Due) })
	return due, nil
}

// isListDue reports whether a list is due. A time further ahead than any interval comes
// from a wrong clock.
func isListDue(s offer.SourceState, now time.Time) bool {
	return !now.Before(s.Due) || s.Due.After(now.Add(2*longest))
}

// refreshIfDue reads a list unless another process reads it or has just read it.
func (u *Updater) refreshIfDue(ctx context.Context, id string) {
	unlock, ok, err := u.options.Watches.Lock(listNumber(id))
	if err != nil {
		u.options.Log.Error("locking the list of an office failed", "office", id, "error", err)
	}
	if err != nil || !ok {
		return
	}
	defer unlock()
	states, err := u.offerStates(ctx)
	if err == nil && !isListDue(states[id], u.options.Now()) {
		return
	}
	l := u.refresh(ctx, id, Refresh{})
	switch {
	case l.Err == nil && l.Changed(): // also if ctx has ended since
		u.options.Log.Info("list of an office updated", "office", id, "datasets", l.After.Datasets, "before", l.Before.Datasets, "took", l.Took.Round(time.Millisecond).String())
	case l.Err != nil && ctx.Err() == nil:
		u.options.Log.Warn("reading the list of an office failed", "office", id, "error", l.Err)
	}
}
