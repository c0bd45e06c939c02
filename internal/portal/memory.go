package portal

import (
	"sync"
	"time"
)

// memory remembers what is slow to read and seldom changes: sizes of files, and what is around a
// dataset. Nothing depends on it being remembered.
type memory struct {
	now func() time.Time

	mutex sync.Mutex
	known map[string]remembered
}

type remembered struct {
	value   any
	expires time.Time // zero: never
}

// maxRemembered bounds the memory. If there are more, all are read again.
const maxRemembered = 20_000

// Lengths of time for which something is remembered.
const (
	forEver   = 0
	shortTime = 10 * time.Minute
)

func newMemory(now func() time.Time) *memory {
	return &memory{now: now, known: map[string]remembered{}}
}

// remember returns what is remembered under a key, else what read returns, which is then remembered
// for a time unless there is an error.
func remember[T any](m *memory, key string, long time.Duration, read func() (T, error)) (T, error) {
	m.mutex.Lock()
	one, ok := m.known[key]
	m.mutex.Unlock()
	if ok && (one.expires.IsZero() || m.now().Before(one.expires)) {
		return one.value.(T), nil
	}
	value, err := read()
	if err != nil {
		return value, err
	}
	one = remembered{value: value}
	if long != forEver {
		one.expires = m.now().Add(long)
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if len(m.known) >= maxRemembered {
		clear(m.known)
	}
	m.known[key] = one
	return value, nil
}
