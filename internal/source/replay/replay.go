// Package replay stands in for the offices' servers in tests: it serves real
// files under the offices' own paths, with their status codes and headers, and
// with the faults that a test asks for. One file a kind of servers; the files
// are read where they are and never copied.
//
// A server of a kind is an [http.Handler], often made of [Files], and [Serve]
// puts it on the loopback, records what it is asked, and lets faults happen.
package replay

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"
)

// Server is a server on the loopback that records what it was asked.
type Server struct {
	*httptest.Server
	Now func() time.Time // of Asked.At; time.Now if it is not set before the first request

	mu     sync.Mutex
	asked  []*Asked
	faults []*Fault
	closed chan struct{}
	close  sync.Once
}

// Asked is one request as the server saw it.
type Asked struct {
	Method string
	Path   string // with the query
	Header http.Header
	Body   string
	At     time.Time
	Status int // what was answered; 0 as long as nothing was
}

// maxBody bounds what is recorded of a request's body.
const maxBody = 1 << 20

// Serve starts a server for a handler. Close ends it.
func Serve(h http.Handler) *Server {
	s := &Server{Now: time.Now, closed: make(chan struct{})}
	s.Server = httptest.NewServer(s.recorded(h))
	return s
}

// ServeTLS is Serve by https, with a certificate that nobody knows.
func ServeTLS(h http.Handler) *Server {
	s := &Server{Now: time.Now, closed: make(chan struct{})}
	s.Server = httptest.NewUnstartedServer(s.recorded(h))
	// It would tell of each client that does not trust it.
	s.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	s.StartTLS()
	return s
}

// Close ends the server and what it is still answering.
func (s *Server) Close() {
	s.close.Do(func() { close(s.closed) })
	s.CloseClientConnections()
	s.Server.Close()
}

// Asked returns what the server was asked for, of requests whose path and query
// contain match.
func (s *Server) Asked(match string) []Asked {
	s.mu.Lock()
	defer s.mu.Unlock()
	var some []Asked
	for _, a := range s.asked {
		if strings.Contains(a.Path, match) {
			some = append(some, *a)
		}
	}
	return some
}

// Forget empties the record.
func (s *Server) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = nil
}

// recorded records requests and lets the faults happen.
func (s *Server) recorded(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Only when the body has been read does the context tell that the client
		// has gone.
		body, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		a := &Asked{Method: r.Method, Path: r.URL.RequestURI(), Header: r.Header.Clone(), Body: string(body), At: s.Now()}
		s.mu.Lock()
		s.asked = append(s.asked, a)
		s.mu.Unlock()
		noted := &notingWriter{ResponseWriter: w, server: s, asked: a}
		if f := s.faultFor(a.Path); f != nil {
			f.happen(s, noted, r, h)
		} else {
			h.ServeHTTP(noted, r)
		}
		noted.note(http.StatusOK)
	})
}

// notingWriter notes the status before the client can see it.
type notingWriter struct {
	http.ResponseWriter
	server *Server
	asked  *Asked
}

func (w *notingWriter) WriteHeader(status int) {
	w.note(status)
	w.ResponseWriter.WriteHeader(status)
}

func (w *notingWriter) Write(b []byte) (int, error) {
	w.note(http.StatusOK)
	return w.ResponseWriter.Write(b)
}

func (w *notingWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *notingWriter) note(status int) {
	w.server.mu.Lock()
	defer w.server.mu.Unlock()
	if w.asked.Status == 0 {
		w.asked.Status = status
	}
}
