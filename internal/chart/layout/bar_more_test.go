package layout

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"almanac/internal/chart"
	"almanac/internal/chart/colour"
	"almanac/internal/chart/layoutcheck"
	"almanac/internal/chart/scene"
	"almanac/internal/stat"
)

// The gap between the bars of a group is the same throughout a picture, at every size:
// at least one pixel or, in low rows, none.
func TestGapsBetweenBarsAreEqual(t *testing.T) {
	for _, width := range []int{300, 480, 640, 700, 1013, 1200, 2400, 4000} {
		for _, typ := range []chart.Type{chart.Bar, chart.HorizontalBar} {
			s := ofYears(typ, []float64{5, 6, 7, 6, 5, 4}, []float64{5, 4, 7, 6, 8, 5})
			s.Width, s.Height = width, width*9/16
			sc := Layout(s)
			layoutcheck.Report(t, sc)
			bars := rects(sc)
			if len(bars) < 8 {
				t.Fatalf("%s, %d pixels wide: %d bars", typ, width, len(bars))
			}
			first := 0.0
			for i := 0; i < len(bars); i += 2 {
				a, b := bars[i], bars[i+1]
				from, to := b.X*sc.Scale, (a.X+a.W)*sc.Scale
				if typ == chart.HorizontalBar {
					from, to = b.Y*sc.Scale, (a.Y+a.H)*sc.Scale
				}
				gap := from - to
				if i == 0 {
					first = gap
				}
				low := typ == chart.HorizontalBar && (bars[2].Y-bars[0].Y)*sc.Scale < 20
				if gap < 1-1e-6 && !low || math.Abs(gap-first) > 1e-6 || math.Abs(from-math.Round(from)) > 1e-6 {
					t.Errorf("%s, %d pixels wide: a gap of %.3f pixels ends at %.3f; the first gap is %.3f", typ, width, gap, from, first)
				}
			}
		}
	}
}

// Rows of which no name can be broken into two lines are equally far apart, however long a name is.
func TestRowsOfLongWordsAreEven(t *testing.T) {
	var items []string
	for i := range 18 {
		items = append(items, fmt.Sprintf("%02d %d", i, 100-i))
	}
	for _, width := range []int{300, 340, 370, 400, 480} {
		for _, height := range []int{300, 340, 400} {
			s := ofAreas(chart.HorizontalBar, items...)
			for i := range s.Categories {
				s.Categories[i].Label = "Malta"
			}
			s.Categories[3].Label, s.Categories[9].Label = "Liechtenstein", "Turkmenistan"
			s.Width, s.Height = width, height
			sc := Layout(s)
			layoutcheck.Report(t, sc)
			bars := rects(sc)
			for i := 2; i < len(bars); i++ {
				if first, gap := bars[1].Y-bars[0].Y, bars[i].Y-bars[i-1].Y; math.Abs(gap-first)*sc.Scale > 1.01 {
					t.Errorf("%d × %d: row %d is %.1f below the one before, the second %.1f below the first", width, height, i+1, gap, first)
				}
			}
			if len(bars) != len(items) {
				t.Errorf("%d × %d: %d bars", width, height, len(bars))
			}
		}
	}
}

// If no value is above zero, names are on the other side of the line at zero, where the
// bars begin: above columns, to the right of rows.
func TestNamesOfNegativeBars(t *testing.T) {
	for _, typ := range []chart.Type{chart.Bar, chart.HorizontalBar} {
		sc := Layout(ofAreas(typ, "DE -3", "FR -8", "IT 0"))
		layoutcheck.Report(t, sc)
		zero := zeroLine(t, sc)
		for _, m := range layoutcheck.Marks(sc, scene.Category) {
			text := m.(*scene.Text)
			if box := text.Box(); typ == chart.Bar && box.Y+box.H > zero.Y1 || typ == chart.HorizontalBar && box.X < zero.X1 {
				t.Errorf("%s: %s is at %v, the line at zero at %v", typ, text.Text, box, zero)
			}
		}
	}
	s := ofYears(chart.Bar, []float64{-1, -2, -4})
	sc := Layout(s)
	for _, m := range layoutcheck.Marks(sc, scene.TickLabel) {
		if box := m.(*scene.Text).Box(); box.Y+box.H > zeroLine(t, sc).Y1 {
			t.Errorf("%s is below zero, where the bars are", m.(*scene.Text).Text)
		}
	}
}

// A time series whose bars would be too thin to see is drawn as steps, each as high as
// its value and as wide as its period.
func TestStepsInsteadOfThinBars(t *testing.T) {
	s := barSpec(chart.Bar)
	s.Width, s.Height, s.HighlightLatest = 640, 360, true
	s.Series = []chart.Series{{Key: "a", Label: "a"}}
	for i := range 240 {
		s.Periods = append(s.Periods, stat.NewPeriod(stat.Month, 2005+i/12, i%12+1))
		s.Series[0].Values = append(s.Series[0].Values, float64(10+i%7))
	}
	s.Series[0].Values[100] = math.NaN()
	sc := Layout(s)
	layoutcheck.Report(t, sc)
	zero := zeroLine(t, sc)
	var heights []float64
	edges, red := 0, 0
	for _, m := range layoutcheck.Marks(sc, scene.Series) {
		p := m.(*scene.Path)
		if p.Fill.On {
			continue
		}
		edges++
		if p.Pen.Colour == colour.Alert {
			red++
		}
		for i := 0; i < len(p.Outline.Points); i += 2 {
			a, b := p.Outline.Points[i], p.Outline.Points[i+1]
			if a.Y != b.Y || b.X <= a.X {
				t.Fatalf("a step goes from %v to %v", a, b)
			}
			heights = append(heights, zero.Y1-a.Y)
		}
	}
	if len(heights) != 239 || edges != 3 || red != 1 {
		t.Fatalf("%d steps in %d runs, %d of them red; want 239 steps in 3 runs, one of them red", len(heights), edges, red)
	}
	at := 0
	for _, v := range s.Series[0].Values {
		if math.IsNaN(v) {
			continue
		}
		if got := heights[at] / heights[0] * s.Series[0].Values[0]; math.Abs(got-v) > 1e-6 {
			t.Fatalf("a step has the height of %v, want that of %v", got, v)
		}
		at++
	}
	if len(layoutcheck.Marks(sc, scene.Gridline)) < 2 {
		t.Error("the chart has no grid")
	}
}

// All values of an ordered dimension have a column as long as it is visible. The round
// ones are labelled, and the first and the last if they fit.
func TestRoundAgesAreLabelled(t *testing.T) {
	s := barSpec(chart.Bar)
	s.Series = []chart.Series{{Key: "a", Label: "a"}}
	for i := range 105 {
		s.Categories = append(s.Categories, chart.Category{Label: fmt.Sprintf("%d years", i+1)})
		s.Series[0].Values = append(s.Series[0].Values, float64(200-i))
	}
	sc := Layout(s)
	layoutcheck.Report(t, sc)
	got := layoutcheck.Texts(sc, scene.Category)
	want := []string{"1 years", "10 years", "20 years"}
	if len(got) < 5 || !slices.Equal(got[:3], want) || got[len(got)-1] != "100 years" {
		t.Errorf("the labels are %q, want %q first and 100 years last", got, want)
	}
	if n := len(rects(sc)); n != 105 {
		t.Errorf("%d columns for 105 ages", n)
	}
}

// If the names of columns do not all fit, the areas with the smallest values are left
// out, and a note says so.
func TestLargestOfManyAreas(t *testing.T) {
	var items []string
	for i := range 300 {
		items = append(items, fmt.Sprintf("A%d %d", i, i+1))
	}
	sc := Layout(ofAreas(chart.Bar, items...))
	layoutcheck.Report(t, sc)
	got := names(sc)
	want := fmt.Sprintf("Of 300 areas, the %d with the largest values are shown.", len(got))
	if notes := layoutcheck.Texts(sc, scene.Note); len(got) < 50 || got[0] != "Area A299" || !slices.Contains(notes, want) {
		t.Errorf("%d columns, the first is %s; the notes are %q", len(got), got[0], notes)
	}
}

// showValues writes all decimals if there are at most two.
func TestDecimalsOfShownValues(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   []string
	}{
		{[]float64{12.34, 9.8}, []string{"12.34", "9.80"}},
		{[]float64{12.3456, 9.8}, []string{"12.3", "9.8"}},
		{[]float64{12, 9}, []string{"12", "9"}},
	} {
		for _, typ := range []chart.Type{chart.Bar, chart.HorizontalBar} {
			s := ofYears(typ, c.values)
			s.ShowValues = true
			if got := layoutcheck.Texts(Layout(s), scene.Value); !slices.Equal(got, c.want) {
				t.Errorf("%s: %v are written as %q, want %q", typ, c.values, got, c.want)
			}
		}
	}
}

// A few groups of bars have values and no grid.
func TestValuesOfGroups(t *testing.T) {
	sc := Layout(ofYears(chart.Bar, []float64{5, 6, 7}, []float64{3, 4, 1}))
	if got := layoutcheck.Texts(sc, scene.Value); !slices.Equal(got, []string{"5", "3", "6", "4", "7", "1"}) || len(layoutcheck.Marks(sc, scene.Gridline)) > 0 {
		t.Errorf("the values are %q, with %d gridlines", got, len(layoutcheck.Marks(sc, scene.Gridline)))
	}
}
