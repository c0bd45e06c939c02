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

// The meter counts requests. A decision is one statement in the database, "add
// one if that stays within the limit", so it holds however many requests run
// at once, in however many processes. What makes it fast:
//
//   - One goroutine takes all decisions that wait and settles them in one
//     transaction (group commit); those that arrive meanwhile are the next one.
//   - For limits of 1,000 and more it takes requests in advance, less than a
//     hundredth of those already counted. Requests are then admitted from this
//     reserve without the disk: they are counted there already. A crash can only
//     lose the reserve, so that the count is too high by that; an orderly end,
//     and a second without requests, give it back.
//
// A request that was admitted and turns out not to count is refunded. Refunds that
// cannot be written are kept until they can be.
type meter struct {
	db  *register.DB
	log *slog.Logger

	queue    chan *decision
	stopping chan struct{}
	stopped  chan struct{}

	failing  atomic.Bool  // the last transaction failed
	mu       sync.RWMutex // of the maps
	reserves map[bucket]*reserve
	kept     map[bucket]int64 // refunds that are to be written; only the goroutine writes it
}

// bucket is what is counted: one subject on one UTC day.
type bucket struct {
	subject string
	day     int64
}

// reserve is what was taken in advance for a bucket.
type reserve struct {
	mu    sync.Mutex
	used  int64 // in the database, the reserve included, when it was last seen
	spare int64 // of these, not used yet
	spent int64 // used, and the database has not been told; never negative
	idle  bool  // not asked since the last tick
	gone  bool  // given back: another has its place
}

// decision is a request that waits to be counted, or refunded.
type decision struct {
	bucket
	limit  Limit
	refund bool

	used     int64 // with this request; of a refused one, what was used
	admitted bool
	err      error
	done     chan struct{}
}

const (
	reservesFrom = 1000 // the least limit for which requests are taken in advance
	batchSize    = 1024
	tickEvery    = time.Second
)

// reserves reports whether requests under a limit are taken in advance.
func (l Limit) reserves() bool { return l == Unlimited || l >= reservesFrom }

func newMeter(db *register.DB, log *slog.Logger) *meter {
	m := &meter{
		db: db, log: log, queue: make(chan *decision, batchSize),
		stopping: make(chan struct{}), stopped: make(chan struct{}),
		reserves: map[bucket]*reserve{}, kept: map[bucket]int64{},
	}
	go m.run()
	return m
}

// close settles what waits and gives the reserves back.
func (m *meter) close() {
	close(m.stopping)
	<-m.stopped
}

// add counts a request of a bucket if it stays within the limit, and returns
// what is used then.
func (m *meter) add(b bucket, limit Limit) (used int64, admitted bool, err error) {
	if used, ok := m.fromReserve(b, limit); ok {
		return used, true, nil
	}
	d := &decision{bucket: b, limit: limit}
	m.wait(d)
	return d.used, d.admitted, d.err
}

// refund takes a counted request of a bucket back: into the reserve, if one was
// spent from it.
func (m *meter) refund(b bucket) {
	if r := m.reserveOf(b); r != nil && r.takeBack() {
		return
	}
	m.wait(&decision{bucket: b, refund: true})
}

func (r *reserve) takeBack() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.gone || r.spent == 0 {
		return false
	}
	r.spent--
	r.spare++
	return true
}

// wait hands a decision over and waits until it is settled.
func (m *meter) wait(d *decision) {
	d.done = make(chan struct{})
	select {
	case m.queue <- d:
	case <-m.stopped:
	}
	select {
	case <-d.done:
	case <-m.stopped:
		select {
		case <-d.done:
		default:
			d.err = errEnding
		}
	}
}

// cannotCount is the error for callers when the database fails.
func cannotCount(err error) error {
	return &stat.Error{Kind: stat.Unavailable, Message: "requests cannot be counted at the moment; ask again in a few seconds", Err: err}
}

var errEnding = stat.Errorf(stat.Unavailable, "the service is ending; ask again in a few seconds")

// ceiling is a limit as a number.
func ceiling(limit Limit) int64 {
	if limit == Unlimited {
		return math.MaxInt64
	}
	return int64(limit)
}

// leaves reports whether the reserve has a request that a limit allows. The
// lock is held.
func (r *reserve) leaves(limit Limit) bool {
	return !r.gone && r.spare > 0 && r.used-r.spare < ceiling(limit)
}

func (m *meter) reserveOf(b bucket) *reserve {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.reserves[b]
}

// fromReserve admits a request from what was taken in advance. The limit may
// be another than the one it was taken under.
func (m *meter) fromReserve(b bucket, limit Limit) (used int64, ok bool) {
	if !limit.reserves() {
		return 0, false
	}
	r := m.reserveOf(b)
	if r == nil {
		return 0, false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.idle = false
	if !r.leaves(limit) {
		return 0, false
	}
	r.spare--
	r.spent++
	return r.used - r.spare, true
}

// used is what a bucket has used, without what is only reserved here. While
// others are counted it is a moment's guess.
func (m *meter) used(ctx context.Context, b bucket) (int64, error) {
	used, err := m.db.Used(ctx, b.day, b.subject)
	if err != nil {
		return 0, cannotCount(err)
	}
	if r := m.reserveOf(b); r != nil {
		r.mu.Lock()
		used -= r.spare
		r.mu.Unlock()
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	return max(used-m.kept[b], 0), nil
}

// leaves reports whether a limit leaves any request of a bucket, and how many
// are used if it does not.
func (m *meter) leaves(ctx context.Context, b bucket, limit Limit) (used int64, left bool, err error) {
	if r := m.reserveOf(b); r != nil && limit.reserves() {
		r.mu.Lock()
		left = r.leaves(limit)
		r.mu.Unlock()
		if left {
			return 0, true, nil
		}
	}
	used, err = m.used(ctx, b)
	return used, used < ceiling(limit), err
}

// run settles decisions until the meter is closed.
func (m *meter) run() {
	defer close(m.stopped)
	ticker := time.NewTicker(tickEvery)
	defer ticker.Stop()
	for {
		select {
		case d := <-m.queue:
			m.settle(m.waiting(d))
		case <-ticker.C:
			m.tick()
		case <-m.stopping:
			for len(m.queue) > 0 {
				m.settle(m.waiting(<-m.queue))
			}
			m.giveBack(true)
			return
		}
	}
}

// tick does what is to be done every second. While counting fails, the requests
// that wait find out whether it works again, or, where none does, a probe.
func (m *meter) tick() {
	switch {
	case !m.failing.Load():
		m.giveBack(false)
	case len(m.queue) == 0:
		m.probe()
	}
}

// waiting are the first decision and all that wait behind it.
func (m *meter) waiting(first *decision) []*decision {
	batch := []*decision{first}
	for len(batch) < batchSize {
		select {
		case d := <-m.queue:
			batch = append(batch, d)
		default:
			return batch
		}
	}
	return batch
}
