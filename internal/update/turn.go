package update

import (
	"context"
	"time"

	"almanac/internal/watch"
)

// turnPoll is how often a busy lock is tried again.
const turnPoll = 50 * time.Millisecond

// turn waits until this process may contact an office: offices want one
// connection, however many processes there are. A second lock keeps the queue
// fair. Plain addresses are on many hosts and need no turn.
func (u *Updater) turn(ctx context.Context, office string) (done func(), err error) {
	if office == "" {
		return func() {}, nil
	}
	leave, err := u.lock(ctx, numberOf("queue of "+office))
	if err != nil {
		return nil, err
	}
	defer leave()
	return u.lock(ctx, numberOf("turn at "+office))
}

// lock locks a number and waits while another process has it.
func (u *Updater) lock(ctx context.Context, number int64) (unlock func(), err error) {
	for {
		unlock, ok, err := u.options.Watches.Lock(number)
		if ok || err != nil {
			return unlock, err
		}
		if err := u.options.Sleep(ctx, turnPoll); err != nil {
			return nil, err
		}
	}
}

// skipTime is how long an item is left to another process.
const skipTime = time.Minute

// skipFor skips an item for skipTime.
func (u *Updater) skipFor(item int64) {
	now := u.options.Now()
	u.mu.Lock()
	defer u.mu.Unlock()
	for id, until := range u.skipped {
		if !now.Before(until) {
			delete(u.skipped, id)
		}
	}
	u.skipped[item] = now.Add(skipTime)
}

// withoutSkipped returns the items that are not skipped now.
func (u *Updater) withoutSkipped(items []watch.Item) (rest []watch.Item) {
	now := u.options.Now()
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, it := range items {
		if until, ok := u.skipped[it.ID]; !ok || !now.Before(until) || until.After(now.Add(skipTime)) {
			rest = append(rest, it)
		}
	}
	return rest
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
