package store

import (
	"container/list"
	"sync"
)

// cache keeps open vintages and their observations within a budget of bytes. It
// drops the least recently used first; a request can still use a dropped one.
type cache struct {
	budget int64

	mu   sync.Mutex
	used int64
	byID map[int]*list.Element
	lru  *list.List // of *Vintage, most recently used first
}

func newCache(budget int64) *cache {
	return &cache{budget: budget, byID: map[int]*list.Element{}, lru: list.New()}
}

// vintage returns the cached vintage of a dataset if it is that of the entry.
func (c *cache) vintage(id int, e *Entry) *Vintage {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, ok := c.byID[id]
	if !ok {
		return nil
	}
	v := at.Value.(*Vintage)
	if v.seq != e.seq || !v.Imported.Equal(e.Imported) {
		return nil
	}
	c.lru.MoveToFront(at)
	return v
}

// add replaces the dataset's vintage in the cache. It returns the cached one if that
// is the same.
func (c *cache) add(id int, v *Vintage) *Vintage {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at, ok := c.byID[id]; ok {
		if old := at.Value.(*Vintage); old.seq == v.seq && old.Imported.Equal(v.Imported) {
			return old
		}
		c.drop(at)
	}
	c.byID[id] = c.lru.PushFront(v)
	c.used += v.weight
	c.shrink()
	return v
}

func (c *cache) addBytes(v *Vintage, bytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, ok := c.byID[v.Dataset.ID]
	if !ok || at.Value.(*Vintage) != v {
		return // no longer cached
	}
	v.weight += bytes
	c.used += bytes
	c.shrink()
}

func (c *cache) forget(id int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at, ok := c.byID[id]; ok {
		c.drop(at)
	}
}

func (c *cache) shrink() {
	for c.used > c.budget && c.lru.Len() > 0 {
		c.drop(c.lru.Back())
	}
}

func (c *cache) drop(at *list.Element) {
	v := c.lru.Remove(at).(*Vintage)
	delete(c.byID, v.Dataset.ID)
	c.used -= v.weight
}
