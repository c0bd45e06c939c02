package main

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

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

// TestQuick runs every case on a small store for one short round. It asserts
// that each case was measured with right answers, and no figure.
func TestQuick(t *testing.T) {
	almanac := filepath.Join(t.TempDir(), "almanac")
	if out, err := exec.Command("go", "build", "-o", almanac, "almanac/cmd/almanac").CombinedOutput(); err != nil {
		t.Fatalf("building almanac: %v\n%s", err, out)
	}
	var report, log strings.Builder
	if err := run(t.Context(), []string{"-quick", "-binary", almanac, "-dir", t.TempDir()}, &report, &log); err != nil {
		t.Fatalf("%v\n%s", err, log.String())
	}
	for _, want := range []string{
		"| (a) one series", "| (b) /latest |", "| (c) metadata |", "| (d) catalog page of 100 |",
		"| (d) last catalog page with country=DE |", "identity, first |", "zstd, again |", "| (f) 304",
		"| small ones, as in (a) |", "start to ready",
		"## Reading the offices' files", "| SDMX-ML, structure-specific |", "| PX |", "20 files of 1000 observations each",
		"## Keeping datasets up to date", "| nothing has changed: seconds |",
		"## Keys and the meter", "| one key, limit", "| a new caller with each request", "| right id, wrong secret |",
		"## Charts, beside other libraries", "| world map, 180 countries, drawn by almanac, by POST |", "| 16 pictures at once, 1200 × 675 |",
		shortfallsHeading,
	} {
		if !strings.Contains(report.String(), want) {
			t.Errorf("the report has no %q:\n%s", want, report.String())
		}
	}
}

// newTestHarness is a harness without a binary.
func newTestHarness(t *testing.T) *harness {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return &harness{options: &options{rounds: 1, size: quickSize}, ctx: t.Context(), self: self, log: t.Output()}
}

// TestLoadRefusesOtherAnswers shows that the load generator refuses an
// answer that is not the one that was captured.
func TestLoadRefusesOtherAnswers(t *testing.T) {
	h := newTestHarness(t)
	known := func(body string) []exchange {
		return []exchange{{URI: "/x", Status: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(body)}}
	}
	right, wrong := known(`{"a": 1}`), known(`{"a": 2}`)
	p := h.startBare(right)
	t.Cleanup(p.stop)
	w := workload{list: right, status: 200, connections: 2, requests: 20}
	if err := catch(func() { h.load(p, w, newTable("case"), "") }); err != nil {
		t.Errorf("right answers: %v", err)
	}
	w.list = wrong
	if err := catch(func() { h.load(p, w, newTable("case"), "") }); err == nil {
		t.Error("another body than the captured one passed")
	}
}

// Each request comes from an address of its own, and no two rounds have one in common.
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
	h.addresses = 249
	p := &process{cmd: &exec.Cmd{Process: &os.Process{Pid: os.Getpid()}}, url: server.URL}
	w := workload{list: []exchange{{URI: "/x", Status: 200}}, status: 200, connections: 3, requests: 20, newAddresses: true}
	for range 2 {
		h.load(p, w, newTable("case"), "")
	}
	if len(from) != 40 || from["10.0.0.250"] != 1 || from["10.0.1.33"] != 1 {
		t.Errorf("40 requests came from %d addresses: %v", len(from), fmt.Sprint(from))
	}
}

// TestGoals shows what a table says of goals, and that the page names what
// misses its goal, and nothing else.
func TestGoals(t *testing.T) {
	rates := newTable("case", "ratio")
	add := func(row string, g goal, values ...float64) {
		for _, v := range values {
			rates.add(row, "bare: CPU µs", v)
			rates.add(row, "server: CPU µs", 10)
		}
		rates.addRatios(row, "ratio", "bare: CPU µs", "server: CPU µs").goal = g
	}
	add("(y) is cheap", goal{atLeast: 0.9}, 9, 9, 8)
	add("(z) is dear", goal{atLeast: 0.9}, 1, 8, 7)
	add("(-) has no goal", goal{}, 1, 1, 1)
	others := newTable("what", measured)
	others.addMeasured("few", 25_000, goal{atLeast: 30_000})
	others.addMeasured("many", 25_000, goal{atLeast: 20_000})
	for _, ns := range []float64{400, 9000, 300} {
		others.addMeasured("quick", ns, goal{atMost: 5000})
		others.addMeasured("slow", max(ns, 5600), goal{atMost: 5000})
	}
	page := rates.String() + others.String()
	for _, want := range []string{
		"| (y) is cheap | **0.900** (0.800–0.900); at least 0.9: met | 9.00 |", "| (z) is dear | **0.700** (0.100–0.800); at least 0.9: **missed** |",
		"| (-) has no goal | 0.100 | 1.00 |",
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
		t.Errorf("where nothing is missed: got %q", got)
	}
}

// The figures of the table of charts: medians over the rounds, and times divided
// by those of the fastest other library in the same round.
func TestChartTable(t *testing.T) {
	type turns struct{ ms, cpu []float64 }
	with := map[string]turns{
		"echarts": {ms: []float64{20, 90, 40}},
		"vega":    {ms: []float64{30, 40, 60}},
		drawnHere: {ms: []float64{10, 10, 20}, cpu: []float64{26, 26, 26}},
		posted:    {ms: []float64{40, 40, 40}, cpu: []float64{1, 2, 30}},
	}
	alone := map[string]turns{drawnHere: {ms: []float64{3}, cpu: []float64{16}}}
	for _, c := range []struct {
		kind  int
		turns map[string]turns
		want  []string
	}{
		{2, with, []string{
			"| world map, 180 countries, drawn by almanac | 10.0 | 26.0 | 0.500 | 1/4 of the fastest or 25 ms of CPU: **missed** |",  // half of 20, a quarter of 40, half of 40
			"| world map, 180 countries, drawn by almanac, by POST | 40.0 | 2.00 | 1.00 | 1/4 of the fastest or 25 ms of CPU: met |", // by its CPU time
		}},
		{0, with, []string{"| lines, 6 series of 60 quarters, drawn by vega | 40.0 |  | 1.50 |  |"}}, // no goal
		// Without other libraries there is nothing to compare with; the goal in CPU
		// time remains.
		{0, alone, []string{"| lines, 6 series of 60 quarters, drawn by almanac | 3.00 | 16.0 |  | 1/3 of the fastest or 15 ms of CPU: **missed** |"}},
		{2, alone, []string{"| world map, 180 countries, drawn by almanac | 3.00 | 16.0 |  | 1/4 of the fastest or 25 ms of CPU: met |"}},
	} {
		kind, table := &chartKinds[c.kind], newTable("chart", "ms, median", "CPU ms")
		for name, drawn := range c.turns {
			for _, v := range drawn.ms {
				table.add(kind.row(name), "ms, median", v)
			}
			for _, v := range drawn.cpu {
				table.add(kind.row(name), "CPU ms", v)
			}
		}
		for name := range c.turns {
			kind.compare(table, name)
		}
		for _, want := range c.want {
			if !strings.Contains(table.String(), want) {
				t.Errorf("the table has no %q:\n%s", want, table)
			}
		}
	}
}

// A section takes the place of the one before and leaves the rest of the page.
func TestReplaceSection(t *testing.T) {
	const heading = "## Charts\n"
	section := heading + "\nnew\n"
	for name, c := range map[string][2]string{
		"none yet":   {"# Page\n\n## One\n\ntext\n", "# Page\n\n## One\n\ntext\n\n" + section},
		"at the end": {"# Page\n\n" + heading + "\nold\n", "# Page\n\n" + section},
		"between":    {"# Page\n\n" + heading + "\nold\n\n## Two\n", "# Page\n\n" + section + "## Two\n"},
	} {
		if got := replaceSection(c[0], heading, section); got != c[1] {
			t.Errorf("%s: got %q, want %q", name, got, c[1])
		}
	}
}

// All libraries get the same numbers: as many as the comparison
// says, the first and last of each kind as they have always been.
func TestNumbers(t *testing.T) {
	all := newNumbers()
	line, bar, world := all[0], all[1], all[2]
	if n := len(line.Values); n != 6 || len(line.Names) != n || len(line.Periods) != 60 || len(line.Values[5]) != 60 {
		t.Errorf("the line has %d series, %d names, %d periods", n, len(line.Names), len(line.Periods))
	}
	if len(bar.Names) != 30 || len(bar.Values[0]) != 30 || bar.Names[0] != "Romania" || bar.Values[0][0] != 237 || bar.Values[0][29] != 65 {
		t.Errorf("the bars are %v %v", bar.Names, bar.Values)
	}
	if len(world.IDs) != 180 || len(world.Values[0]) != 180 || world.Names[1] != "Russia" || world.Values[0][1] != 52 {
		t.Errorf("the map has %d areas, %d values; the second is %s with %v", len(world.IDs), len(world.Values[0]), world.Names[1], world.Values[0][1])
	}
	if world.IDs[0] != "124" {
		t.Errorf("the first area of the map is %s", world.IDs[0])
	}
}

// A picture of few colours is not changed by being given a palette, and one of
// many keeps those that it has most of.
func TestReduce(t *testing.T) {
	few := image.NewRGBA(image.Rect(0, 0, 20, 10))
	many := image.NewRGBA(image.Rect(0, 0, 40, 20))
	for x := range 20 {
		few.SetRGBA(x, 3, color.RGBA{R: uint8(x), G: 10, B: 10, A: 255})
	}
	for x := range 40 {
		for y := range 20 {
			many.SetRGBA(x, y, color.RGBA{R: 200, G: 30, B: 30, A: 255})
			if y > 8 {
				many.SetRGBA(x, y, color.RGBA{R: uint8(6 * x), G: uint8(12 * y), A: 255})
			}
		}
	}
	if got := reduce(few); !bytes.Equal(pixels(got), pixels(few)) {
		t.Error("a picture of few colours was changed")
	}
	got := reduce(many)
	if len(got.Palette) != 256 || got.At(3, 3) != many.At(3, 3) {
		t.Errorf("the palette has %d colours, and the most frequent became %v", len(got.Palette), got.At(3, 3))
	}
}

func pixels(picture image.Image) []byte {
	var b []byte
	for y := range picture.Bounds().Dy() {
		for x := range picture.Bounds().Dx() {
			c := color.RGBAModel.Convert(picture.At(x, y)).(color.RGBA)
			b = append(b, c.R, c.G, c.B, c.A)
		}
	}
	return b
}

// The role "paint" draws tj job what the server would draw, and says what it
// cannot do.
func TestPaint(t *testing.T) {
	dir := t.TempDir()
	names, err := filepath.Glob("../internal/chart/testdata/cases/*.txt")
	if err != nil || len(names) < len(chartKinds) {
		t.Fatalf("%d chart cases, error %v", len(names), err)
	}
	var specs []*chart.Spec
	for i := range chartKinds {
		text, err := os.ReadFile(names[i])
		if err != nil {
			t.Fatal(err)
		}
		s, err := chartcase.Parse(string(text))
		if err != nil {
			t.Fatal(err)
		}
		encoded, _ := s.Spec.Encode()
		if err := os.WriteFile(specFile(dir, &chartKinds[i]), encoded, 0o644); err != nil {
			t.Fatal(err)
		}
		specs = append(specs, s.Spec)
	}
	file := dir + "/bar.png"
	var out strings.Builder
	orders := `{"kind": "bar", "file": "` + file + `"}` + "\n" + `{"kind": "map", "ms": 1}` + "\n" + `{"kind": "pie"}`
	if err := catch(func() { runPaint(t.Context(), []string{dir, drawnHere}, strings.NewReader(orders), &out) }); err != nil {
		t.Fatal(err)
	}
	answers := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(answers) != 3 || !strings.Contains(answers[2], `unknown kind of chart \"pie\"`) {
		t.Errorf("answers are %q", answers)
	}
	var want bytes.Buffer
	if err := render.PNG(&want, chart.Layout(specs[1])); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want.Bytes()) {
		t.Error("the picture in the file is not that of the spec")
	}
	if _, err := png.Decode(&want); err != nil {
		t.Error(err)
	}
}
