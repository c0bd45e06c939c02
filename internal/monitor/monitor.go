// Package monitor shows an operator what a running server does: its health, metrics,
// profiles, and a log of requests.
//
// Health, metrics and profiles are for a listener that only the operator reaches
// ([Monitor.Handler]). Requests are measured and logged where they come in
// ([Monitor.Measure]). The names of metrics are those of OpenTelemetry's conventions for
// HTTP as Prometheus writes them; numbers of the program begin with almanac_.
package monitor

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/pprof"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Options configure a [Monitor].
type Options struct {
	// Version is the version of the program.
	Version string
	// Log receives numbers that cannot be read.
	Log *slog.Logger
	// AccessLog gets a line of JSON for each request, in one call of Write; nil: there is none.
	AccessLog io.Writer
	// Now is the clock; nil: time.Now.
	Now func() time.Time
}

// Monitor watches one server.
type Monitor struct {
	log        *slog.Logger
	now        func() time.Time
	registry   *prometheus.Registry
	durations  *prometheus.HistogramVec
	active     prometheus.Gauge
	service    atomic.Pointer[Service] // nil: it is not started
	isStopping atomic.Bool
	accessLog  *accessLog // nil: there is none
}

// Service is what a server serves once it is started.
type Service struct {
	// Ready returns an error if what serving needs does not work.
	Ready func(context.Context) error
	// Network returns the network of the client of a request.
	Network func(*http.Request) netip.Prefix
	// Pages are the pages of the listener of the operator.
	Pages http.Handler
}

// New returns the monitor of a server that is not started.
func New(o Options) *Monitor {
	if o.Now == nil {
		o.Now = time.Now
	}
	m := &Monitor{
		log: o.Log, now: o.Now, registry: prometheus.NewRegistry(),
		durations: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "http_server_request_duration_seconds",
			Help: "Time from the first byte of a request to the last byte of its response.",
			// Those of OpenTelemetry's conventions.
			Buckets: []float64{0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10},
		}, []string{"http_request_method", "http_route", "http_response_status_code"}),
		active: prometheus.NewGauge(prometheus.GaugeOpts{Name: "http_server_active_requests", Help: "Requests under way."}),
	}
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "almanac_build_info", Help: "The version of the program; always 1.", ConstLabels: prometheus.Labels{"version": o.Version},
	})
	build.Set(1)
	m.registry.MustRegister(m.durations, m.active, build, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	if o.AccessLog != nil {
		m.accessLog = newAccessLog(o.AccessLog)
		m.Add(Figure{
			Name: "almanac_access_log_errors_total", Help: "Lines that could not be written to the log of requests.", IsTotal: true,
			Read: func(context.Context) ([]Value, error) { return Number(m.accessLog.errors.Load()) },
		})
	}
	return m
}

// Start says that the server serves from now on.
func (m *Monitor) Start(s Service) { m.service.Store(&s) }

// Stop says that the server will soon end: it is not ready any more, and each response
// asks its client to close the connection, so that the next request can go elsewhere.
func (m *Monitor) Stop() { m.isStopping.Store(true) }

// Handler answers health checks and requests for metrics and profiles, and serves the
// pages of the operator. It needs no key, so only operators may reach it.
func (m *Monitor) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) { sendHealth(w, "") })
	mux.HandleFunc("GET /startupz", func(w http.ResponseWriter, _ *http.Request) {
		if m.service.Load() == nil {
			sendHealth(w, "the server is starting")
			return
		}
		sendHealth(w, "")
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) { sendHealth(w, m.unready(r.Context())) })
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{
		ErrorHandling: promhttp.ContinueOnError, ErrorLog: slog.NewLogLogger(m.log.Handler(), slog.LevelWarn),
	}))
	// The command line has no profile, because it may have secrets.
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if s := m.service.Load(); s != nil {
			s.Pages.ServeHTTP(w, r)
			return
		}
		sendHealth(w, "the server is starting")
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		w.Header().Set("Cache-Control", "no-store")
		mux.ServeHTTP(w, r)
	})
}

// unready returns why the server should get no requests; empty: it should.
func (m *Monitor) unready(ctx context.Context) string {
	s := m.service.Load()
	switch {
	case s == nil:
		return "the server is starting"
	case m.isStopping.Load():
		return "the server is stopping"
	}
	if err := s.Ready(ctx); err != nil {
		return err.Error()
	}
	return ""
}

// sendHealth sends 200, or 503 with what is wrong.
func sendHealth(w http.ResponseWriter, wrong string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	if wrong == "" {
		_, _ = w.Write([]byte("ok\n"))
		return
	}
	w.WriteHeader(http.StatusServiceUnavailable)
	_, _ = w.Write([]byte(wrong + "\n"))
}
