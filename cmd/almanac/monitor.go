package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"

	"almanac/internal/api"
	"almanac/internal/monitor"
	"almanac/internal/update"
	"almanac/internal/watch"
)

// serveAdmin serves health, metrics, profiles and the page of the operator on an address
// of its own, if there is one, until stop is called. Before the server is started, it
// answers that it is starting.
func (c *serveCmd) serveAdmin(log *slog.Logger, stderr io.Writer) (stop func(), err error) {
	if c.AdminListen == "" {
		return func() {}, nil
	}
	listener, err := net.Listen("tcp", string(c.AdminListen))
	if err != nil {
		return nil, listenError("--admin-listen", string(c.AdminListen), err)
	}
	server := newHTTPServer(c.monitor.Handler(), log)
	go server.Serve(listener)
	fmt.Fprintf(stderr, "for the operator: %s/admin, /metrics, /livez, /readyz, /startupz and /debug/pprof/\n", addressOf(listener))
	return func() { server.Close() }, nil
}

// newMonitor returns the monitor of the server, with the log of requests.
func (c *serveCmd) newMonitor(atExit *cleanups, log *slog.Logger, stderr io.Writer) (*monitor.Monitor, error) {
	o := monitor.Options{Version: version(), Log: log}
	switch c.AccessLog {
	case "":
	case "stderr":
		o.AccessLog = redacted{stderr}
	default:
		file, err := os.OpenFile(c.AccessLog, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, fmt.Errorf("log of requests: %w", err)
		}
		atExit.add(file.Close)
		o.AccessLog = redacted{file}
	}
	return monitor.New(o), nil
}

// startMonitor says that the server serves, and adds its numbers to the metrics.
func (c *serveCmd) startMonitor(o *api.Options, service *api.API, encryption *certificate) {
	c.monitor.Add(service.Figures()...)
	c.monitor.Add(c.imports.figure())
	c.monitor.Add(storeFigures(o)...)
	if encryption != nil {
		c.monitor.Add(encryption.figure())
	}
	c.monitor.Start(monitor.Service{Ready: service.Ready, Network: service.ClientNetwork, Pages: c.pages.Admin()})
}

// importCounts counts the imports of a server by the source and by what became of them.
type importCounts struct {
	mu     sync.Mutex
	counts map[[2]string]uint64
}

// add counts an event of the updater if it is the end of an import.
func (o *importCounts) add(e update.Event) {
	if e.Stage != update.Finished || e.Entry == nil {
		return
	}
	source, _, hasSource := strings.Cut(e.Ref, ":")
	if !hasSource || strings.Contains(e.Ref, "://") {
		source = "addresses"
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.counts == nil {
		o.counts = map[[2]string]uint64{}
	}
	o.counts[[2]string{source, e.Entry.Status}]++
}

func (o *importCounts) figure() monitor.Figure {
	return monitor.Figure{
		Name: "almanac_imports_total", Help: "Datasets that this server fetched, by what became of them.", IsTotal: true, Labels: []string{"source", "status"},
		Read: func(context.Context) (values []monitor.Value, err error) {
			o.mu.Lock()
			defer o.mu.Unlock()
			for _, key := range slices.SortedFunc(maps.Keys(o.counts), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
				values = append(values, monitor.Value{Number: float64(o.counts[key]), Labels: key[:]})
			}
			return values, nil
		},
	}
}

// storeFigures are the numbers of the store and of what is kept up to date.
func storeFigures(o *api.Options) []monitor.Figure {
	figures := []monitor.Figure{
		{
			Name: "almanac_datasets", Help: "Datasets that are served.",
			Read: func(context.Context) ([]monitor.Value, error) { return monitor.Number(len(o.Store.Catalog().Entries)) },
		},
		{
			Name: "almanac_quarantined_datasets", Help: "Datasets with an update that waits in quarantine.",
			Read: func(ctx context.Context) ([]monitor.Value, error) {
				held, err := o.Store.Quarantined(ctx)
				if err != nil {
					return nil, err
				}
				return monitor.Number(len(held))
			},
		},
		{
			Name: "almanac_damaged_versions", Help: "Versions whose file is damaged or lost.",
			Read: func(context.Context) ([]monitor.Value, error) { return monitor.Number(len(o.Store.Damages())) },
		},
	}
	if o.Watches == nil {
		return figures
	}
	// byOffice reads a number of each office.
	byOffice := func(name, help string, number func(watch.Office) float64) monitor.Figure {
		return monitor.Figure{Name: name, Help: help, Labels: []string{"source"}, Read: func(ctx context.Context) (values []monitor.Value, err error) {
			offices, err := o.Watches.Offices(ctx)
			for _, office := range offices {
				if n := number(office); n != 0 {
					values = append(values, monitor.Value{Number: n, Labels: []string{office.ID}})
				}
			}
			return values, err
		}}
	}
	return append(figures,
		byOffice("almanac_watched_datasets", "Datasets that are kept up to date.", func(w watch.Office) float64 { return float64(w.Watched) }),
		byOffice("almanac_failing_datasets", "Datasets whose last update failed.", func(w watch.Office) float64 { return float64(w.Failing) }),
		byOffice("almanac_source_last_success_timestamp_seconds", "When a source last sent a usable response.", func(w watch.Office) float64 {
			if w.LastSuccess.IsZero() {
				return 0
			}
			return float64(w.LastSuccess.Unix())
		}),
	)
}

// newHTTPServer returns a server with the limits of a connection.
func newHTTPServer(handler http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler: handler,
		// No WriteTimeout: a whole dataset may take long over a slow connection.
		ReadHeaderTimeout: headerTimeout, ReadTimeout: headerTimeout, IdleTimeout: idleTimeout,
		MaxHeaderBytes:               maxHeaderBytes,
		ErrorLog:                     slog.NewLogLogger(log.Handler(), slog.LevelWarn),
		DisableGeneralOptionsHandler: true, // api answers OPTIONS * too
	}
}
