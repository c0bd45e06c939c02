package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"

	"almanac/internal/chart"
	"almanac/internal/chart/chartcase"
	"almanac/internal/chart/render"
)

// The harness starts this program in its other roles; under test that program
// is the test.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && roles[os.Args[1]] != nil {
		if err := run(context.Background(), os.Args[1:], os.Stdout, os.Stderr); err != nil {
			os.Stderr.WriteString(err.Error() + "\n")
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// TestQuick runs each section on a small store for one short round. It asserts
// that each case was measured with the right responses, and no figure.
func TestQuick(t *testing.T) {
	almanac := filepath.Join(t.TempDir(), "almanac")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", almanac, "almanac/cmd/almanac")
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=") // compiled as in make build, linked faster
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building almanac: %v\n%s", err, out)
	}
	wanted := map[string][]string{
		"cases": {
			"| (a) one series", "| (b) /latest |", "| (c) metadata |", "| (d) catalog page of 100 |",
			"| (d) last catalog page with country=DE |", "identity, first |", "zstd, again |", "| (f) 304",
			"| small ones, as in (a) |", "start to ready",
		},
		"files":  {"| SDMX-ML, structure-specific, beside encoding/xml |", "| PX |", "20 files of 1000 observations each"},
		"sync":   {"| nothing has changed: seconds |"},
		"meter":  {"| one key, limit", "| a new caller with each request", "| right id, wrong secret |"},
		"charts": {"| world map, 180 countries, drawn by almanac, by POST |", "16 pictures for as many connections, 1200 × 675 |"},
	}
	for _, s := range sections { // the longest first
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			var report, log strings.Builder
			if err := run(t.Context(), []string{"-quick", "-" + s.name, "-binary", almanac, "-dir", t.TempDir()}, &report, &log); err != nil {
				t.Fatalf("%v\n%s", err, log.String())
			}
			for _, want := range append(wanted[s.name], "## "+s.heading, "## What falls short") {
				if !strings.Contains(report.String(), want) {
					t.Errorf("the report has no %q:\n%s", want, report.String())
				}
			}
		})
	}
}

// newTestHarness returns a harness without a binary.
func newTestHarness(t *testing.T) *harness {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return &harness{size: quickSize, rounds: 1, ctx: t.Context(), self: self, log: t.Output()}
}

// TestLoadRefusesOtherResponses shows that the load generator refuses a response
// that is not the captured one.
func TestLoadRefusesOtherResponses(t *testing.T) {
	h := newTestHarness(t)
	known := func(body string) []exchange {
		return []exchange{{URI: "/x", Status: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(body)}}
	}
	right, wrong := known(`{"a": 1}`), known(`{"a": 2}`)
	p := h.startBare(right)
	t.Cleanup(p.stop)
	w := workload{server: p, list: right, status: 200, connections: 2, requests: 20}
	if err := catch(func() { h.load(newTable("case"), w) }); err != nil {
		t.Errorf("the captured response: %v", err)
	}
	w.list = wrong
	if err := catch(func() { h.load(newTable("case"), w) }); err == nil {
		t.Error("another body than the captured one passed")
	}
}

// TestNewAddresses checks that each request comes from its own address, and that
// no two rounds share one.
func TestNewAddresses(t *testing.T) {
	var mu sync.Mutex
	from := map[string]int{}
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		from[r.Header.Get("X-Forwarded-For")]++
	}))
	t.Cleanup(server.Close)
	h := newTestHarness(t)
	h.addresses.Store(249)
	p := &process{cmd: &exec.Cmd{Process: &os.Process{Pid: os.Getpid()}}, url: server.URL}
	w := workload{server: p, list: []exchange{{URI: "/x", Status: 200}}, status: 200, connections: 3, requests: 20, newAddresses: true}
	for range 2 {
		h.load(newTable("case"), w)
	}
	if len(from) != 40 || from["10.0.0.250"] != 1 || from["10.0.1.33"] != 1 {
		t.Errorf("40 requests came from %d addresses: %v", len(from), fmt.Sprint(from))
	}
}

// TestGoals shows what a table says of goals, and that the page names what
// misses its goal, and nothing else.
func TestGoals(t *testing.T) {
	rates := newTable("case", "ratio")
	for row, c := range map[string]struct {
		goal   float64
		values []float64
	}{
		"(y) is cheap":    {0.9, []float64{9, 9, 8}},
		"(z) is dear":     {0.9, []float64{1, 8, 7}},
		"(-) has no goal": {0, []float64{1, 1, 1}},
	} {
		rates.add(row, "bare: CPU µs", c.values...)
		rates.add(row, "server: CPU µs", 10, 10, 10)
		rates.addRatios(row, "ratio", "bare: CPU µs", "server: CPU µs").atLeast = c.goal
	}
	others := newTable("what")
	others.add("few", onlyColumn, 25_000).atLeast = 30_000
	others.add("many", onlyColumn, 25_000).atLeast = 20_000
	others.add("quick", onlyColumn, 400, 9000, 300).atMost = 5000
	others.add("slow", onlyColumn, 5600, 9000, 5600).atMost = 5000
	page := rates.String() + others.String()
	for _, want := range []string{
		"| (y) is cheap | **0.900** (0.800–0.900); at least 0.9: met | 9 |", "| (z) is dear | **0.700** (0.100–0.800); at least 0.9: **missed** |",
		"| (-) has no goal | 0.100 | 1 |",
		"| few | **25000**; at least 30000: **missed** |", "| many | **25000**; at least 20000: met |",
		"| quick | **400** (300–9000); at most 5000: met |", "| slow | **5600** (5600–9000); at most 5000: **missed** |",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q:\n%s", want, page)
		}
	}
	want := "## What falls short\n\n- (z) is dear: **0.700** (0.100–0.800); at least 0.9: **missed**.\n" +
		"- few: **25000**; at least 30000: **missed**.\n- slow: **5600** (5600–9000); at most 5000: **missed**.\n"
	if got := shortfalls(page); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := shortfalls("| few | 1 |\n"); !strings.HasSuffix(got, "Nothing in this run.\n") {
		t.Errorf("no goal is missed: got %q", got)
	}
}

// TestChartTable checks the figures of the table of charts: medians over the
// rounds, and times divided by those of the fastest other library in the same
// round.
func TestChartTable(t *testing.T) {
	type rounds struct{ ms, cpu []float64 }
	with := map[string]rounds{
		"echarts":  {ms: []float64{20, 90, 40}},
		"vega":     {ms: []float64{30, 40, 60}},
		ourPainter: {ms: []float64{10, 10, 20}, cpu: []float64{26, 26, 26}},
		ourServer:  {ms: []float64{40, 40, 40}, cpu: []float64{1, 2, 30}},
	}
	alone := map[string]rounds{ourPainter: {ms: []float64{3}, cpu: []float64{16}}}
	for _, c := range []struct {
		kind   int
		rounds map[string]rounds
		want   []string
	}{
		{2, with, []string{
			"| world map, 180 countries, drawn by almanac | 10 | 26 | 0.500 | **1.04**; at most 1: **missed** |", // half of 20, a quarter of 40, half of 40
			"| world map, 180 countries, drawn by almanac, by POST | 40 | 2 | 1 | **0.080**; at most 1: met |",   // by its CPU time
		}},
		{0, with, []string{"| lines, 6 series of 60 quarters, drawn by vega | 40 |  | 1.50 |  |"}}, // no goal
		// Without other libraries there is nothing to compare with; the goal in CPU
		// time remains.
		{0, alone, []string{"| lines, 6 series of 60 quarters, drawn by almanac | 3 | 16 |  | **1.07**; at most 1: **missed** |"}},
		{2, alone, []string{"| world map, 180 countries, drawn by almanac | 3 | 16 |  | **0.640**; at most 1: met |"}},
	} {
		kind, table := newChartKinds()[c.kind], newTable("chart", "ms, median", "CPU ms")
		for name, drawn := range c.rounds {
			table.add(kind.row(name), "ms, median", drawn.ms...)
			table.add(kind.row(name), "CPU ms", drawn.cpu...)
		}
		for name := range c.rounds {
			kind.compare(table, name)
		}
		for _, want := range c.want {
			if !strings.Contains(table.String(), want) {
				t.Errorf("the table has no %q:\n%s", want, table)
			}
		}
	}
}

// TestNumbers checks that all libraries get the same numbers: as many as the
// comparison says, and the first and last of each kind always the same.
func TestNumbers(t *testing.T) {
	kinds := newChartKinds()
	line, bar, world := kinds[0], kinds[1].Series, kinds[2].Series
	if n := len(line.Series); n != 6 || len(line.Periods) != 60 || len(line.Series[5].Values) != 60 {
		t.Errorf("the line has %d series, %d periods", n, len(line.Periods))
	}
	if len(bar) != 30 || bar[0].Name != "Romania" || bar[0].Values[0] != 237 || bar[29].Values[0] != 65 {
		t.Errorf("the bars are %v", bar)
	}
	if len(world) != 180 || world[1].Name != "Russia" || world[1].Values[0] != 52 || world[0].ID != "124" {
		t.Errorf("the map has %d areas; the first are %v", len(world), world[:2])
	}
}

// TestPaint checks that the role "paint" draws what the server would draw, and
// returns an error for what it cannot draw.
func TestPaint(t *testing.T) {
	dir := t.TempDir()
	names, err := filepath.Glob("../internal/chart/testdata/cases/*.txt")
	if err != nil || len(names) < 3 {
		t.Fatalf("%d chart cases, error %v", len(names), err)
	}
	specs, pack := map[chart.Type]*chart.Spec{}, must(zstd.NewWriter(nil))
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		s, err := chartcase.Parse(string(text))
		if err != nil {
			t.Fatal(err)
		}
		specs[s.Spec.Type] = s.Spec
	}
	for kind, spec := range specs {
		encoded, _ := spec.Encode()
		folder := filepath.Join(dir, "charts", string(kind))
		if err := errors.Join(os.MkdirAll(folder, 0o755), os.WriteFile(filepath.Join(folder, "x.json.zst"), pack.EncodeAll(encoded, nil), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	file := dir + "/bar.png"
	var out strings.Builder
	paint := func(lines string) error {
		return catch(func() { runPaint([]string{dir, ourPainter}, strings.NewReader(lines), &out) })
	}
	if err := paint("bar " + file + "\nmap\n"); err != nil {
		t.Fatal(err)
	}
	if err := paint("pie\n"); err == nil || !strings.Contains(err.Error(), `unknown kind of chart "pie"`) {
		t.Errorf("a kind of chart without a spec: error %v", err)
	}
	var want bytes.Buffer
	if err := render.PNG(&want, chart.Layout(specs[chart.Bar])); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want.Bytes()) {
		t.Error("the picture in the file is not that of the spec")
	}
	if sizes := strings.Fields(out.String()); len(sizes) != 2 || sizes[0] != strconv.Itoa(want.Len()) {
		t.Errorf("the sizes are %q; the first must be %d, and there must be two", sizes, want.Len())
	}
	if _, err := png.Decode(&want); err != nil {
		t.Error(err)
	}
}
