package main

import (
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"almanac/internal/stattest"
)

// TestMain runs a server that is measured beside Almanac if the harness started this program
// for it. In a test, this program is the test binary.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && slices.Contains([]string{bareHandler, memoryServer, fileServer}, os.Args[1]) {
		if err := run(context.Background(), os.Args[1:], os.Stdout, os.Stderr); err != nil {
			os.Stderr.WriteString(err.Error() + "\n")
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// TestQuick runs each section on a small store for one short round. It checks that each
// case is measured with the right responses, but not the figures.
func TestQuick(t *testing.T) {
	almanac := filepath.Join(t.TempDir(), "almanac")
	if err := stattest.BuildAlmanac(almanac); err != nil {
		t.Fatal(err)
	}
	wantLines := map[string][]string{
		"cases": {
			"| (a) one series", "| (b) /latest |", "| (b) /latest of a chosen series |", "### Beside an in-memory server",
			"| (h) CSV, one series", "| (h) SDMX-JSON, a quarter", "| (i) whole Parquet file |", "| (j) which values still give data", "| (c) metadata |", "| (d) catalogue page of 100 |",
			"| (d) last catalogue page with country=DE |", "identity, first |", "zstd, again |", "| (f) 304",
			"| (a) from a dataset that is not in memory", "start to ready",
		},
		"imports": {"| tidy.csv | 0.006 |", "| labels.csv | 0.006 |", "| sdmx-labels.csv | 0.006 |", "| sdmx.csv | 0.006 |", "| cube.json | 0.006 |"},
		"sync":    {"has 20 datasets of 1000 observations each", "| nothing has changed: seconds |"},
		"search":  {"| code, odd | 1 | 1 | 1 | 1 | 0 |", "| all, odd | 1 |", "| all | 2 |", "with 150 stored datasets besides, during imports: p95 ms"},
		"meter":   {"| (c) metadata, with a key |", "| (c) metadata, with a key, from 256 connections at once |"},
		"scale":   {"100 of them, and 120", "| from the start to ready, seconds |", "| read, any dataset, p99 ms |"},
		"charts":  {"| world map, 180 countries, drawn by almanac |", "| sparkline as SVG, 160 × 40: bytes |", "| page with values of lines, 6 series of 60 quarters: ms, median |", "16 pictures for as many connections, 1200 × 675: peak memory"},
	}
	if _, err := exec.LookPath("chromium"); err == nil {
		wantLines["pages"] = []string{"| home |", "| dataset as a table |"}
	}
	judgements := writeJudgements(t)
	for _, s := range sections { // the longest is first
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			var report, log strings.Builder
			if err := run(t.Context(), []string{"-quick", "-" + s.name, "-binary", almanac, "-dir", t.TempDir(), "-judgements", judgements}, &report, &log); err != nil {
				t.Fatalf("%v\n%s", err, log.String())
			}
			for _, want := range append(wantLines[s.name], "## "+s.heading, "## What falls short") {
				if !strings.Contains(report.String(), want) {
					t.Errorf("the report does not contain %q:\n%s", want, report.String())
				}
			}
		})
	}
}

// writeJudgements writes what two offices offer, and two judged questions.
func writeJudgements(t *testing.T) (dir string) {
	dir = t.TempDir()
	err := catch(func() {
		createFile(filepath.Join(dir, "catalogue.tsv.gz"), func(w io.Writer) error {
			packed := gzip.NewWriter(w)
			must(io.WriteString(packed, "source\tcode\ttitle\tdescription\ttopic\tlanguage\tfrequency\tfirst_period\tlast_period\tlast_update\n"+
				"made\tpop_a\tPopulation by age\t\t\ten\tA\t1990\t2024\t\nother\tpop_q\tPopulation by sex\t\t\ten\tQ\t\t\t\n"))
			return packed.Close()
		})
		for name, text := range map[string]string{
			"questions.tsv":  "id\tkind\tlanguage\tquestion\nq001\tcode\ten\tpop_a\nq002\tkeyword\ten\tpopulation\n",
			"judgements.tsv": "id\tsource\tcode\tgrade\nq001\tmade\tpop_a\t3\nq002\tother\tpop_q\t1\n",
		} {
			createFile(filepath.Join(dir, name), func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// newTestHarness returns a harness without a binary.
func newTestHarness(t *testing.T) *harness {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return &harness{size: quickSize, rounds: 1, ctx: t.Context(), self: self, log: t.Output()}
}

// TestLoadRefusesOtherResponses checks that the load generator fails on a response that
// differs from the captured one.
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
		t.Error("a body that differs from the captured one was accepted")
	}
}

// TestGoals checks how a table shows goals, and that the page lists exactly the figures
// that miss their goals.
func TestGoals(t *testing.T) {
	rates := newTable("case", "ratio")
	for row, c := range map[string]struct {
		goal   float64
		values []float64
	}{
		"(y) meets it":    {0.9, []float64{9, 9, 8}},
		"(z) misses it":   {0.9, []float64{1, 8, 7}},
		"(-) has no goal": {0, []float64{1, 1, 1}},
	} {
		rates.add(row, "bare: CPU µs", c.values...)
		rates.add(row, "server: CPU µs", 10, 10, 10)
		rates.addRatios(row, "bare: CPU µs", "server: CPU µs").atLeast = c.goal
	}
	others := newTable("what")
	others.add("few", onlyColumn, 25_000).atLeast = 30_000
	others.add("many", onlyColumn, 25_000).atLeast = 20_000
	others.add("quick", onlyColumn, 400, 9000, 300).atMost = 5000
	others.add("slow", onlyColumn, 5600, 9000, 5600).atMost = 5000
	page := rates.String() + others.String()
	for _, want := range []string{
		"| (y) meets it | **0.9** (0.8–0.9); at least 0.9: met | 9 |", "| (z) misses it | **0.7** (0.1–0.8); at least 0.9: **missed** |",
		"| (-) has no goal | 0.1 | 1 |",
		"| few | **25000**; at least 30000: **missed** |", "| many | **25000**; at least 20000: met |",
		"| quick | **400** (300–9000); at most 5000: met |", "| slow | **5600** (5600–9000); at most 5000: **missed** |",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not contain %q:\n%s", want, page)
		}
	}
	want := "## What falls short\n\n- (z) misses it: **0.7** (0.1–0.8); at least 0.9: **missed**.\n" +
		"- few: **25000**; at least 30000: **missed**.\n- slow: **5600** (5600–9000); at most 5000: **missed**.\n"
	if got := shortfalls(page); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := shortfalls("| few | 1 |\n"); got != "## What falls short\n\nNothing in this run.\n" {
		t.Errorf("no goal is missed: got %q", got)
	}
}

// TestChartTable checks the figures of the table of charts: medians over the
// rounds, and times divided by those of the fastest other library in the same
// round.
func TestChartTable(t *testing.T) {
	type round struct {
		ms, cpu float64
		others  []float64
	}
	for _, c := range []struct {
		kind   int
		rounds []round
		want   string
	}{
		// The times are a half, a quarter and a half of the fastest other time.
		{2, []round{{10, 26, []float64{20, 30}}, {10, 26, []float64{90, 40}}, {20, 26, []float64{40, 60}}},
			"| world map, 180 countries, drawn by almanac | 10 | 26 | 0.5 | **1.04** (1–1.04); at most 1: **missed** |"},
		// The goal in CPU time is met.
		{2, []round{{40, 1, []float64{20, 30}}, {40, 2, []float64{90, 40}}, {40, 30, []float64{40, 60}}},
			"| world map, 180 countries, drawn by almanac | 40 | 2 | 1 | **0.08** (0.04–1.2); at most 1: met |"},
		// Without other libraries there is no ratio, and only the goal in CPU
		// time applies.
		{0, []round{{3, 16, nil}}, "| lines, 6 series of 60 quarters, drawn by almanac | 3 | 16 |  | **1.07**; at most 1: **missed** |"},
		{2, []round{{3, 16, nil}}, "| world map, 180 countries, drawn by almanac | 3 | 16 |  | **0.64**; at most 1: met |"},
	} {
		kind, table := newChartKinds()[c.kind], newTable("chart", "ms, median", "CPU ms", "÷ fastest other")
		for _, r := range c.rounds {
			table.add(kind.row("almanac"), "ms, median", r.ms)
			table.add(kind.row("almanac"), "CPU ms", r.cpu)
			kind.compare(table, r.ms, r.cpu, r.others)
		}
		if !strings.Contains(table.String(), c.want) {
			t.Errorf("the table does not contain %q:\n%s", c.want, table)
		}
	}
}

// TestNumbers checks the numbers that all libraries draw: how many there are, and some of
// them.
func TestNumbers(t *testing.T) {
	kinds := newChartKinds()
	line, bar, world := kinds[0], kinds[1].Series, kinds[2].Series
	if n := len(line.Series); n != 6 || len(line.Periods) != 60 || len(line.Series[5].Values) != 60 {
		t.Errorf("the lines have %d series and %d periods, want 6 and 60", n, len(line.Periods))
	}
	if len(bar) != 30 || bar[0].Name != "Romania" || bar[0].Values[0] != 237 || bar[29].Values[0] != 65 {
		t.Errorf("the bars are %v, want 30 from Romania, 237, to 65", bar)
	}
	if len(world) != 180 || world[1].Name != "Russia" || world[1].Values[0] != 52 || world[0].ID != "124" {
		t.Errorf("the map has %d areas, want 180 from Canada and Russia, 52; the first are %v", len(world), world[:2])
	}
}
