package text

import (
	"bytes"
	"strings"
)

// Cache holds what texts mean, so that each is read once. The text of the last call
// is found fastest: most records of a file repeat the one before. The zero value is
// ready to use.
type Cache[V any] struct {
	last   []byte
	value  V
	filled bool
	known  map[string]V
}

// maxCached bounds the memory for a file whose texts are all different.
const maxCached = 1 << 16

// Find returns the meaning of key. It calls read for a key that is not known; if read
// fails, nothing is kept.
func (c *Cache[V]) Find(key []byte, read func() (V, error)) (V, error) {
	if c.filled && bytes.Equal(key, c.last) {
		return c.value, nil
	}
	value, ok := c.known[string(key)]
	if !ok {
		var err error
		if value, err = read(); err != nil {
			return value, err
		}
		if c.known == nil {
			c.known = map[string]V{}
		}
		if len(c.known) < maxCached {
			c.known[string(key)] = value
		}
	}
	c.last, c.value, c.filled = append(c.last[:0], key...), value, true
	return value, nil
}

// Clip shortens a text for an error or a note.
func Clip(s string) string {
	if len(s) > 60 {
		return strings.ToValidUTF8(s[:60], "") + "…"
	}
	return s
}

// Interner keeps one copy of each text that many observations share, such as units and
// notes. The copy does not hold the line from which it was read.
type Interner map[string]string

// Keep returns the copy of text.
func (t Interner) Keep(text string) string {
	if text == "" {
		return ""
	}
	kept, ok := t[text]
	if !ok {
		kept = strings.Clone(text)
		t[kept] = kept
	}
	return kept
}
