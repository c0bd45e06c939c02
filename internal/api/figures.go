package api

import (
	"context"
	"sync/atomic"

	"almanac/internal/access"
	"almanac/internal/monitor"
)

// tally counts the requests of a tier since the start.
type tally struct{ counted, refused atomic.Uint64 }

// Figures returns the numbers of the interface for the operator, since the start.
func (a *API) Figures() []monitor.Figure {
	byTier := func(of func(*tally) *atomic.Uint64) func(context.Context) ([]monitor.Value, error) {
		return func(context.Context) (values []monitor.Value, err error) {
			for _, tier := range []access.Tier{access.Anonymous, access.Essential, access.Pro} {
				values = append(values, monitor.Value{Number: float64(of(a.tallies[tier]).Load()), Labels: []string{string(tier)}})
			}
			return values, nil
		}
	}
	figures := []monitor.Figure{
		{
			Name: "almanac_requests_counted_total", Help: "Requests that count against a daily limit.", IsTotal: true, Labels: []string{"tier"},
			Read: byTier(func(t *tally) *atomic.Uint64 { return &t.counted }),
		},
		{
			Name: "almanac_requests_refused_total", Help: "Requests that were refused because the daily limit is used up.", IsTotal: true, Labels: []string{"tier"},
			Read: byTier(func(t *tally) *atomic.Uint64 { return &t.refused }),
		},
		{
			Name: "almanac_keys_refused_total", Help: "Requests with a key that is unknown, revoked or expired.", IsTotal: true,
			Read: func(context.Context) ([]monitor.Value, error) { return monitor.Number(a.refusedKeys.Load()) },
		},
	}
	if a.cache == nil {
		return figures
	}
	return append(figures, monitor.Figure{
		Name: "almanac_cache_requests_total", Help: "Responses that were looked for in the cache of rendered responses.", IsTotal: true, Labels: []string{"result"},
		Read: func(context.Context) ([]monitor.Value, error) {
			hits, misses, _, _ := a.cache.figures()
			return []monitor.Value{{Number: float64(hits), Labels: []string{"hit"}}, {Number: float64(misses), Labels: []string{"miss"}}}, nil
		},
	}, monitor.Figure{
		Name: "almanac_cache_damaged_total", Help: "Files of the cache with other bytes than were written, which were removed.", IsTotal: true,
		Read: func(context.Context) ([]monitor.Value, error) {
			_, _, damaged, _ := a.cache.figures()
			return monitor.Number(damaged)
		},
	}, monitor.Figure{
		Name: "almanac_cache_bytes", Help: "Size of the cache of rendered responses and pictures.",
		Read: func(context.Context) ([]monitor.Value, error) {
			_, _, _, size := a.cache.figures()
			return monitor.Number(size)
		},
	})
}

// figures returns how often a response was there, was not, and was damaged, and the size of all.
func (c *responseCache) figures() (hits, misses, damaged uint64, size int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.hits, c.misses, c.damaged, c.used
}
