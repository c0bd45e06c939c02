package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// The figures of the section: what a key costs is the time without divided by
// the time with one, in the same round.
func TestMeterReport(t *testing.T) {
	cpu := func(times ...time.Duration) (list []sample) {
		for _, t := range times {
			list = append(list, sample{outcome{Requests: 100, Seconds: 0.004}, t})
		}
		return list
	}
	r := &meterReport{
		keyed: []result{
			{workload: workload{name: "(x)", what: "is cheap", goal: 0.8}, bare: cpu(9, 8, 9), ours: cpu(10, 10, 10)},
			{workload: workload{name: "(y)", what: "is dear", goal: 0.8}, bare: cpu(1, 8, 7), ours: cpu(10, 10, 10)},
		},
		crowds: []rate{{what: "few", goal: 30_000, samples: cpu(1, 1, 1)}, {what: "many", goal: 20_000, samples: cpu(1, 1, 1)}, {what: "unknown", samples: cpu(1, 1, 1)}},
		checks: []check{
			{kind: "valid", valid: true, took: []float64{400, 9000, 300}, allocs: 2},
			{kind: "slow", took: []float64{6000, 9000, 300}, refusal: []time.Duration{1000, 2000, 3000, 4000, 5000}},
			{kind: "doubled", refusal: []time.Duration{1000}},
		},
	}
	var b strings.Builder
	r.write(&b)
	for _, want := range []string{
		"| (x) | is cheap | **0.900** | 0.800–0.900 | 0.8, met |", "| (y) | is dear | **0.700** | 0.100–0.800 | 0.8, **missed** |",
		"| few | **25000** | 25000–25000 | 30000, **missed** |", "| many | **25000** | 25000–25000 | 20000, met |", "| unknown | **25000** | 25000–25000 |  |",
		"| valid | 400 | 5µs, met | 2.0 | | |", "| slow | 6000 | 5µs, **missed** | 0.0 | 3.0 | 2.0–4.0 |", "| doubled |  |  |  | 1.0 | 1.0–1.0 |",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the section has no %q:\n%s", want, b.String())
		}
	}
}

// Strangers come from an address each, and no two rounds have one in common.
func TestStrangers(t *testing.T) {
	var mu sync.Mutex
	from := map[string]int{}
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		from[r.Header.Get("X-Forwarded-For")]++
	}))
	t.Cleanup(server.Close)
	file := t.TempDir() + "/one"
	if err := save(file, []exchange{{URI: "/x", Status: http.StatusOK}}); err != nil {
		t.Fatal(err)
	}
	for _, first := range []string{"250", "270"} {
		var out strings.Builder
		if err := run(t.Context(), []string{"load", "-url", server.URL, "-file", file, "-n", "20", "-c", "3", "-strangers", first}, &out, &out); err != nil {
			t.Fatal(err)
		}
	}
	if len(from) != 40 || from["10.0.0.250"] != 1 || from["10.0.1.33"] != 1 {
		t.Errorf("40 requests came from %d addresses: %v", len(from), fmt.Sprint(from))
	}
}
