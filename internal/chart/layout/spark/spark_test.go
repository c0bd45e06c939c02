package spark_test

import (
	"bytes"
	"math"
	"testing"

	"almanac/internal/chart"
	"almanac/internal/chart/layout"
	"almanac/internal/chart/render"
	"almanac/internal/chart/scene"
	"almanac/internal/stat"
)

// specOf returns the sparkline of yearly values from 1990; NaN is a missing year.
func specOf(values ...float64) *chart.Spec {
	s := &chart.Spec{Type: chart.Spark, Width: 160, Height: 40, Name: "Unemployment rate"}
	series := chart.Series{}
	for i, v := range values {
		if math.IsNaN(v) {
			continue // New leaves out periods without any value
		}
		s.Periods = append(s.Periods, stat.NewPeriod(stat.Annual, 1990+i, 1))
		series.Values = append(series.Values, v)
		series.Flags = append(series.Flags, "")
	}
	s.Series = []chart.Series{series}
	return s
}

func marks[T scene.Mark](s *scene.Scene, role string) []T {
	var found []T
	for _, m := range s.Marks {
		if t, ok := m.(T); ok && m.Tags().Role == role {
			found = append(found, t)
		}
	}
	return found
}

func TestSpark(t *testing.T) {
	nan := math.NaN()
	forecast := specOf(1, 2, 3, 4)
	forecast.Series[0].Flags[3] = "F"
	for name, c := range map[string]struct {
		spec                *chart.Spec
		lines, dots, dashed int
		zero                bool
		latest              float64 // position of the dot
	}{
		"a line":              {specOf(1, 3, 2), 1, 0, 0, false, 156.6},
		"a gap":               {specOf(1, 3, nan, 2, 5), 2, 0, 0, false, 156.6},
		"an isolated value":   {specOf(1, 3, 4, nan, 2, nan, 4, 5), 2, 1, 0, false, 156.6},
		"every second year":   {specOf(1, nan, 3, nan, 2), 1, 0, 0, false, 156.6},
		"both sides of zero":  {specOf(-1, 3, 2), 1, 0, 0, true, 156.6},
		"a forecast":          {forecast, 2, 0, 1, false, 3.4 + 153.2*2/3},
		"one value":           {specOf(7), 0, 1, 0, false, 80},
		"equal values":        {specOf(7, 7), 1, 0, 0, false, 156.6},
		"the largest numbers": {specOf(-math.MaxFloat64, math.MaxFloat64), 1, 0, 0, true, 156.6},
	} {
		sc := layout.Layout(c.spec)
		lines, latest := marks[*scene.Path](sc, scene.Series), marks[*scene.Circle](sc, scene.Highlight)
		dashed := 0
		for _, l := range lines {
			if l.Pen.Dash != nil {
				dashed++
			}
		}
		if len(lines) != c.lines || len(marks[*scene.Circle](sc, scene.Series)) != c.dots || dashed != c.dashed || (len(marks[*scene.Line](sc, scene.Zero)) == 1) != c.zero {
			t.Errorf("%s: %d lines of which %d dashed, want %d and %d", name, len(lines), dashed, c.lines, c.dashed)
		}
		if len(latest) != 1 || math.Abs(latest[0].X-c.latest) > 2 {
			t.Errorf("%s: the latest value is at %v, want %v", name, latest, c.latest)
		}
		for _, m := range latest {
			if !(m.Y >= m.R && m.Y <= 40-m.R) {
				t.Errorf("%s: the dot at %v leaves the picture", name, m.Y)
			}
		}
	}
}

// A sparkline takes less than 2 kB, also one of thirty years of working days.
func TestWeight(t *testing.T) {
	s := specOf()
	y := 1.0
	for i := range 7800 {
		day := stat.NewDay(1995, 1, 2).StartDay() + int32(i/5*7+i%5)
		date := stat.NewDay(1995, 1, 2).Start().AddDate(0, 0, int(day-stat.NewDay(1995, 1, 2).StartDay()))
		s.Periods = append(s.Periods, stat.NewDay(date.Year(), int(date.Month()), date.Day()))
		y += math.Sin(float64(i*i%97)) * .02
		s.Series[0].Values = append(s.Series[0].Values, y)
	}
	var b bytes.Buffer
	if err := render.SVG(&b, layout.Layout(s)); err != nil {
		t.Fatal(err)
	}
	if b.Len() > 2000 {
		t.Errorf("the SVG has %d bytes, want at most 2000", b.Len())
	}
}

func BenchmarkSpark(b *testing.B) {
	s := specOf(1, 2, 3, 5, 4, 6, 7, 8, 6, 5, 4, 5, 7, 9, 10, 12, 11, 13, 14, 13, 12, 15, 16, 17, 15, 14, 13, 15, 16, 18)
	for b.Loop() {
		var out bytes.Buffer
		if err := render.SVG(&out, layout.Layout(s)); err != nil {
			b.Fatal(err)
		}
	}
}
