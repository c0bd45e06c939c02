package store

import (
	"container/list"
	"sync"
)

// cache keeps opened vintages, and with them their observations, under a
// budget of bytes. What was used longest ago goes first; a request that holds
// a vintage keeps it alive all the same.
type cache struct {
	budget int64

	mu   sync.Mutex
	used int64
	byID map[int]*list.Element
	lru  *list.List // of *Vintage, the most recently used in front
}

func newCache(budget int64) *cache {
	return &cache{budget: budget, byID: map[int]*list.Element{}, lru: list.New()}
}

// fits reports whether so many bytes can be kept at all.
func (c *cache) fits(bytes int64) bool { return bytes <= c.budget }

// vintage returns the cached vintage of a dataset if it is the wanted one.
func (c *cache) vintage(id int, e *Entry) *Vintage {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, ok := c.byID[id]
	if !ok {
		return nil
	}
	v := at.Value.(*Vintage)
	if v.seq != e.seq || !v.Imported.Equal(e.Published) {
		return nil
	}
	c.lru.MoveToFront(at)
	return v
}

// add puts a vintage in place of the dataset's one. If another goroutine was
// first with the same vintage, that one is returned.
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

// grown counts the bytes that a vintage took since.
func (c *cache) grown(v *Vintage, bytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, ok := c.byID[v.Dataset.ID]
	if !ok || at.Value.(*Vintage) != v {
		return // dropped meanwhile: it lives only as long as its requests
	}
	v.weight += bytes
	c.used += bytes
	c.shrink()
}

// forget drops a dataset.
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
