package main

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"strings"
	"testing"
	"time"

	"almanac/internal/chart"
	"almanac/internal/chart/ink"
)

// The figures of the table: medians over the rounds, and times divided by those
// of the fastest other library in the same round.
func TestChartReport(t *testing.T) {
	ms := func(cpu time.Duration, times ...float64) turn { return turn{ms: times, cpu: cpu, bytes: 2048} }
	r := &chartReport{turns: map[string]map[string][]turn{}, crowds: []crowd{
		{"16 small ones", 100 << 20, 300 << 20}, {"16 that are too much", 300 << 20, 300 << 20}, {"16 large ones", 400 << 20, 0},
	}}
	for _, kind := range chartKinds {
		r.turns[kind.name] = map[string][]turn{
			"echarts": {ms(0, 20, 20, 20), ms(0, 80, 90, 100), ms(0, 30, 40, 50)},
			"vega":    {ms(0, 30, 30, 30), ms(0, 30, 40, 60), ms(0, 60, 60, 60)},
			drawnHere: {ms(26*time.Millisecond, 10, 10, 10), ms(26*time.Millisecond, 10, 10, 10), ms(26*time.Millisecond, 20, 20, 20)},
			posted:    {ms(time.Millisecond, 40, 40, 40), ms(2*time.Millisecond, 40, 40, 40), ms(30*time.Millisecond, 40, 40, 40)},
		}
	}
	var b strings.Builder
	r.write(&b)
	for _, want := range []string{
		"| world map, 180 countries | almanac | 10.0 | 10.0 | 26.0 | 2 | 0.500 | **missed** |",  // half of 20, a quarter of 40, half of 40
		"| world map, 180 countries | almanac, by POST | 40.0 | 40.0 | 2.00 | 2 | 1.00 | met |", // by its CPU time
		"| lines, 6 series of 60 quarters | vega | 40.0 | 40.0 | 0.000 | 2 | 1.50 | |",          // no goal
		"| 16 small ones | 100 | under 300, met |", "| 16 that are too much | 300 | under 300, **missed** |", "| 16 large ones | 400 |  |",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the section has no %q:\n%s", want, b.String())
		}
	}
	if first := r.order("map")[0]; first != drawnHere {
		t.Errorf("the first line is of %s, not of the fastest", first)
	}
}

// Without other libraries there is nothing to compare with, and the section
// says why; the goal in CPU time remains.
func TestChartReportAlone(t *testing.T) {
	r := &chartReport{turns: map[string]map[string][]turn{}, unmeasured: "node is not installed here"}
	for _, kind := range chartKinds {
		r.turns[kind.name] = map[string][]turn{drawnHere: {{ms: []float64{3}, cpu: 16 * time.Millisecond}}}
	}
	var b strings.Builder
	r.write(&b)
	for _, want := range []string{
		"**Other libraries were not measured: node is not installed here.**",
		"| lines, 6 series of 60 quarters | almanac | 3.00 | 3.00 | 16.0 | 0 | | **missed** |",
		"| world map, 180 countries | almanac | 3.00 | 3.00 | 16.0 | 0 | | met |",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the section has no %q:\n%s", want, b.String())
		}
	}
}

// A section takes the place of the one before and leaves the rest of the page.
func TestReplaceSection(t *testing.T) {
	section := chartsHeading + "\nnew\n"
	for name, c := range map[string][2]string{
		"none yet":   {"# Page\n\n## One\n\ntext\n", "# Page\n\n## One\n\ntext\n\n" + section},
		"at the end": {"# Page\n\n" + chartsHeading + "\nold\n", "# Page\n\n" + section},
		"between":    {"# Page\n\n" + chartsHeading + "\nold\n\n## Two\n", "# Page\n\n" + section + "## Two\n"},
	} {
		if got := replaceSection(c[0], chartsHeading, section); got != c[1] {
			t.Errorf("%s: got %q, want %q", name, got, c[1])
		}
	}
}

// All libraries get the same numbers: as many as the comparison
// says, the first and last of each kind as they have always been.
func TestChartNumbers(t *testing.T) {
	all := chartNumbers()
	line, bar, world := all["line"], all["bar"], all["map"]
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

// The role "paint" draws to order what the server would draw, and says what it
// cannot do.
func TestPaint(t *testing.T) {
	d, err := newDrawings(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	file := t.TempDir() + "/bar.png"
	var out strings.Builder
	orders := `{"kind": "bar", "file": "` + file + `"}` + "\n" + `{"kind": "map", "ms": 1}` + "\n" + `{"kind": "pie"}`
	if err := runPaint([]string{d.dir, drawnHere}, strings.NewReader(orders), &out); err != nil {
		t.Fatal(err)
	}
	answers := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(answers) != 3 || !strings.Contains(answers[2], `there is no chart \"pie\"`) {
		t.Errorf("answers are %q", answers)
	}
	spec, err := readSpec(d.dir, "bar")
	if err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	if err := ink.PNG(&want, chart.Layout(spec)); err != nil {
		t.Fatal(err)
	}
	if got := readFile(t, file); !bytes.Equal(got, want.Bytes()) {
		t.Error("the picture in the file is not that of the spec")
	}
	if _, err := png.Decode(&want); err != nil {
		t.Error(err)
	}
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
