package fetch

import (
	"context"
	"sync"
	"time"
)

// queues are the hosts that were asked, each with those who wait for it.
type queues struct {
	mu    sync.Mutex
	hosts map[string]*queue
}

// queue is where requests to a host wait for one another.
type queue struct {
	slots chan struct{} // as many as there may be connections

	mu    sync.Mutex
	last  time.Time // when the last request began
	until time.Time // the host wants to be left alone before
}

// at returns the queue of a host.
func (q *queues) at(host string, slots int) *queue {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.hosts == nil {
		q.hosts = map[string]*queue{}
	}
	if q.hosts[host] == nil {
		q.hosts[host] = &queue{slots: make(chan struct{}, slots)}
	}
	return q.hosts[host]
}

// postpone leaves the host alone before a time.
func (q *queue) postpone(until time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if until.After(q.until) {
		q.until = until
	}
}

// begin lets a request begin at a time, if the host may be asked then. If it may
// not, it returns how long there is to wait, and how much of that the host asked
// for.
func (q *queue) begin(at time.Time, pause time.Duration) (wait, asked time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	asked = max(0, q.until.Sub(at))
	if !q.last.IsZero() {
		wait = q.last.Add(pause).Sub(at)
	}
	if wait = max(0, wait, asked); wait == 0 {
		q.last = at
	}
	return wait, asked
}

// turn waits until a request to a host may begin. Whoever has had the turn gives
// it back with done. postponed is not zero if the host asked to be left alone
// for longer than is waited; nobody has the turn then.
func (c *Client) turn(ctx context.Context, q *queue, pause time.Duration) (done func(), postponed time.Duration, err error) {
	select {
	case q.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, 0, ctx.Err()
	}
	done = func() { <-q.slots }
	at := c.options.Now()
	for {
		wait, asked := q.begin(at, pause)
		switch {
		case wait == 0:
			return done, 0, nil
		case asked > c.options.LongWait:
			done()
			return nil, asked, nil
		}
		if err := c.options.Sleep(ctx, wait); err != nil {
			done()
			return nil, 0, err
		}
		// A timer may fire before the clock has gone so far.
		at = at.Add(wait)
		if now := c.options.Now(); now.After(at) {
			at = now
		}
	}
}
