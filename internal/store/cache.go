package store

import (
	"container/list"
	"sync"
)

// cache keeps open vintages and their observations within a budget of bytes. It
// drops the least recently used first; a request can still use a dropped one.
// Current vintages come before earlier ones: these are dropped first while they
// take more than their part of the budget.
type cache struct {
	budget int64

	mu      sync.Mutex
	used    [2]int64 // by current vintages, by earlier ones
	entries map[cacheKey]*list.Element
	current map[int]*list.Element // by dataset
	lru     [2]*list.List         // of *Vintage, most recently used first
}

// cacheKey identifies an open vintage. The time of import tells vintages of a dataset apart that
// was removed and imported again, and the last update those before and after [Store.Undate].
type cacheKey struct {
	dataset, seq int
	imported     int64 // Unix nanoseconds
	updated      int64 // Unix seconds
	isEarlier    bool
}

// earlierPart is the part of the budget that earlier vintages may take from current ones.
const earlierPart = 4

func newCache(budget int64) *cache {
	return &cache{
		budget: budget, entries: map[cacheKey]*list.Element{}, current: map[int]*list.Element{},
		lru: [2]*list.List{list.New(), list.New()},
	}
}

func (v *Vintage) cacheKey() cacheKey {
	return cacheKey{v.Dataset.ID, v.seq, v.Imported.UnixNano(), v.LastUpdate.Unix(), v.isEarlier}
}

// budgetOf returns the bytes that the observations of a vintage may take.
func (c *cache) budgetOf(v *Vintage) int64 {
	if v.isEarlier {
		return c.budget / earlierPart
	}
	return c.budget
}

// vintage returns the vintage with a key, or nil.
func (c *cache) vintage(key cacheKey) *Vintage {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, ok := c.entries[key]
	if !ok {
		return nil
	}
	c.lru[listOf(key.isEarlier)].MoveToFront(at)
	return at.Value.(*Vintage)
}

func listOf(isEarlier bool) int {
	if isEarlier {
		return 1
	}
	return 0
}

// add adds a vintage. A current one replaces the dataset's vintage that was current before.
// It returns the cached one if that is the same.
func (c *cache) add(v *Vintage) *Vintage {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := v.cacheKey()
	if at, ok := c.entries[key]; ok {
		return at.Value.(*Vintage)
	}
	if before, ok := c.current[key.dataset]; ok && !key.isEarlier {
		c.drop(before)
	}
	which := listOf(key.isEarlier)
	at := c.lru[which].PushFront(v)
	c.entries[key] = at
	if !key.isEarlier {
		c.current[key.dataset] = at
	}
	c.used[which] += v.weight
	c.shrink()
	return v
}

func (c *cache) addBytes(v *Vintage, bytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, ok := c.entries[v.cacheKey()]
	if !ok || at.Value.(*Vintage) != v {
		return // no longer cached
	}
	v.weight += bytes
	c.used[listOf(v.isEarlier)] += bytes
	c.shrink()
}

// forget drops all vintages of a dataset.
func (c *cache) forget(dataset int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for key, at := range c.entries {
		if key.dataset == dataset {
			c.drop(at)
		}
	}
}

func (c *cache) shrink() {
	for c.used[0]+c.used[1] > c.budget {
		which := 0
		if c.used[1] > c.budget/earlierPart {
			which = 1
		}
		last := c.lru[which].Back()
		if last == nil {
			return
		}
		c.drop(last)
	}
}

func (c *cache) drop(at *list.Element) {
	v := at.Value.(*Vintage)
	key := v.cacheKey()
	which := listOf(key.isEarlier)
	c.lru[which].Remove(at)
	delete(c.entries, key)
	if !key.isEarlier {
		delete(c.current, key.dataset)
	}
	c.used[which] -= v.weight
}
