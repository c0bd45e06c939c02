package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// harness runs the cases one after another.
type harness struct {
	o    options
	self string // this program, for its other roles
	log  io.Writer
	seed uint64 // of the next order of requests

	strangers int64 // addresses that have been asked from
}

// runAll measures everything and reports it.
func runAll(ctx context.Context, o options, stdout, log io.Writer) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if o.pictures != "" {
		return (&harness{o: o, self: self, log: log}).pictures(ctx, o.pictures)
	}
	if o.almanac == "" {
		o.almanac = filepath.Join(o.dir, "almanac")
		build := exec.CommandContext(ctx, "go", "build", "-o", o.almanac, "almanac/cmd/almanac")
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("building almanac: %w\n%s", err, out)
		}
	}
	h := &harness{o: o, self: self, log: log}
	if o.charts {
		return h.chartsOnly(ctx, stdout)
	}
	if o.files {
		return h.filesOnly(ctx, stdout)
	}
	if o.sync {
		return h.syncOnly(ctx, stdout)
	}
	s, err := fill(ctx, o, log)
	if err != nil {
		return err
	}
	if o.meter {
		return h.meterOnly(ctx, s, stdout)
	}
	r := &report{options: o}
	parts := []func(context.Context, *stores, *report) error{h.reads, h.catalog, h.whole, h.cold, h.readiness, h.imports, h.files, h.sync, h.meter}
	if o.only != "" {
		parts = parts[:2] // those made of cases
		if strings.Contains(o.only, "(e)") {
			parts = append(parts, h.whole)
		}
	}
	for _, part := range parts {
		if err := part(ctx, s, r); err != nil {
			return err
		}
	}
	if o.only != "" {
		var table strings.Builder
		r.cases(&table)
		_, err := io.WriteString(stdout, table.String())
		return err
	}
	if err := h.charts(ctx, r); err != nil {
		return err
	}
	text := r.markdown()
	if o.write != "" {
		if err := os.WriteFile(o.write, []byte(text), 0o644); err != nil {
			return err
		}
	}
	_, err = io.WriteString(stdout, text)
	return err
}

// serve starts the server to be measured. Its anonymous callers have no limit
// unless flags say otherwise.
func (h *harness) serve(ctx context.Context, dir string, flags ...string) (*process, error) {
	if flags == nil {
		flags = []string{"--limits", "anonymous=unlimited"}
	}
	p, err := start(ctx, h.o.almanac, append([]string{"serve", "--data", dir, "--listen", "127.0.0.1:0"}, flags...)...)
	if err != nil {
		return nil, fmt.Errorf("%w\nIf the layout of stores has changed since it was filled, remove %s", err, filepath.Dir(dir))
	}
	return p, nil
}

// small makes the workload of a case with small answers.
func (h *harness) small(name, what string, goal float64, uris []string) workload {
	return workload{name: name, what: what, goal: goal, list: gets(uris), connections: 16, requests: h.o.requests}
}

// reads measures the cases on the main store: (a), (f), (b), (c), (g).
func (h *harness) reads(ctx context.Context, s *stores, r *report) error {
	p, err := h.serve(ctx, s.Main)
	if err != nil {
		return err
	}
	defer func() { _ = p.stop() }()
	random := rand.New(rand.NewPCG(h.o.seed, 1))
	cases := h.smallReads(s, random)
	if s.Sparse != 0 {
		uris, err := sparseQueries(ctx, p.url, s.Sparse, random, h.o.queries)
		if err != nil {
			return err
		}
		cases = append(cases, h.small("(g)", "sparse partner data, tran_r_rapa", 0.55, uris))
	}
	cache := filepath.Join(s.Main, "cache")
	before := filesIn(cache)
	for i, w := range cases {
		if err := h.measure(ctx, w, p, r); err != nil {
			return err
		}
		if i == 0 {
			r.kept = filesIn(cache) - before
		}
	}
	return h.measure(ctx, notModified(h, cases[0]), p, r)
}

// smallReads are the cases (a), (b) and (c).
func (h *harness) smallReads(s *stores, random *rand.Rand) []workload {
	return []workload{
		h.small("(a)", "one series, 5 countries, 20 periods", 0.55, s.seriesQueries(random, h.o.queries)),
		h.small("(b)", "/latest", 0.7, s.everyDataset("/api/datasets/%d/latest")),
		h.small("(b)", "/latest of a chosen series and country", 0, s.latestQueries(random, h.o.queries)),
		h.small("(c)", "metadata", 0.8, s.everyDataset("/api/datasets/%d/meta")),
	}
}

// filesIn counts the files in a folder, none where there is no folder.
func filesIn(dir string) int {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return 0
	}
	return len(entries)
}

// measure captures the answers of a case, runs its rounds and reports them.
func (h *harness) measure(ctx context.Context, w workload, p *process, r *report) error {
	if h.o.only != "" && !strings.Contains(h.o.only, w.name) && !(w.name == "(a)" && strings.Contains(h.o.only, "(f)")) {
		return nil // (f) asks again what (a) was answered
	}
	want := http.StatusOK
	if w.name == "(f)" {
		want = http.StatusNotModified
	}
	if err := capture(ctx, p.url, w.list, want); err != nil {
		return fmt.Errorf("%s: %w", w.name, err)
	}
	result, err := h.rounds(ctx, w, p)
	if err != nil {
		return err
	}
	r.results = append(r.results, result)
	return nil
}

// notModified asks again what was answered, with the tag of the answer.
func notModified(h *harness, answered workload) workload {
	w := h.small("(f)", "304 Not Modified to the queries of (a)", 0.8, nil)
	for _, e := range answered.list {
		w.list = append(w.list, exchange{URI: e.URI, Header: "If-None-Match", Value: e.ETag})
	}
	return w
}

// catalog measures (d) on the store with many datasets.
func (h *harness) catalog(ctx context.Context, s *stores, r *report) error {
	p, err := h.serve(ctx, s.Catalog)
	if err != nil {
		return err
	}
	defer func() { _ = p.stop() }()
	total := h.o.size.Catalog
	all, german := catalogPages(total, ""), catalogPages(total/2, "DE")
	for _, w := range []workload{
		h.small("(d)", "catalog page of 100", 0.6, all),
		h.small("(d)", "catalog page of 100 with country=DE", 0.6, german),
		h.small("(d)", "last catalog page", 0.6, all[len(all)-1:]),
		h.small("(d)", "last catalog page with country=DE", 0.6, german[len(german)-1:]),
	} {
		if err := h.measure(ctx, w, p, r); err != nil {
			return err
		}
	}
	return nil
}
