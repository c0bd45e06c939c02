// Package pace bounds how fast somebody may do something: a number of times at once, and then
// as fast as a rate.
package pace

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Bound is how fast something may be done.
type Bound struct {
	Number int           // at once
	Again  time.Duration // after which the whole number may be done once more
}

// Paces keeps the pace of everybody, by a key such as a network, in memory. It is safe for concurrent use.
type Paces[K comparable] struct {
	bound Bound

	mu    sync.Mutex
	of    map[K]*pace
	swept time.Time
}

type pace struct {
	limit *rate.Limiter
	last  time.Time
}

// New returns paces with a bound of 1 or more.
func New[K comparable](b Bound) *Paces[K] { return &Paces[K]{bound: b, of: map[K]*pace{}} }

// Take counts one by a key. If it is one too many, it is not counted, and wait is how long it takes until
// the next is allowed.
func (p *Paces[K]) Take(key K, now time.Time) (wait time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sweep(now)
	one := p.of[key]
	perSecond := float64(p.bound.Number) / p.bound.Again.Seconds()
	if one == nil {
		one = &pace{limit: rate.NewLimiter(rate.Limit(perSecond), p.bound.Number)}
		p.of[key] = one
	}
	one.last = now
	if one.limit.AllowN(now, 1) {
		return 0
	}
	missing := 1 - one.limit.TokensAt(now)
	return max(time.Duration(missing/perSecond*float64(time.Second)), 1)
}

// sweep forgets all who may do the whole number again.
func (p *Paces[K]) sweep(now time.Time) {
	if now.Sub(p.swept) <= p.bound.Again && !now.Before(p.swept) {
		return
	}
	for key, one := range p.of {
		if now.Sub(one.last) > p.bound.Again {
			delete(p.of, key)
		}
	}
	p.swept = now
}
