package text

import "bytes"

// Cache remembers what texts mean, so that each is read once: most records of
// a file say the same as the one before. The zero value is ready; a file full
// of different texts makes it forget nothing, and remember no more.
type Cache[V any] struct {
	last   []byte
	value  V
	filled bool
	known  map[string]V
	room   []byte
}

// maxCached bounds the memory that a file with nonsense can take.
const maxCached = 1 << 16

// Begin is room for a key made of several texts, for the next Find.
func (c *Cache[V]) Begin() []byte { return c.room[:0] }

// Find is the meaning of key, which read finds out where it is not known. An
// error of read is handed on, and nothing remembered.
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

// Keep gives the room of a key back, to be used for the next one.
func (c *Cache[V]) Keep(key []byte) { c.room = key }
