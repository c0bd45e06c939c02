package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A crowd has so many connections, and asks so many times as much in a round as
// the cases do, so that a round is not over at once.
const (
	crowdConnections = 256
	crowdShare       = 3
)

// meterReport is what was measured of keys and the meter.
type meterReport struct {
	keyed  []result // what a key costs: bare is the server without one
	crowds []rate
	checks []check // one for each kind of key
}

// rate is how many requests a second a crowd was answered.
type rate struct {
	what    string
	goal    float64 // requests a second; 0: none
	samples []sample
}

// meter measures what it costs that requests have a key and are counted. The
// main store gets a register of callers for it, which goes when it is measured.
func (h *harness) meter(ctx context.Context, s *stores, r *report) error {
	r.metered = &meterReport{}
	for _, part := range []func(context.Context, *stores, *meterReport) error{h.keyedReads, h.strangerReads, h.keyChecks} {
		if err := part(ctx, s, r.metered); err != nil {
			return fmt.Errorf("keys and the meter: %w", err)
		}
	}
	return nil
}

// meterOnly measures keys and the meter and nothing else, and prints their
// section.
func (h *harness) meterOnly(ctx context.Context, s *stores, stdout io.Writer) error {
	r := &report{options: h.o}
	if err := h.meter(ctx, s, r); err != nil {
		return err
	}
	var section strings.Builder
	r.metered.write(&section)
	return h.hand(stdout, meterHeading, section.String())
}

// keyedReads measures the cases (a), (b) and (c) without a key, when nothing is
// counted, and with one, in turn on one server; and then a crowd of both.
func (h *harness) keyedReads(ctx context.Context, s *stores, r *meterReport) error {
	defer h.forgetCallers(s.Main)
	key, err := h.makeKey(ctx, s.Main)
	if err != nil {
		return err
	}
	p, err := h.serve(ctx, s.Main, "--limits", "anonymous=unlimited,pro=1000000000")
	if err != nil {
		return err
	}
	defer func() { _ = p.stop() }()
	cases := h.smallReads(s, rand.New(rand.NewPCG(h.o.seed, 1)))
	for _, w := range cases {
		w.goal = 0.8
		result, err := h.keyedRounds(ctx, w, p, key.Key)
		if err != nil {
			return err
		}
		r.keyed = append(r.keyed, result)
	}
	crowd := cases[len(cases)-1]
	crowd.connections, crowd.requests = crowdConnections, crowdShare*h.o.requests
	both, err := h.keyedRounds(ctx, crowd, p, key.Key)
	r.crowds = append(r.crowds,
		rate{what: "without a key, nothing counted", samples: both.bare},
		rate{what: "one key, limit of a thousand million", goal: 20_000, samples: both.ours})
	return err
}

// keyedRounds measures a case without and with a key, in turn. In the result
// bare is what was measured without.
func (h *harness) keyedRounds(ctx context.Context, w workload, p *process, key string) (result, error) {
	fmt.Fprintf(h.log, "%s %s, with a key and without, %d connections\n", w.name, w.what, w.connections)
	if err := capture(ctx, p.url, w.list, http.StatusOK); err != nil {
		return result{}, fmt.Errorf("%s: %w", w.name, err)
	}
	keyed := slices.Clone(w.list)
	for i := range keyed {
		keyed[i].Header, keyed[i].Value = "X-API-Key", key
	}
	r := result{workload: w, distinct: len(w.list)}
	r.list = nil
	turns := []struct {
		file    string
		list    []exchange
		samples *[]sample
	}{{"without.gob", w.list, &r.bare}, {"with.gob", keyed, &r.ours}}
	for i := range turns {
		turns[i].file = filepath.Join(h.o.dir, turns[i].file)
		defer os.Remove(turns[i].file)
		if err := save(turns[i].file, turns[i].list); err != nil {
			return r, err
		}
	}
	for i := range h.o.rounds + 1 {
		for _, t := range turns {
			one, err := h.round(ctx, w, p, t.file)
			if err != nil {
				return r, err
			}
			if i > 0 { // the first round warms up
				*t.samples = append(*t.samples, one)
			}
		}
		slices.Reverse(turns)
	}
	return r, nil
}

// strangerReads measures the worst case of the meter: each request is the first
// of its caller, so that each is a new row in the database, and nothing can be
// counted in advance.
func (h *harness) strangerReads(ctx context.Context, s *stores, r *meterReport) error {
	defer h.forgetCallers(s.Main)
	p, err := h.serve(ctx, s.Main, "--limits", "anonymous=100", "--trusted-proxies", "127.0.0.1/32")
	if err != nil {
		return err
	}
	defer func() { _ = p.stop() }()
	w := workload{what: "a new caller with each request", connections: crowdConnections, requests: crowdShare * h.o.requests, strangers: true}
	// One caller cannot capture many answers with a limit of a hundred.
	w.list = gets(s.everyDataset("/api/datasets/%d/meta"))[:min(50, len(s.Small))]
	if err := capture(ctx, p.url, w.list, http.StatusOK); err != nil {
		return err
	}
	fmt.Fprintf(h.log, "%s, %d connections\n", w.what, w.connections)
	file := filepath.Join(h.o.dir, "exchanges.gob")
	defer os.Remove(file)
	if err := save(file, w.list); err != nil {
		return err
	}
	worst := rate{what: w.what + ", limit of 100"}
	for i := range h.o.rounds + 1 {
		one, err := h.round(ctx, w, p, file)
		if err != nil {
			return err
		}
		if i > 0 {
			worst.samples = append(worst.samples, one)
		}
	}
	r.crowds = append(r.crowds, worst)
	return nil
}

// madeKey is what the command line prints of a new key.
type madeKey struct{ Key, ID string }

// makeKey makes a key of a pro account.
func (h *harness) makeKey(ctx context.Context, dir string) (madeKey, error) {
	return h.keyCommand(ctx, "create", "--data", dir, "--account", "bench", "--tier", "pro", "--json")
}

// keyCommand runs `almanac key`; what it returns is empty unless a key was made.
func (h *harness) keyCommand(ctx context.Context, args ...string) (key madeKey, err error) {
	cmd := exec.CommandContext(ctx, h.o.almanac, append([]string{"key"}, args...)...)
	out, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return key, fmt.Errorf("almanac key %s: %w: %s", strings.Join(args, " "), err, exit.Stderr)
	}
	if err != nil {
		return key, err
	}
	return key, json.Unmarshal(out, &key)
}

// forgetCallers removes the register of callers from a generated store.
func (h *harness) forgetCallers(dir string) {
	names, _ := filepath.Glob(filepath.Join(dir, "access.*")) // the pattern is right
	for _, name := range names {
		if err := os.Remove(name); err != nil {
			fmt.Fprintf(h.log, "the register of callers stays: %v\n", err)
		}
	}
}
