package layout

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"almanac/internal/chart"
	"almanac/internal/chart/layoutcheck"
	"almanac/internal/chart/scene"
	"almanac/internal/stat"
	"almanac/internal/stattest/property"
)

// barNumbers generates values, including missing, huge and tiny ones.
var barNumbers = rapid.OneOf(
	rapid.Float64Range(-100, 100), rapid.Float64Range(0, 1e6),
	rapid.SampledFrom([]float64{0, math.NaN(), 1e-9, -1e-9, 1e15, -1e15, 5, 5, math.MaxFloat64, -math.MaxFloat64, 5e-324}),
)

// barNames generates names, including blank, long and right-to-left ones.
var barNames = rapid.OneOf(
	rapid.SampledFrom([]string{"Germany", "Côte d'Ivoire", "مصر", "ישראל", "日本", "Ελλάδα", "", "\u202eabc", strings.Repeat("long ", 400), strings.Repeat("x", 2000), "Professional, scientific and technical activities"}),
	rapid.StringOf(rapid.RuneFrom(nil, unicode.L, unicode.N, unicode.P, unicode.Zs, unicode.Cf)),
)

// anyBars generates any bar chart that the interface allows.
func anyBars(t *rapid.T) *chart.Spec {
	s := barSpec(rapid.SampledFrom([]chart.Type{chart.Bar, chart.HorizontalBar}).Draw(t, "type"))
	s.Width = rapid.OneOf(rapid.IntRange(100, 1600), rapid.IntRange(100, 2900)).Draw(t, "width")
	s.Height = rapid.IntRange(100, 1600).Draw(t, "height")
	s.Title = barNames.Draw(t, "title")
	s.Unit = rapid.SampledFrom([]string{"", "%", "Million euro", "€"}).Draw(t, "unit")
	s.ShowLegend, s.ShowValues, s.HighlightLatest = rapid.Bool().Draw(t, "legend"), rapid.Bool().Draw(t, "values"), rapid.Bool().Draw(t, "latest")
	n := rapid.OneOf(rapid.IntRange(1, 40), rapid.IntRange(1, 300)).Draw(t, "positions")
	if rapid.Bool().Draw(t, "in time") {
		s.Periods = anyPeriods(t, n)
		n = len(s.Periods)
	} else {
		areas := rapid.Bool().Draw(t, "areas")
		for i := range n {
			c := chart.Category{Label: barNames.Draw(t, "name")}
			if areas {
				c.Area, c.Group = fmt.Sprintf("A%d", i), rapid.Bool().Draw(t, "group")
			}
			s.Categories = append(s.Categories, c)
		}
	}
	for range rapid.IntRange(1, 8).Draw(t, "series") {
		series := chart.Series{Label: barNames.Draw(t, "label"), Values: rapid.SliceOfN(barNumbers, n, n).Draw(t, "values")}
		s.Series = append(s.Series, series)
	}
	return s
}

// anyPeriods generates up to n sorted periods of one or several frequencies.
func anyPeriods(t *rapid.T, n int) []stat.Period {
	frequencies := []stat.Frequency{stat.Annual, stat.HalfYear, stat.Quarter, stat.Month, stat.Week, stat.Day}
	if !rapid.Bool().Draw(t, "mixed") {
		frequencies = []stat.Frequency{rapid.SampledFrom(frequencies).Draw(t, "frequency")}
	}
	var periods []stat.Period
	for range n {
		f := rapid.SampledFrom(frequencies).Draw(t, "period frequency")
		most := map[stat.Frequency]int{stat.HalfYear: 2, stat.Quarter: 4, stat.Month: 12, stat.Week: 52, stat.Day: 365}[f]
		periods = append(periods, stat.NewPeriod(f, rapid.IntRange(1990, 2024).Draw(t, "year"), rapid.IntRange(1, max(most, 1)).Draw(t, "n")))
	}
	slices.SortFunc(periods, stat.Period.Compare)
	return slices.Compact(periods)
}

// Every chart is readable, and every value has a bar or is counted in a note.
func TestAnyBars(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		s := anyBars(t)
		sc := Layout(s)
		layoutcheck.Report(t, sc)
		want := 0
		for _, series := range s.Series {
			for _, v := range series.Values {
				if !math.IsNaN(v) {
					want++
				}
			}
		}
		notes := strings.Join(layoutcheck.Texts(sc, scene.Note), " ")
		for _, m := range layoutcheck.Marks(sc, scene.Gridline) {
			line := m.(*scene.Line)
			isGrid := s.Type == chart.Bar || line.X1 == line.X2 // other lines connect names with bars
			if isGrid && len(layoutcheck.Texts(sc, scene.TickLabel)) < 2 {
				t.Errorf("gridlines without tick labels")
			}
		}
		if got := barsDrawn(sc); got != want && !strings.Contains(notes, "shown") {
			t.Errorf("%d bars, want %d, or a note about those left out; the notes are %q", got, want, notes)
		}
	})
}

// barsDrawn returns the number of values that have a bar or a step.
func barsDrawn(sc *scene.Scene) int {
	bars := 0
	for _, m := range layoutcheck.Marks(sc, scene.Series) {
		switch m := m.(type) {
		case *scene.Rect:
			bars++
		case *scene.Path:
			if !m.Fill.On { // the edge of a run of steps: two points per step
				bars += len(m.Outline.Points) / 2
			}
		}
	}
	return bars
}
