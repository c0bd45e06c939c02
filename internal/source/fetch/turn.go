package fetch

import (
	"context"
	"sync"
	"time"
)

// queues contains the queue of each host.
type queues struct {
	mu    sync.Mutex
	hosts map[string]*queue
}

// queue orders the requests to one host.
type queue struct {
	slot chan struct{} // holds the turn of a request

	mu   sync.Mutex
	all  turns // of all requests
	data turns // of downloads of data
}

// turns says when requests of one kind may begin.
type turns struct {
	last  time.Time // when the last one began
	until time.Time // the host asks for none before
}

// wait returns how long to wait, and how much of that the host requested.
func (t *turns) wait(at time.Time, pause time.Duration) (wait, requested time.Duration) {
	requested = max(0, t.until.Sub(at))
	if !t.last.IsZero() {
		wait = t.last.Add(pause).Sub(at)
	}
	return max(0, wait, requested), requested
}

func (q *queues) at(host string) *queue {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.hosts == nil {
		q.hosts = map[string]*queue{}
	}
	if q.hosts[host] == nil {
		q.hosts[host] = &queue{slot: make(chan struct{}, 1)}
	}
	return q.hosts[host]
}

// postpone delays requests to the host until a time; with onlyData only downloads of
// data.
func (q *queue) postpone(until time.Time, onlyData bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delayed := &q.all
	if onlyData {
		delayed = &q.data
	}
	if until.After(delayed.until) {
		delayed.until = until
	}
}

// begin records the start of a request at a time if the host may be contacted then.
// Otherwise it returns how long to wait, and how much of that the host requested.
func (q *queue) begin(at time.Time, r *Request) (wait, requested time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	wait, requested = q.all.wait(at, r.Pause)
	if r.DataPause > 0 {
		waitData, requestedData := q.data.wait(at, r.DataPause)
		wait, requested = max(wait, waitData), max(requested, requestedData)
	}
	if wait == 0 {
		q.all.last = at
		if r.DataPause > 0 {
			q.data.last = at
		}
	}
	return wait, requested
}

// turn waits until a request to a host may begin. The caller ends its turn with
// done. If the host requested a pause longer than LongWait, turn does not wait and
// returns the pause as postponed.
func (c *Client) turn(ctx context.Context, q *queue, r *Request) (done func(), postponed time.Duration, err error) {
	select {
	case q.slot <- struct{}{}:
	case <-ctx.Done():
		return nil, 0, ctx.Err()
	}
	done = func() { <-q.slot }
	at := c.options.Now()
	for {
		wait, requested := q.begin(at, r)
		switch {
		case wait == 0:
			return done, 0, nil
		case requested > c.options.LongWait:
			done()
			return nil, requested, nil
		}
		if err := c.options.Sleep(ctx, wait); err != nil {
			done()
			return nil, 0, err
		}
		// A timer may fire slightly before the clock reaches the time.
		at = at.Add(wait)
		if now := c.options.Now(); now.After(at) {
			at = now
		}
	}
}
