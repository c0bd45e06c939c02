package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// The harness starts this program in its other roles; under test that program
// is the test.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && slices.Contains([]string{"bare", "load", "paint", "crowd", "read", "office"}, os.Args[1]) {
		if err := run(context.Background(), os.Args[1:], os.Stdout, os.Stderr); err != nil {
			os.Stderr.WriteString(err.Error() + "\n")
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// TestQuick runs every case on a small store for one short round. It asserts
// that each case was measured with right answers, and no figure.
func TestQuick(t *testing.T) {
	almanac := filepath.Join(t.TempDir(), "almanac")
	if out, err := exec.Command("go", "build", "-o", almanac, "almanac/cmd/almanac").CombinedOutput(); err != nil {
		t.Fatalf("building almanac: %v\n%s", err, out)
	}
	var report, log strings.Builder
	if err := run(t.Context(), []string{"-quick", "-almanac", almanac, "-dir", t.TempDir()}, &report, &log); err != nil {
		t.Fatalf("%v\n%s", err, log.String())
	}
	for _, want := range []string{
		"| (a) | one series", "| (b) | /latest |", "| (c) | metadata |", "| (d) | catalog page of 100 |",
		"| (d) | last catalog page with country=DE |", "identity, first |", "zstd, again |", "| (f) | 304",
		"not in memory", "start to ready",
		"## Reading the offices' files", "| SDMX-ML, structure-specific |", "| PX |", "20 files of 1000 observations each",
		"## Keeping datasets up to date", "| nothing has changed |",
		"## Keys and the meter", "| one key, limit", "| a new caller with each request", "| right id, wrong secret |",
		"## Charts, beside other libraries", "| world map, 180 countries | almanac, by POST |", "| 16 pictures at once, 1200 × 675 |",
	} {
		if !strings.Contains(report.String(), want) {
			t.Errorf("the report has no %q:\n%s", want, report.String())
		}
	}
}

// TestLoadRefusesOtherAnswers shows that the load generator refuses an
// answer that is not the one that was captured.
func TestLoadRefusesOtherAnswers(t *testing.T) {
	dir := t.TempDir()
	right := []exchange{{URI: "/x", Status: 200, Type: "application/json", Body: []byte(`{"a": 1}`)}}
	wrong := []exchange{{URI: "/x", Status: 200, Type: "application/json", Body: []byte(`{"a": 2}`)}}
	for name, list := range map[string][]exchange{"right": right, "wrong": wrong} {
		if err := save(dir+"/"+name, list); err != nil {
			t.Fatal(err)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p, err := start(t.Context(), self, "bare", dir+"/right")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.stop() })
	var out strings.Builder
	if err := run(t.Context(), []string{"load", "-url", p.url, "-file", dir + "/right", "-n", "20", "-c", "2"}, &out, &out); err != nil {
		t.Errorf("right answers: %v", err)
	}
	if err := run(t.Context(), []string{"load", "-url", p.url, "-file", dir + "/wrong", "-n", "20", "-c", "2"}, &out, &out); err == nil {
		t.Error("another body than the captured one passed")
	}
}

// TestShortfalls shows that the report names what misses its goal, and nothing
// else.
func TestShortfalls(t *testing.T) {
	half := []sample{{cpu: 10}, {cpu: 10}, {cpu: 10}}
	r := &report{
		results: []result{
			{workload: workload{name: "(x)", what: "is slow", goal: 0.9}, bare: []sample{{cpu: 5}, {cpu: 5}, {cpu: 5}}, ours: half},
			{workload: workload{name: "(y)", what: "is good", goal: 0.5}, bare: half, ours: half},
			{workload: workload{name: "(z)", what: "has no goal"}, bare: []sample{{cpu: 1}, {cpu: 1}, {cpu: 1}}, ours: half},
		},
		cold: []outcome{{P50: time.Millisecond}}, coldBig: []outcome{{}},
		ready: []time.Duration{2 * time.Second},
	}
	var b strings.Builder
	r.shortfalls(&b)
	want := "## What falls short\n\n- (x) is slow: 0.500 of 0.9.\n- start to ready with 0 datasets: 2000 ms of 1000 ms.\n"
	if b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}
