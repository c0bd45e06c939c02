package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

// repeats is how often a whole dataset is asked for in a round, where the
// answer is ready.
const repeats = 30

// whole measures (e): the whole JSON of large datasets, asked for the first
// time and again. A first time can be had only once a server and dataset, so
// each round starts the server anew, brings the datasets into memory with a
// small query, and then asks.
func (h *harness) whole(ctx context.Context, s *stores, r *report) error {
	for _, coding := range []string{"identity", "zstd"} {
		if err := h.wholeIn(ctx, s, r, coding); err != nil {
			return fmt.Errorf("(e) in %s: %w", coding, err)
		}
	}
	return nil
}

func (h *harness) wholeIn(ctx context.Context, s *stores, r *report, coding string) error {
	w := workload{name: "(e)", what: fmt.Sprintf("whole dataset of %d observations, %s", h.o.size.Million, coding), connections: 1, requests: repeats}
	for _, d := range s.Million {
		w.list = append(w.list, exchange{URI: fmt.Sprintf("/api/datasets/%d", d.ID), Header: "Accept-Encoding", Value: coding})
	}
	if err := h.captureWhole(ctx, s, w.list); err != nil {
		return err
	}
	file := filepath.Join(h.o.dir, "exchanges.gob")
	defer os.Remove(file)
	if err := save(file, w.list); err != nil {
		return err
	}
	bare, err := start(ctx, h.self, "bare", file)
	if err != nil {
		return err
	}
	defer func() { _ = bare.stop() }()
	first, again := result{workload: w, distinct: len(w.list)}, result{workload: w, distinct: len(w.list)}
	first.what, first.requests = w.what+", first", len(w.list)
	again.what, again.goal = w.what+", again", 0.5
	if coding == "identity" {
		first.goal = 0.08 // compressing once costs more than sending a hundred times
	}
	first.list, again.list = nil, nil
	for range h.o.rounds {
		b, err := h.round(ctx, w, bare, file)
		if err != nil {
			return err
		}
		one, two, growth, err := h.wholeRound(ctx, s, first.workload, file)
		if err != nil {
			return err
		}
		first.bare, first.ours = append(first.bare, b), append(first.ours, one)
		again.bare, again.ours = append(again.bare, b), append(again.ours, two)
		r.streams = append(r.streams, stream{coding, growth, one.FirstByte})
	}
	r.results = append(r.results, first, again)
	r.wholeSize = max(r.wholeSize, len(w.list[0].Body))
	return nil
}

// wholeRound asks a new server for each large dataset, and then again.
func (h *harness) wholeRound(ctx context.Context, s *stores, w workload, file string) (first, again sample, growth int64, err error) {
	p, err := h.serve(ctx, s.Main)
	if err != nil {
		return first, again, 0, err
	}
	defer func() { _ = p.stop() }()
	if err := h.bringIn(ctx, s, p); err != nil {
		return first, again, 0, err
	}
	growth, err = p.growth(func() (err error) {
		first, err = h.round(ctx, w, p, file)
		return err
	})
	if err != nil {
		return first, again, 0, err
	}
	w.requests = repeats
	again, err = h.round(ctx, w, p, file)
	return first, again, growth, err
}

// bringIn has the server read the large datasets into memory, which takes a
// query that needs all of them: one that selects codes is answered from a part
// of the file.
func (h *harness) bringIn(ctx context.Context, s *stores, p *process) error {
	var uris []string
	for _, d := range s.Million {
		uris = append(uris, dataURI(d.ID, []string{"latest=true"}))
	}
	return capture(ctx, p.url, gets(uris), http.StatusOK)
}

func (h *harness) captureWhole(ctx context.Context, s *stores, list []exchange) error {
	p, err := h.serve(ctx, s.Main)
	if err != nil {
		return err
	}
	defer func() { _ = p.stop() }()
	return capture(ctx, p.url, list, http.StatusOK)
}

// stream is what was seen while large datasets were sent for the first time.
type stream struct {
	coding    string
	growth    int64 // of the server's memory, bytes
	firstByte time.Duration
}
