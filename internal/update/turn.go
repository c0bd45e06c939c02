package update

import (
	"context"
	"time"

	"almanac/internal/watch"
)

// lookForTurn is how often it is looked whether an office may be asked.
const lookForTurn = 50 * time.Millisecond

// turn waits until an office may be asked for a dataset by this process: offices
// want one connection, however many processes there are. Whoever waits stands in a gate,
// which one alone can; so who has just asked cannot ask again before who waits.
// Plain addresses are of many hosts, and wait for nobody.
func (k *Keeper) turn(ctx context.Context, office string) (done func(), err error) {
	if office == "" {
		return func() {}, nil
	}
	leave, err := k.lock(ctx, numberOf("gate of "+office))
	if err != nil {
		return nil, err
	}
	defer leave()
	return k.lock(ctx, numberOf("turn at "+office))
}

// lock takes a number, and waits for who has it.
func (k *Keeper) lock(ctx context.Context, number int64) (unlock func(), err error) {
	for {
		unlock, ok, err := k.options.Watches.Lock(number)
		if ok || err != nil {
			return unlock, err
		}
		if err := k.options.Sleep(ctx, lookForTurn); err != nil {
			return nil, err
		}
	}
}

// passedFor is how long an item is left to another process that has it.
const passedFor = time.Minute

// pass leaves an item alone for a while.
func (k *Keeper) pass(item int64) {
	now := k.options.Now()
	k.mu.Lock()
	defer k.mu.Unlock()
	for id, until := range k.passed {
		if !now.Before(until) {
			delete(k.passed, id)
		}
	}
	k.passed[item] = now.Add(passedFor)
}

// free are the items that are not left alone.
func (k *Keeper) free(items []watch.Item) (free []watch.Item) {
	now := k.options.Now()
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, it := range items {
		if until, ok := k.passed[it.ID]; !ok || !now.Before(until) || until.After(now.Add(passedFor)) {
			free = append(free, it)
		}
	}
	return free
}

// occupy says that Run is visiting an office; ok is false if it is already, or
// is visiting as many as it may.
func (k *Keeper) occupy(office string) (release func(), ok bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.busy[office] || len(k.busy) >= k.options.Offices {
		return nil, false
	}
	k.busy[office] = true
	return func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		delete(k.busy, office)
	}, true
}
