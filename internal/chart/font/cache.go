package font

import (
	"strings"
	"sync"

	"almanac/internal/chart/scene"
)

// Shaped texts are cached, because the same labels, ticks and notes appear in every
// picture of a dataset, and shaping costs a hundred times as much as a lookup.
const (
	maxCachedBytes = 400    // length of a cached text
	maxGeneration  = 40_000 // glyphs of a generation, plus one for each text
)

type key struct {
	text   string
	weight scene.Weight
}

// lines is a cache of shaped texts in two generations: the texts requested since the
// young generation was last full, and those before.
type lines struct {
	mu         sync.Mutex
	young, old map[key]*line
	size       int // of young
}

var cache lines

// shaped returns a text shaped at size 1. The caller must not change it.
func shaped(text string, w scene.Weight) *line {
	if w != scene.Bold {
		w = scene.Regular
	}
	if l := cache.find(text, w); l != nil {
		return l
	}
	s := shapers.Get().(*shaper)
	defer shapers.Put(s)
	l := s.shape(text, w)
	if len(text) <= maxCachedBytes {
		cache.put(key{strings.Clone(text), w}, l)
	}
	return l
}

func (c *lines) find(text string, w scene.Weight) *line {
	k := key{text, w}
	c.mu.Lock()
	defer c.mu.Unlock()
	if l, ok := c.young[k]; ok {
		return l
	}
	l, ok := c.old[k]
	if !ok {
		return nil
	}
	c.add(key{strings.Clone(text), w}, l)
	return l
}

func (c *lines) put(k key, l *line) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.add(k, l)
}

func (c *lines) add(k key, l *line) {
	if c.young == nil || c.size > maxGeneration {
		c.old, c.young, c.size = c.young, map[key]*line{}, 0
	}
	c.young[k] = l
	c.size += 1 + len(l.glyphs)
}
