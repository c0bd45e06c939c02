// Package replay replaces the offices' servers in tests. It serves real files
// under the offices' own paths, with their status codes and headers, and with the
// faults that a test requests. Each kind of server has a package below this one. The
// offices' files are read in place and never copied.
//
// The server of a kind is an [http.Handler], often made from [Files]. [Serve] runs it
// on the loopback interface, records the requests, and applies the faults.
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

// Server is a server on the loopback interface that records its requests.
type Server struct {
	*httptest.Server
	Now func() time.Time // for Request.At; set before the first request, default time.Now

	mu       sync.Mutex
	requests []*Request
	faults   []*Fault
	closed   chan struct{}
	close    sync.Once
}

// Request is a request that the server has received.
type Request struct {
	Method string
	Path   string // including the query
	Header http.Header
	Body   string
	At     time.Time
	Status int // of the response; 0 before it is sent
}

// maxBody limits the recorded part of a request's body.
const maxBody = 1 << 20

// Serve starts a server with a handler. Close stops it.
func Serve(h http.Handler) *Server {
	s := &Server{Now: time.Now, closed: make(chan struct{})}
	s.Server = httptest.NewServer(s.record(h))
	return s
}

// Move replaces the host of an address by the server.
func (s *Server) Move(address string) string {
	_, rest, ok := strings.Cut(address, "://")
	if !ok {
		return address
	}
	_, path, _ := strings.Cut(rest, "/")
	return s.URL + "/" + path
}

// ServeTLS is Serve with https and a self-signed certificate.
func ServeTLS(h http.Handler) *Server {
	s := &Server{Now: time.Now, closed: make(chan struct{})}
	s.Server = httptest.NewUnstartedServer(s.record(h))
	// The server would log every client that does not trust the certificate.
	s.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	s.StartTLS()
	return s
}

// Close stops the server and its running responses.
func (s *Server) Close() {
	s.close.Do(func() { close(s.closed) })
	s.CloseClientConnections()
	s.Server.Close()
}

// Requests returns the requests whose path and query contain match.
func (s *Server) Requests(match string) []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	var some []Request
	for _, a := range s.requests {
		if strings.Contains(a.Path, match) {
			some = append(some, *a)
		}
	}
	return some
}

// Forget clears the record.
func (s *Server) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = nil
}

// record returns a handler that records requests and applies the faults.
func (s *Server) record(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// The context reports a disconnected client only after the body has been
		// read.
		body, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		a := &Request{Method: r.Method, Path: r.URL.RequestURI(), Header: r.Header.Clone(), Body: string(body), At: s.Now()}
		s.mu.Lock()
		s.requests = append(s.requests, a)
		s.mu.Unlock()
		out := &statusWriter{ResponseWriter: w, server: s, request: a}
		if f := s.faultFor(a.Path); f != nil {
			f.serve(s, out, r, h)
		} else {
			h.ServeHTTP(out, r)
		}
		out.setStatus(http.StatusOK)
	})
}

// statusWriter records the status before the client can see it.
type statusWriter struct {
	http.ResponseWriter
	server  *Server
	request *Request
}

func (w *statusWriter) WriteHeader(status int) {
	w.setStatus(status)
	w.ResponseWriter.WriteHeader(status)
}

func (w *statusWriter) Write(b []byte) (int, error) {
	w.setStatus(http.StatusOK)
	return w.ResponseWriter.Write(b)
}

func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *statusWriter) setStatus(status int) {
	w.server.mu.Lock()
	defer w.server.mu.Unlock()
	if w.request.Status == 0 {
		w.request.Status = status
	}
}
