package access

import (
	"context"
	"log/slog"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"almanac/internal/access/register"
	"almanac/internal/stat"
)

// limiter counts requests and admits those that a limit allows. A decision is one
// statement in the database, "add one if that stays within the limit", so it holds
// however many requests run at once, in however many processes. What makes it fast:
//
//   - One goroutine decides on all requests that wait in one transaction (group
//     commit); those that arrive meanwhile are the next one.
//   - For limits of 1,000 and more it reserves requests in advance, less than a
//     hundredth of those already counted. Requests are then admitted from this
//     reservation without the disk: they are counted there already. A crash can
//     only lose the reservation, so that the count is too high by that; an orderly
//     end, and a second without requests, give it back.
//
// A request that was admitted and turns out not to count is refunded. Refunds that
// cannot be written are kept until they can be.
type limiter struct {
	db  *register.DB
	log *slog.Logger

	queue    chan *admission
	stopping chan struct{}
	stopped  chan struct{}

	isFailing    atomic.Bool  // the last transaction failed
	mu           sync.RWMutex // of the maps
	reservations map[counter]*reservation
	refunds      map[counter]int64 // that are to be written; only the goroutine writes the map
}

// counter is what is counted: the requests of one subject on one UTC day.
type counter struct {
	subject string
	day     int64
}

// reservation is what was reserved in advance for a counter.
type reservation struct {
	mu         sync.Mutex
	used       int64 // in the database, the reservation included, when it was last read
	spare      int64 // of these, not used yet
	spent      int64 // used, and the database has not been told; never negative
	isIdle     bool  // not used since the last tick
	isReturned bool  // given back: another takes its place
}

// admission is a request that waits to be counted, or to be refunded.
type admission struct {
	counter
	limit    Limit
	isRefund bool

	used       int64 // with this request; of a refused one, what was used
	isAdmitted bool
	err        error
	done       chan struct{}
}

const (
	reservesFrom = 1000 // the least limit for which requests are reserved
	batchSize    = 1024
	tickEvery    = time.Second
)

// allowsReservations reports whether requests under a limit are reserved in advance.
func (l Limit) allowsReservations() bool { return l == Unlimited || l >= reservesFrom }

func (l Limit) number() int64 {
	if l == Unlimited {
		return math.MaxInt64
	}
	return int64(l)
}

func newLimiter(db *register.DB, log *slog.Logger) *limiter {
	l := &limiter{
		db: db, log: log, queue: make(chan *admission, batchSize),
		stopping: make(chan struct{}), stopped: make(chan struct{}),
		reservations: map[counter]*reservation{}, refunds: map[counter]int64{},
	}
	go l.run()
	return l
}

// close decides on what waits and gives the reservations back.
func (l *limiter) close() {
	close(l.stopping)
	<-l.stopped
}

// admit counts a request if it stays within the limit, and returns what is used
// then.
func (l *limiter) admit(c counter, limit Limit) (used int64, isAdmitted bool, err error) {
	if used, ok := l.admitReserved(c, limit); ok {
		return used, true, nil
	}
	a := &admission{counter: c, limit: limit}
	l.wait(a)
	return a.used, a.isAdmitted, a.err
}

// admitReserved admits a request from what is reserved. The limit may be
// another than the one it was reserved under.
func (l *limiter) admitReserved(c counter, limit Limit) (used int64, ok bool) {
	r := l.reservation(c)
	if r == nil || !limit.allowsReservations() {
		return 0, false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.isIdle = false
	if !r.hasSpare(limit) {
		return 0, false
	}
	r.spare--
	r.spent++
	return r.used - r.spare, true
}

func (l *limiter) reservation(c counter) *reservation {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.reservations[c]
}

// hasSpare reports whether a request is reserved that a limit allows. The lock
// is held.
func (r *reservation) hasSpare(limit Limit) bool {
	return !r.isReturned && r.spare > 0 && r.used-r.spare < limit.number()
}

// refund takes a counted request back: into the reservation, if one was spent
// from it.
func (l *limiter) refund(c counter) {
	if r := l.reservation(c); r != nil {
		r.mu.Lock()
		wasSpent := !r.isReturned && r.spent > 0
		if wasSpent {
			r.spent--
			r.spare++
		}
		r.mu.Unlock()
		if wasSpent {
			return
		}
	}
	l.wait(&admission{counter: c, isRefund: true})
}

func (l *limiter) wait(a *admission) {
	a.done = make(chan struct{})
	select {
	case l.queue <- a:
	case <-l.stopped:
	}
	select {
	case <-a.done:
	case <-l.stopped:
		select {
		case <-a.done:
		default:
			a.err = stat.Errorf(stat.Unavailable, "the service is shutting down; try again in a few seconds")
		}
	}
}

// used is what a counter has used, without what is only reserved here. While
// others are counted it may be out of date at once.
func (l *limiter) used(ctx context.Context, c counter) (int64, error) {
	used, err := l.db.Used(ctx, c.day, c.subject)
	if err != nil {
		return 0, errCannotCount(err)
	}
	if r := l.reservation(c); r != nil {
		r.mu.Lock()
		used -= r.spare
		r.mu.Unlock()
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	return max(used-l.refunds[c], 0), nil
}

// canAdmit reports whether a limit allows another request, and how many are used
// if it does not. It counts none.
func (l *limiter) canAdmit(ctx context.Context, c counter, limit Limit) (used int64, ok bool, err error) {
	if r := l.reservation(c); r != nil && limit.allowsReservations() {
		r.mu.Lock()
		ok = r.hasSpare(limit)
		r.mu.Unlock()
		if ok {
			return 0, true, nil
		}
	}
	used, err = l.used(ctx, c)
	return used, used < limit.number(), err
}

func errCannotCount(err error) error {
	return &stat.Error{Kind: stat.Unavailable, Message: "requests cannot be counted at the moment; try again in a few seconds", Err: err}
}

// run decides on what waits until the limiter is closed.
func (l *limiter) run() {
	defer close(l.stopped)
	ticker := time.NewTicker(tickEvery)
	defer ticker.Stop()
	for {
		select {
		case first := <-l.queue:
			l.decide(l.batch(first))
		case <-ticker.C:
			switch {
			case !l.isFailing.Load():
				l.giveBack(false)
			case len(l.queue) == 0:
				// Perhaps nobody asks until the service says that it counts again.
				if l.db.Probe(context.Background()) == nil {
					l.isFailing.Store(false)
				}
			}
		case <-l.stopping:
			for len(l.queue) > 0 {
				l.decide(l.batch(<-l.queue))
			}
			l.giveBack(true)
			return
		}
	}
}

// batch is the first admission and all that wait behind it.
func (l *limiter) batch(first *admission) []*admission {
	batch := []*admission{first}
	for len(batch) < batchSize {
		select {
		case a := <-l.queue:
			batch = append(batch, a)
		default:
			return batch
		}
	}
	return batch
}
