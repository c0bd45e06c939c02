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

// Results are written in groups: as many at most, and none later than this.
const (
	groupSize = 200
	groupTime = time.Second
)

// logAge is how long lines of the log are kept.
const logAge = 365 * day

// round is one round over items.
type round struct {
	*Keeper
	began   time.Time
	stored  *store.Catalog // as it was when the round began
	imports sync.WaitGroup
	summary Summary

	mu      sync.Mutex
	left    int
	pending []result
	err     error // that results could not be written
}

// result is what became of an item, not written yet. Its lock is released when
// it is.
type result struct {
	lines  []watch.Result
	unlock func()
}

// Sync makes one round: over what is due, or over all items of the given
// references (datasets, patterns, offices), due or not. The error is that the
// round could not be made, or not to its end; what went wrong with items stands
// in the summary.
func (k *Keeper) Sync(ctx context.Context, refs ...string) (Summary, error) {
	all, err := k.choose(ctx, refs, nil)
	if err != nil {
		return Summary{}, err
	}
	return k.round(ctx, all)
}

// round makes a round of what is chosen.
func (k *Keeper) round(ctx context.Context, all []*plan) (Summary, error) {
	r := &round{Keeper: k, began: k.options.Now(), stored: k.options.Store.Catalog()}
	for _, c := range all {
		c.items = distinct(c.items, func(it watch.Item) int64 { return it.ID })
		r.left += len(c.items)
	}
	r.summary.Items = r.left
	r.run(ctx, all)
	r.err = errors.Join(r.err, r.trim(context.WithoutCancel(ctx)))
	if ctx.Err() != nil {
		return r.summary, errors.Join(r.err, fmt.Errorf("the round was ended before its end, the next one does the rest: %w", ctx.Err()))
	}
	return r.summary, r.err
}

// distinct keeps the first of those that have the same key.
func distinct[T any, K comparable](all []T, key func(T) K) []T {
	seen := map[K]bool{}
	return slices.DeleteFunc(all, func(one T) bool {
		k := key(one)
		was := seen[k]
		seen[k] = true
		return was
	})
}

// run asks the offices, several at once, while what they give is imported.
func (r *round) run(ctx context.Context, all []*plan) {
	var offices, writing sync.WaitGroup
	done := make(chan struct{})
	writing.Go(func() { r.writeAll(ctx, done) })
	for _, c := range all {
		offices.Go(func() {
			r.visiting <- struct{}{}
			defer func() { <-r.visiting }()
			r.callOn(ctx, c)
		})
	}
	offices.Wait()
	r.imports.Wait()
	close(done)
	writing.Wait()
}

// writeAll writes what is pending every now and then, and what is left at the end.
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

// flush writes what is pending. It does so even when ctx has ended: the work is
// done.
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
		r.options.Log.Error("writing down what came of datasets", "error", err)
		r.err = err
	}
	for _, one := range r.pending {
		one.unlock()
	}
	r.pending = nil
}

// finish takes in what became of an item: a line for each of its datasets.
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
		r.tell(Event{Ref: entries[i].Ref, Stage: Finished, Bytes: entries[i].Bytes, Entry: &entries[i], Left: left})
	}
}

// postpone leaves items to a later round.
func (r *round) postpone(reason string, items ...watch.Item) {
	for _, it := range items {
		left := r.count(func() { r.left--; r.summary.Postponed++ })
		r.tell(Event{Ref: it.Ref, Stage: Postponed, Left: left, Entry: &watch.Entry{
			At: r.options.Now(), Ref: it.Ref, Office: it.Office, Status: string(Postponed), Dataset: it.Dataset, Error: short(reason),
		}})
	}
}

// tellEntry tells of what is no item's, and counts it if it is a failure.
func (r *round) tellEntry(e watch.Entry) {
	left := r.count(func() {
		if e.Status == failed {
			r.summary.Failed++
		}
	})
	r.tell(Event{Ref: e.Ref, Stage: Finished, Entry: &e, Left: left})
}

// step tells where an item is.
func (r *round) step(it watch.Item, stage Stage, bytes int64) {
	r.tell(Event{Ref: it.Ref, Stage: stage, Bytes: bytes, Left: r.count(func() {})})
}

// count changes what is counted and returns how many items are left then.
func (r *round) count(change func()) (left int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change()
	return r.left
}

// trim shortens the log once a day.
func (k *Keeper) trim(ctx context.Context) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	now := k.options.Now()
	if age := now.Sub(k.trimmed); 0 <= age && age < day {
		return nil
	}
	k.trimmed = now
	return k.options.Watches.Trim(ctx, now.Add(-logAge))
}
