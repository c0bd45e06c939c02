package replay

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"time"
)

// Fault is a fault of a server. It applies to the first Times requests (0: all) whose path
// and query contain Match. If several faults match, the one added first applies until its
// Times are over. Delay can be combined with all others; Cut, Length and Slow damage the
// regular response.
type Fault struct {
	Match  string
	Times  int
	Status int           // responds with this status, without data
	After  string        // value of Retry-After
	Cut    int64         // closes the connection after this many bytes of the body; if negative, before the response
	Length int64         // states this many bytes more than are sent
	Slow   time.Duration // between two bytes
	Delay  time.Duration // before the response
	Page   bool          // responds with 200 and an HTML page
	To     string        // redirects to this address
	Body   string        // responds with 200 (or Status) and this body

	applied int // number of requests
}

// page is the HTML page of a server under maintenance.
const page = "<!DOCTYPE html>\n<html><head><title>Maintenance</title></head><body><h1>We will be back soon</h1></body></html>\n"

// Fault adds a fault.
func (s *Server) Fault(f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, &f)
}

// Mend removes all faults.
func (s *Server) Mend() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = nil
}

// faultFor counts and returns the fault that applies to a request, or nil.
func (s *Server) faultFor(path string) *Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.faults {
		if strings.Contains(path, f.Match) && (f.Times == 0 || f.applied < f.Times) {
			f.applied++
			return f
		}
	}
	return nil
}

// serve responds with the fault.
func (f *Fault) serve(s *Server, w http.ResponseWriter, r *http.Request, h http.Handler) {
	if f.Delay > 0 {
		s.wait(r, f.Delay)
	}
	if f.After != "" {
		w.Header().Set("Retry-After", f.After)
	}
	switch {
	case f.Cut < 0:
		panic(http.ErrAbortHandler)
	case f.To != "":
		status := http.StatusFound
		if f.Status != 0 {
			status = f.Status
		}
		w.Header().Set("Location", f.To)
		w.WriteHeader(status)
	case f.Page:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, page)
	case f.Status != 0 || f.Body != "":
		status := http.StatusOK
		if f.Status != 0 {
			status = f.Status
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, f.Body)
	case f.Cut > 0 || f.Length > 0 || f.Slow > 0:
		f.damage(s, w, r, h)
	default:
		h.ServeHTTP(w, r)
	}
}

// damage sends the handler's response with Cut, Length and Slow.
func (f *Fault) damage(s *Server, w http.ResponseWriter, r *http.Request, h http.Handler) {
	regular := httptest.NewRecorder()
	h.ServeHTTP(regular, r)
	body := regular.Body.Bytes()
	for name, values := range regular.Header() {
		w.Header()[name] = values
	}
	if len(body) > 0 {
		w.Header().Set("Content-Length", strconv.FormatInt(int64(len(body))+f.Length, 10))
	}
	w.WriteHeader(regular.Code)
	flush := http.NewResponseController(w).Flush
	if f.Slow > 0 {
		for i := range body {
			_, _ = w.Write(body[i : i+1])
			_ = flush()
			s.wait(r, f.Slow)
		}
		return
	}
	isCut := f.Cut > 0 && f.Cut < int64(len(body))
	if isCut {
		body = body[:f.Cut]
	}
	_, _ = w.Write(body)
	_ = flush()
	if isCut || f.Length > 0 {
		panic(http.ErrAbortHandler)
	}
}

// wait waits for d. It aborts the request if the client or the server closes.
func (s *Server) wait(r *http.Request, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-r.Context().Done():
		panic(http.ErrAbortHandler)
	case <-s.closed:
		panic(http.ErrAbortHandler)
	}
}
