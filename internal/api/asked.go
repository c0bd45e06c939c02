package api

import "sync"

// asked remembers the tags of the queries that callers asked again of late, by
// the query string as it was written. A tag stands for the same answer for ever,
// so nothing in it becomes wrong.
type asked struct {
	mu             sync.RWMutex
	recent, before map[askedKey]tag
}

// askedKey is a query of a vintage in memory.
type askedKey struct {
	card  *card
	query string
}

// Bounds on what is remembered: some megabytes.
const (
	askedQueries = 16 << 10 // in each of the two maps
	longestAsked = 512      // bytes of query string
)

// tag returns the tag of a query that was asked before.
func (a *asked) tag(c *card, query string) (tag, bool) {
	key := askedKey{c, query}
	a.mu.RLock()
	defer a.mu.RUnlock()
	t, ok := a.recent[key]
	if !ok {
		t, ok = a.before[key]
	}
	return t, ok
}

// remember notes the tag of a query. When there is no room, the older half of
// what is remembered goes.
func (a *asked) remember(c *card, query string, t tag) {
	if len(query) > longestAsked {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.recent) >= askedQueries || a.recent == nil {
		a.recent, a.before = make(map[askedKey]tag), a.recent
	}
	a.recent[askedKey{c, query}] = t
}
