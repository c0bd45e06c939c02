package update

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"almanac/internal/store"
	"almanac/internal/watch"
)

// Results are written in groups of at most groupSize, at least every groupTime.
const (
	groupSize = 200
	groupTime = time.Second
)

// logAge is how long log entries are kept.
const logAge = 365 * day

// round is one round over plans.
type round struct {
	*Updater
	start   time.Time
	stored  *store.Catalog // at the start of the round
	imports sync.WaitGroup
	summary Summary

	mu      sync.Mutex
	left    int
	pending []result
	err     error // of writing results
}

// result is an unwritten result of an item. The item is unlocked once it is
// written.
type result struct {
	lines  []watch.Result
	unlock func()
}

// Sync makes one round over the items that are due, or over all items of the
// given references (datasets, patterns, offices), due or not. The error says that
// the round did not complete; failures of items are counted in the summary.
func (u *Updater) Sync(ctx context.Context, refs ...string) (Summary, error) {
	all, err := u.choose(ctx, refs, nil)
	if err != nil {
		return Summary{}, err
	}
	return u.round(ctx, all)
}

// round makes one round over plans.
func (u *Updater) round(ctx context.Context, all []*plan) (Summary, error) {
	r := &round{Updater: u, start: u.options.Now(), stored: u.options.Store.Catalog()}
	for _, c := range all {
		c.items = distinct(c.items, func(it watch.Item) int64 { return it.ID })
		r.left += len(c.items)
	}
	r.summary.Items = r.left
	r.run(ctx, all)
	r.err = errors.Join(r.err, r.trim(context.WithoutCancel(ctx)))
	if ctx.Err() != nil {
		return r.summary, errors.Join(r.err, fmt.Errorf("the round was stopped early, the next one does the rest: %w", ctx.Err()))
	}
	return r.summary, r.err
}

// distinct keeps the first element of each key.
func distinct[T any, K comparable](all []T, key func(T) K) []T {
	seen := map[K]bool{}
	return slices.DeleteFunc(all, func(one T) bool {
		k := key(one)
		was := seen[k]
		seen[k] = true
		return was
	})
}

// run visits the offices, several at once, and imports meanwhile.
func (r *round) run(ctx context.Context, all []*plan) {
	var offices, writing sync.WaitGroup
	done := make(chan struct{})
	writing.Go(func() { r.writeAll(ctx, done) })
	for _, c := range all {
		offices.Go(func() {
			r.visiting <- struct{}{}
			defer func() { <-r.visiting }()
			r.visitOffice(ctx, c)
		})
	}
	offices.Wait()
	r.imports.Wait()
	close(done)
	writing.Wait()
}

// writeAll writes pending results regularly, and the rest when done closes.
func (r *round) writeAll(ctx context.Context, done <-chan struct{}) {
	ticker := time.NewTicker(groupTime)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			r.flush(ctx)
		case <-done:
			r.flush(ctx)
			return
		}
	}
}

// flush writes pending results, even after ctx has ended.
func (r *round) flush(ctx context.Context) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.pending) == 0 {
		return
	}
	var lines []watch.Result
	for _, one := range r.pending {
		lines = append(lines, one.lines...)
	}
	if err := r.options.Watches.Finish(context.WithoutCancel(ctx), lines); err != nil {
		r.options.Log.Error("recording the results of datasets failed", "error", err)
		r.err = err
	}
	for _, one := range r.pending {
		one.unlock()
	}
	r.pending = nil
}

// finish queues the result of an item, with an entry for each of its datasets.
func (r *round) finish(ctx context.Context, j *job, it watch.Item, entries []watch.Entry) {
	one := result{r.result(ctx, j, it, entries), j.unlock}
	full := false
	left := r.count(func() {
		r.left--
		r.summary.add(entries[0].Status)
		r.pending = append(r.pending, one)
		full = len(r.pending) >= groupSize
	})
	if full {
		r.flush(ctx)
	}
	for i := range entries {
		r.notify(Event{Ref: entries[i].Ref, Stage: Finished, Bytes: entries[i].Bytes, Entry: &entries[i], Left: left})
	}
}

// postpone leaves items for a later round.
func (r *round) postpone(reason string, items ...watch.Item) {
	for _, it := range items {
		left := r.count(func() { r.left--; r.summary.Postponed++ })
		r.notify(Event{Ref: it.Ref, Stage: Postponed, Left: left, Entry: &watch.Entry{
			At: r.options.Now(), Ref: it.Ref, Office: it.Office, Status: string(Postponed), Dataset: it.Dataset, Error: short(reason),
		}})
	}
}

// notifyEntry reports an entry that belongs to no item, and counts a failure.
func (r *round) notifyEntry(e watch.Entry) {
	left := r.count(func() {
		if e.Status == failed {
			r.summary.Failed++
		}
	})
	r.notify(Event{Ref: e.Ref, Stage: Finished, Entry: &e, Left: left})
}

// step reports the stage of an item.
func (r *round) step(it watch.Item, stage Stage, bytes int64) {
	r.notify(Event{Ref: it.Ref, Stage: stage, Bytes: bytes, Left: r.count(func() {})})
}

// count runs change under the lock and returns the number of items left.
func (r *round) count(change func()) (left int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change()
	return r.left
}

// trim trims the log once a day.
func (u *Updater) trim(ctx context.Context) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	now := u.options.Now()
	if age := now.Sub(u.trimmed); 0 <= age && age < day {
		return nil
	}
	u.trimmed = now
	return u.options.Watches.Trim(ctx, now.Add(-logAge))
}
