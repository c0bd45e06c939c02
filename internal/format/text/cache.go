package text

import "bytes"

// Cache remembers what texts mean, so that each is read once. The text of the
// last call is fastest to find: most records of a file repeat the one before.
// The zero value is ready to use.
type Cache[V any] struct {
	last   []byte
	value  V
	filled bool
	known  map[string]V
}

// maxCached bounds the memory that a file of ever new texts can take.
const maxCached = 1 << 16

// Find returns the meaning of key, which read finds out where it is not known.
// An error of read is returned, and nothing is remembered.
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
