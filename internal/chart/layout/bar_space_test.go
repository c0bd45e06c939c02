package layout

import (
	"math"
	"slices"
	"strings"
	"testing"

	"almanac/internal/chart"
	"almanac/internal/chart/colour"
	"almanac/internal/chart/layoutcheck"
	"almanac/internal/chart/scene"
	"almanac/internal/stat"
)

// The latest value of each series is above its bar, in the colour of the bar, and
// touches no other bar.
func TestLatestValuesAreAboveTheirBars(t *testing.T) {
	s := ofYears(chart.Bar, []float64{5, 4, 3, 2, 3, 2, 3, 4}, []float64{3, 4, 5, 2, 3, 3, 4, 2})
	s.HighlightLatest = true
	sc := Layout(s)
	layoutcheck.Report(t, sc)
	bars := rects(sc)
	latest := bars[len(bars)-2:]
	i := 0
	for _, m := range layoutcheck.Marks(sc, scene.Highlight) {
		text, ok := m.(*scene.Text)
		if !ok {
			continue
		}
		if bar := latest[i]; math.Abs(text.X-(bar.X+bar.W/2)) > .01 || text.Colour != colour.Readable(bar.Fill.Colour) {
			t.Errorf("the value %s is not above its bar or not in its colour", text.Text)
		}
		for k, bar := range bars {
			if k != len(bars)-2+i && text.Box().Overlaps(scene.Box{X: bar.X, Y: bar.Y, W: bar.W, H: bar.H}) {
				t.Errorf("the value %s touches another bar", text.Text)
			}
		}
		i++
	}
	if i != 2 {
		t.Errorf("%d latest values for 2 series", i)
	}
}

// If the latest values would be above other bars, a note lists them instead.
func TestLatestValuesThatDoNotFitAreInANote(t *testing.T) {
	high, low := make([]float64, 30), make([]float64, 30)
	for i := range high {
		high[i], low[i] = 1000, 1234
	}
	low[29] = 345
	for _, typ := range []chart.Type{chart.Bar, chart.HorizontalBar} {
		s := ofYears(typ, high, low)
		s.Width, s.Height, s.HighlightLatest = 640, 360, true
		sc := Layout(s)
		layoutcheck.Report(t, sc)
		if got := layoutcheck.Texts(sc, scene.Note); !slices.Contains(got, "2029: Series 1 1,000; Series 2 345.") {
			t.Errorf("%s: the notes are %q", typ, got)
		}
		if got := layoutcheck.Texts(sc, scene.Highlight); got != nil {
			t.Errorf("%s: %q are written among the bars", typ, got)
		}
		if got := layoutcheck.Marks(sc, scene.Leader); got != nil {
			t.Errorf("%s: %d lines from values to bars, want none", typ, len(got))
		}
	}
}

// Labels of years are evenly spaced, and the last year is labelled.
func TestYearsAreLabelledRegularly(t *testing.T) {
	for n := 12; n < 60; n++ {
		s := ofYears(chart.Bar, make([]float64, n))
		for i := range s.Series[0].Values {
			s.Series[0].Values[i] = float64(i + 1)
		}
		s.Width, s.Height = 640, 360
		sc := Layout(s)
		layoutcheck.Report(t, sc)
		var years []int
		for _, text := range layoutcheck.Texts(sc, scene.TickLabel) {
			if p, err := stat.ParsePeriod(text); err == nil && p.Frequency() == stat.Annual {
				years = append(years, p.End().Year())
			}
		}
		inner := years[1 : len(years)-1] // the ends may be nearer
		for i := 2; i < len(inner); i++ {
			if inner[i]-inner[i-1] != inner[1]-inner[0] {
				t.Errorf("%d years are labelled %v", n, years)
				break
			}
		}
		if step := inner[1] - inner[0]; step < 3 && years[len(years)-1] != 2000+n-1 {
			t.Errorf("%d years are labelled %v, without the last one", n, years)
		}
	}
}

// Groups of bars are sorted by one series. The legend, or a note if there is no legend,
// says by which.
func TestSortKeyIsStated(t *testing.T) {
	for _, typ := range []chart.Type{chart.Bar, chart.HorizontalBar} {
		s := ofAreas(typ, "DE 3", "FR 9", "IT 2")
		s.Series = append(s.Series, chart.Series{Key: "Women", Label: "Women", Values: []float64{1, 2, 3}})
		sc := Layout(s)
		layoutcheck.Report(t, sc)
		if got := layoutcheck.Texts(sc, scene.LegendText); !slices.Contains(got, "Ranked by “Total”") {
			t.Errorf("%s: the legend is %q", typ, got)
		}
		s.ShowLegend = false
		if got := layoutcheck.Texts(Layout(s), scene.Note); !slices.Contains(got, "Ranked by “Total”.") {
			t.Errorf("%s: the notes are %q", typ, got)
		}
		s.ShowLegend, s.Series = true, s.Series[:1]
		if got := append(layoutcheck.Texts(Layout(s), scene.LegendText), layoutcheck.Texts(Layout(s), scene.Note)...); got != nil {
			t.Errorf("%s: a chart of one series has %q", typ, got)
		}
	}
	if got := layoutcheck.Texts(Layout(ofYears(chart.Bar, []float64{1, 2}, []float64{2, 1})), scene.LegendText); len(got) != 2 {
		t.Errorf("periods are not sorted: %q", got)
	}
}

// In small pictures, names have priority over bars, and bars over notes.
func TestNamesComeBeforeNotes(t *testing.T) {
	for _, typ := range []chart.Type{chart.Bar, chart.HorizontalBar} {
		for _, size := range [][2]int{{100, 100}, {4096, 100}} {
			s := ofAreas(typ, "DE 3", "FR 9", "IT 2", "ES 5", "PL 6", "SE 4", "FI 1")
			s.Width, s.Height = size[0], size[1]
			s.Notes = []string{"Provisional: Germany, Spain."}
			s.Source = "Source: Example Office, dataset une_rt_a, updated 2026-11-21"
			sc := Layout(s)
			layoutcheck.Report(t, sc)
			if got := layoutcheck.Texts(sc, scene.Category); len(got) < 2 {
				t.Errorf("%s, %d × %d: the names are %q", typ, size[0], size[1], got)
			}
			for _, note := range layoutcheck.Texts(sc, scene.Note) {
				beside := slices.Contains(layoutcheck.Texts(sc, scene.Source), s.Source)
				if strings.HasPrefix(note, "Provisional") && !beside || strings.HasPrefix(note, "There is no room") {
					t.Errorf("%s, %d × %d: %q", typ, size[0], size[1], note)
				}
			}
		}
	}
}

// A colour chosen by the caller is kept, however pale. An edge with a contrast of 3:1
// makes it visible, on the bars and in the legend.
func TestPaleColoursHaveAnEdge(t *testing.T) {
	for _, typ := range []chart.Type{chart.Bar, chart.HorizontalBar} {
		s := ofAreas(typ, "DE 3", "FR 9", "IT 2")
		s.Series = append(s.Series, chart.Series{Key: "b", Label: "b", Colour: "#ffffcc", Values: []float64{1, 2, 3}})
		s.Series[0].Colour = "white"
		sc := Layout(s)
		layoutcheck.Report(t, sc)
		pale := 0
		for _, m := range append(layoutcheck.Marks(sc, scene.Series), layoutcheck.Marks(sc, scene.Legend)...) {
			r, ok := m.(*scene.Rect)
			if !ok {
				continue
			}
			pale++
			if r.Pen.Width == 0 || colour.Contrast(r.Pen.Colour, colour.White) < colour.MarkContrast {
				t.Errorf("%s: %s has an edge of %v", typ, r.Name, r.Pen)
			}
			if c := r.Fill.Colour; c != colour.White && c != (colour.RGB{R: 255, G: 255, B: 204}) {
				t.Errorf("%s: %s is %v", typ, r.Name, c)
			}
		}
		if pale != 8 {
			t.Errorf("%s: %d bars and swatches, want 6 and 2", typ, pale)
		}
	}
}
