package text

import "strings"

// Cache holds what texts mean, so that each is read once. Texts of recent calls are found
// fastest. The zero value is ready to use.
type Cache[V any] struct {
	recent []meaning[V] // by hash
	known  map[string]meaning[V]
}

type meaning[V any] struct {
	text    string
	value   V
	isKnown bool
}

// maxCached bounds the memory for a file whose texts are all different.
const maxCached = 1 << 16

// Find returns the meaning of key. It calls read for a key that is not known; if read
// fails, nothing is kept.
func (c *Cache[V]) Find(key []byte, read func() (V, error)) (V, error) { return find(c, key, read) }

// FindText is [Cache.Find] for a string.
func (c *Cache[V]) FindText(key string, read func() (V, error)) (V, error) {
	return find(c, key, read)
}

func find[V any, K []byte | string](c *Cache[V], key K, read func() (V, error)) (V, error) {
	if c.recent == nil {
		c.recent, c.known = make([]meaning[V], 256), map[string]meaning[V]{}
	}
	recent := &c.recent[hashOf(key)]
	if recent.isKnown && recent.text == string(key) {
		return recent.value, nil
	}
	m, ok := c.known[string(key)]
	if !ok {
		value, err := read()
		if err != nil {
			return value, err
		}
		m = meaning[V]{strings.Clone(string(key)), value, true}
		if len(c.known) < maxCached {
			c.known[m.text] = m
		}
	}
	*recent = m
	return m.value, nil
}

// hashOf uses up to 31 bytes of a text.
func hashOf[K []byte | string](key K) uint8 {
	h := uint32(len(key))
	for i := 0; i < len(key); i += 1 + len(key)/32 {
		h = h*31 + uint32(key[i])
	}
	return uint8(h ^ h>>8)
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
