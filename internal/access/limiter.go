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

// limiter counts requests and admits those that a limit allows. It decides in transactions
// that hold the database's write lock, so it is correct for any number of concurrent
// requests and processes. Two things make it fast:
//
//   - One goroutine decides all waiting requests in one transaction (group commit).
//   - For limits of 1,000 and more, it reserves requests in advance, fewer than a hundredth
//     of those already counted. Reserved requests are counted on disk, so they are admitted
//     without a write. A crash loses them, and the count is too high by their number. A
//     regular stop, and a second without requests, return them.
//
// An admitted request that turns out not to count is refunded. Refunds that cannot be
// written are kept and retried.
type limiter struct {
	db  *register.DB
	log *slog.Logger

	queue    chan *admission
	stopping chan struct{}
	stopped  chan struct{}

	isFailing    atomic.Bool  // the last transaction failed
	mu           sync.RWMutex // of the maps
	reservations map[counter]*reservation
	refunds      map[counter]int64 // to be written; only the goroutine writes the map
}

// counter identifies a count: the requests of one subject on one UTC day.
type counter struct {
	subject string
	day     int64
}

// reservation is the number of requests reserved in advance for a counter.
type reservation struct {
	mu         sync.Mutex
	used       int64 // the count in the database when last read, including the reservation
	spare      int64 // of these, the number not used yet
	spent      int64 // used but not yet recorded in the database; never negative
	isIdle     bool  // not used since the last tick
	isReturned bool  // no longer valid
}

// admission is a request that waits to be counted or refunded.
type admission struct {
	counter
	limit    Limit
	isRefund bool

	used       int64 // the count with this request, or without it if it is refused
	isAdmitted bool
	err        error
	done       chan struct{}
}

const (
	reservesFrom = 1000 // the smallest limit with reservations
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

// close decides the waiting requests and returns the reservations.
func (l *limiter) close() {
	close(l.stopping)
	<-l.stopped
}

// admit counts a request if the limit allows it, and returns the new count.
func (l *limiter) admit(c counter, limit Limit) (used int64, isAdmitted bool, err error) {
	if used, ok := l.admitReserved(c, limit); ok {
		return used, true, nil
	}
	a := &admission{counter: c, limit: limit}
	l.wait(a)
	return a.used, a.isAdmitted, a.err
}

// admitReserved admits a request from the reservation. The limit may have changed
// since the reservation was made.
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

// hasSpare reports whether a reserved request is left that the limit allows. The
// caller holds the lock.
func (r *reservation) hasSpare(limit Limit) bool {
	return !r.isReturned && r.spare > 0 && r.used-r.spare < limit.number()
}

// refund takes back a counted request. It returns to the reservation if it came
// from there.
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

// used returns the count of a counter without this process's reservation. It may be
// out of date as soon as it returns.
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

// canAdmit reports whether a limit allows another request, without counting one; if
// not, used is the count.
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

// run decides batches until the limiter is closed. Once a second, it returns idle
// reservations or, after a failure, probes whether counting works again.
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
				l.returnReservations(false)
			case len(l.queue) == 0:
				// Callers may wait for the service to report that it counts again.
				if l.db.Probe(context.Background()) == nil {
					l.isFailing.Store(false)
				}
			}
		case <-l.stopping:
			for len(l.queue) > 0 {
				l.decide(l.batch(<-l.queue))
			}
			l.returnReservations(true)
			return
		}
	}
}

// batch returns the first admission and all that wait behind it.
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
