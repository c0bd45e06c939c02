package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"
)

// workload is one case: requests with their answers, and how they are asked.
type workload struct {
	name        string // "(a)"
	what        string
	goal        float64 // of bare ÷ ours; 0 where none is set
	list        []exchange
	connections int
	requests    int
	strangers   bool // each request comes from another address, as a proxy tells it
}

// sample is one round of one server.
type sample struct {
	outcome
	cpu time.Duration // a request
}

// result is what all rounds of a case say.
type result struct {
	workload
	bare, ours []sample
	distinct   int
}

// ratios are bare ÷ ours, a round each, sorted.
func (r result) ratios() []float64 {
	var list []float64
	for i := range r.ours {
		list = append(list, float64(r.bare[i].cpu)/float64(r.ours[i].cpu))
	}
	slices.Sort(list)
	return list
}

// median of some figure of the samples.
func median[T interface{ ~float64 | ~int64 }](samples []sample, figure func(sample) T) T {
	var list []T
	for _, s := range samples {
		list = append(list, figure(s))
	}
	slices.Sort(list)
	return list[len(list)/2]
}

// rounds measures a case: bare and ours in turn, the first of a round
// changing with each.
func (h *harness) rounds(ctx context.Context, w workload, ours *process) (result, error) {
	fmt.Fprintf(h.log, "%s %s: %d queries\n", w.name, w.what, len(w.list))
	file := filepath.Join(h.o.dir, "exchanges.gob")
	defer os.Remove(file)
	if err := save(file, w.list); err != nil {
		return result{}, err
	}
	bare, err := start(ctx, h.self, "bare", file)
	if err != nil {
		return result{}, err
	}
	defer func() { _ = bare.stop() }()
	r := result{workload: w, distinct: len(w.list)}
	r.list = nil // answers may be large, and are on disk now
	for _, p := range []*process{bare, ours} {
		if _, err := h.round(ctx, w, p, file); err != nil {
			return r, fmt.Errorf("warming up: %w", err)
		}
	}
	for i := range h.o.rounds {
		pair := []*process{bare, ours}
		if i%2 == 1 {
			slices.Reverse(pair)
		}
		for _, p := range pair {
			s, err := h.round(ctx, w, p, file)
			if err != nil {
				return r, err
			}
			if p == bare {
				r.bare = append(r.bare, s)
			} else {
				r.ours = append(r.ours, s)
			}
		}
	}
	return r, nil
}

// round replays the case once against one server.
func (h *harness) round(ctx context.Context, w workload, p *process, file string) (sample, error) {
	before, err := p.cpu()
	if err != nil {
		return sample{}, err
	}
	o, err := h.load(ctx, w, p, file)
	if err != nil {
		return sample{}, err
	}
	after, err := p.cpu()
	return sample{o, (after - before) / time.Duration(o.Requests)}, err
}

// load runs the load generator as a process of its own.
func (h *harness) load(ctx context.Context, w workload, p *process, file string) (outcome, error) {
	h.seed++
	args := []string{"load", "-url", p.url, "-file", file,
		"-n", strconv.Itoa(w.requests), "-c", strconv.Itoa(w.connections), "-seed", strconv.FormatUint(h.seed, 10)}
	if w.strangers {
		args = append(args, "-strangers", strconv.FormatInt(h.strangers+1, 10))
		h.strangers += int64(w.requests)
	}
	cmd := exec.CommandContext(ctx, h.self, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return outcome{}, fmt.Errorf("%s: %w: %s", w.name, err, stderr.Bytes())
	}
	var o outcome
	if err := json.Unmarshal(stdout.Bytes(), &o); err != nil {
		return o, fmt.Errorf("load generator said %q: %w", stdout.Bytes(), err)
	}
	return o, nil
}
