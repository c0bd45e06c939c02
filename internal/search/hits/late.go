package hits

import (
	"fmt"
	"sync"

	"almanac/internal/search"
)

// late keeps what was read of datasets too late for its page, so that the next page with the same question has it.
type late struct {
	mu   sync.Mutex
	kept map[lateKey]details
}

// lateKey is a dataset and what a page asks of it.
type lateKey struct {
	id       int
	question string
}

// maxLate is the number of datasets of which something is kept. When it is reached, all are forgotten.
const maxLate = 200

// keyOf returns what the values of a page depend on: the query and the state of the index.
func keyOf(s *search.Search, q *search.Query) string {
	catalogue, offers := s.Generation()
	return fmt.Sprintf("%d %d %q %q %q", catalogue, offers, q.Language, q.Area, q.Text)
}

func (l *late) get(key lateKey) (d details, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	d, ok = l.kept[key]
	return d, ok
}

func (l *late) keep(key lateKey, d details) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.kept == nil || len(l.kept) >= maxLate {
		l.kept = map[lateKey]details{}
	}
	l.kept[key] = d
}
