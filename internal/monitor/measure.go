package monitor

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"almanac/internal/trace"
)

// response measures the response to a request.
type response struct {
	http.ResponseWriter
	route   string
	status  int // 0: not begun
	bytes   int64
	isWhole bool // the handler has returned
	span    trace.Span
}

// responses has responses that are sent.
var responses = sync.Pool{New: func() any { return new(response) }}

// SetRoute tells which route answers a request, by the pattern of its addresses. Without
// it, the metrics and the log have no route.
func SetRoute(w http.ResponseWriter, pattern string) {
	for {
		switch wrapper := w.(type) {
		case *response:
			wrapper.route = pattern
			return
		case interface{ Unwrap() http.ResponseWriter }:
			w = wrapper.Unwrap()
		default:
			return
		}
	}
}

// WriteHeader sends a status.
func (w *response) WriteHeader(status int) {
	if w.status == 0 && status >= http.StatusOK {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write writes a part of the body.
func (w *response) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(b)
	w.bytes += int64(n)
	return n, err
}

// ReadFrom copies a part of the body, in the kernel where it can.
func (w *response) ReadFrom(r io.Reader) (int64, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	n, err := io.Copy(w.ResponseWriter, r)
	w.bytes += n
	return n, err
}

// Unwrap is for [http.ResponseController].
func (w *response) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Measure measures the responses of a handler. While the server is stopping, they close
// their connections.
func (m *Monitor) Measure(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if m.isStopping.Load() {
			w.Header()["Connection"] = []string{"close"}
		}
		began := m.now()
		m.active.Inc()
		measured := responses.Get().(*response)
		*measured = response{ResponseWriter: w}
		r, measured.span = trace.BeginRequest(r)
		defer func() {
			m.active.Dec()
			m.record(measured, r, began)
			if measured.isWhole { // after a panic, the handler may still use it
				*measured = response{}
				responses.Put(measured)
			}
		}()
		next.ServeHTTP(measured, r)
		measured.isWhole = true
	})
}

func (m *Monitor) record(w *response, r *http.Request, began time.Time) {
	ended := m.now()
	took := ended.Sub(began)
	if w.status == 0 {
		w.status = http.StatusOK
	}
	m.durations.WithLabelValues(methodOf(r), w.route, strconv.Itoa(w.status)).Observe(took.Seconds())
	if w.span.IsRecorded() {
		describe(w, r)
	}
	w.span.End(nil)
	if s := m.service.Load(); m.accessLog != nil && s != nil {
		m.accessLog.add(ended, w, r, s.Network(r), took)
	}
}

// describe says of the span of a request what the access log says, by the conventions of servers.
func describe(w *response, r *http.Request) {
	method, scheme := methodOf(r), "http"
	if r.TLS != nil {
		scheme = "https"
	}
	w.span.SetName(strings.TrimSpace(method + " " + w.route))
	w.span.Set("http.request.method", method)
	w.span.Set("url.scheme", scheme)
	if w.route != "" {
		w.span.Set("http.route", w.route)
		w.span.Set("url.path", pathOf(w.route, r.URL))
	}
	w.span.SetNumber("http.response.status_code", int64(w.status))
	w.span.SetNumber("http.response.body.size", w.bytes)
	if w.status >= http.StatusInternalServerError || !w.isWhole {
		w.span.Fail()
	}
}

// methodOf returns the method of a request, and one name for all that are unknown, so
// that callers cannot make up labels.
func methodOf(r *http.Request) string {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodOptions, http.MethodPatch, http.MethodTrace, http.MethodConnect:
		return r.Method
	}
	return "_OTHER"
}
