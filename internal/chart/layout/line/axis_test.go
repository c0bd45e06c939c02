package line

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"almanac/internal/chart"
	"almanac/internal/chart/colour"
	"almanac/internal/chart/layout/frame"
	"almanac/internal/chart/layoutcheck"
	"almanac/internal/chart/scene"
	"almanac/internal/stat"
	"almanac/internal/stattest/property"
)

// linesOf returns the lines with a role, in drawing order.
func linesOf(sc *scene.Scene, role string) []*scene.Line {
	var lines []*scene.Line
	for _, m := range layoutcheck.Marks(sc, role) {
		if l, ok := m.(*scene.Line); ok {
			lines = append(lines, l)
		}
	}
	return lines
}

// valueLabels and timeLabels return the tick labels of the two axes.
func valueLabels(sc *scene.Scene) []string { return labelsOf(sc, scene.End) }
func timeLabels(sc *scene.Scene) []string  { return labelsOf(sc, scene.Start) }

func labelsOf(sc *scene.Scene, a scene.Anchor) []string {
	var labels []string
	for _, m := range layoutcheck.Marks(sc, scene.TickLabel) {
		if text := m.(*scene.Text); text.Anchor == a {
			labels = append(labels, text.Text)
		}
	}
	return labels
}

// The value axis has few ticks, no more decimals than the values, and begins at zero if
// zero is near.
func TestValueAxis(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   string
	}{
		{[]float64{3.6, 4.0}, "3.6% 3.7% 3.8% 3.9% 4.0%"},
		{[]float64{2, 2, 2}, "1% 2% 3%"},
		{[]float64{3.4}, "3.0% 3.5% 4.0%"},
		{[]float64{0, 0}, "0% 1%"},
		{[]float64{4, 8}, "4% 5% 6% 7% 8%"},
		{[]float64{3.1, 11.2}, "0% 2% 4% 6% 8% 10% 12%"},
		// Few values close to each other do not fill the axis.
		{[]float64{79.4, 81.2}, "78% 79% 80% 81% 82%"},
	} {
		if got := strings.Join(valueLabels(picture(lineSpec(c.values...))), " "); got != c.want {
			t.Errorf("%v has the labels %s; want %s", c.values, got, c.want)
		}
	}
}

// No value is at the lower end of the plot, unless it is zero, and none is far below
// the lowest gridline.
func TestHeadroom(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(1, 100), rapid.SampledFrom([]float64{10, 20, 50, 100})), 2, 12).Draw(t, "values")
		sc := picture(lineSpec(values...))
		floor := math.Inf(-1)
		for _, l := range linesOf(sc, scene.Tick) {
			floor = max(floor, l.Y1)
		}
		grid := append(linesOf(sc, scene.Gridline), linesOf(sc, scene.Zero)...)
		if len(grid) < 2 || len(grid) > 7 {
			t.Errorf("%d gridlines, want 2 to 7", len(grid))
		}
		slices.SortFunc(grid, func(a, b *scene.Line) int { return cmp.Compare(b.Y1, a.Y1) })
		lowest, step := grid[0].Y1, grid[0].Y1-grid[1].Y1
		for _, dot := range circlesOf(sc, scene.Series) {
			if lowest != floor && dot.Y > floor-headroom*.9 {
				t.Errorf("a value is at %.1f, too close to the end of the plot at %.1f", dot.Y, floor)
			}
			if dot.Y > lowest+step/4+1e-6 {
				t.Errorf("a value is at %.1f, far below the lowest gridline at %.1f", dot.Y, lowest)
			}
		}
	})
}

// The common factor of all labels is written above the axis.
func TestFactorOfTheAxis(t *testing.T) {
	for _, c := range []struct {
		unit   string
		values []float64
		labels string
		factor []string
	}{
		{"Rupiah", []float64{1e15, 1.5e15, 2e15}, "1,000 1,250 1,500 1,750 2,000", []string{"Trillion rupiah"}},
		{"Euro", []float64{1e9, 1.5e9, 2e9}, "1,000 1,250 1,500 1,750 2,000", []string{"€ million"}},
		{"", []float64{1e-9, 1.5e-9, 2e-9}, "1.0 1.5 2.0", []string{"×10", "−9"}},
		{"Million euro", []float64{1e4, 1.5e4, 2e4}, "10,000 12,500 15,000 17,500 20,000", nil},
	} {
		s := lineSpec(c.values...)
		s.Unit, s.Height = c.unit, 400
		sc := picture(s)
		layoutcheck.Report(t, sc)
		if got := strings.Join(valueLabels(sc), " "); got != c.labels {
			t.Errorf("%v %s: labels %q; want %q", c.values, c.unit, got, c.labels)
		}
		if got := timeLabels(sc); !slices.Equal(got[:len(got)-3], c.factor) {
			t.Errorf("%v %s: the factor and the time labels are %q, want the factor %q", c.values, c.unit, got, c.factor)
		}
	}
}

// Labels are evenly spaced. If several years begin in the time span,
// labels are years. Weeks are labelled as weeks.
func TestTimeLabels(t *testing.T) {
	for _, c := range []struct {
		first stat.Period
		n     int
		want  string
	}{
		{stat.NewPeriod(stat.Annual, 1988, 1), 34, "1988 1991 1994 1997 2000 2003 2006 2009 2012 2015 2018 2021"},
		{stat.NewPeriod(stat.Annual, 1988, 1), 32, "1989 1991 1993 1995 1997 1999 2001 2003 2005 2007 2009 2011 2013 2015 2017 2019"},
		{stat.NewPeriod(stat.Quarter, 2021, 1), 16, "2021 2022 2023 2024"},
		{stat.NewPeriod(stat.Week, 2024, 1), 26, "W01/2024 W05/2024 W09/2024 W13/2024 W17/2024 W21/2024 W25/2024"},
	} {
		s := lineSpec()
		for i := range c.n {
			f := c.first.Frequency()
			per := map[stat.Frequency]int{stat.Annual: 1, stat.Quarter: 4, stat.Week: 52}[f]
			s.Periods = append(s.Periods, stat.NewPeriod(f, c.first.Start().Year()+i/per, i%per+1))
			s.Series[0].Values = append(s.Series[0].Values, 50+float64(i%7))
		}
		s.Series[0].Label = "x"
		sc := picture(s)
		if got := strings.Join(timeLabels(sc), " "); got != c.want {
			t.Errorf("%d from %s: labels %s; want %s", c.n, c.first, got, c.want)
		}
		if got := len(linesOf(sc, scene.Tick)); got <= c.n {
			t.Errorf("%d from %s: %d ticks; want short ones at each period too", c.n, c.first, got)
		}
	}
}

// A break in a series is marked between the flagged value and the one before. If there
// are many breaks, none is marked.
func TestBreaks(t *testing.T) {
	s := lineSpec(1, 4, 2, 5, 3, 6, 2, 4, 3)
	s.Series[0].Flags = []stat.Flags{"B", "", "B", "", "", "", "", "", ""}
	sc := picture(s)
	layoutcheck.Report(t, sc)
	dots := circlesOf(sc, scene.Series)
	slices.SortFunc(dots, func(a, b *scene.Circle) int { return int(a.X - b.X) })
	strokes := linesOf(sc, scene.Break)
	if len(strokes) != 1 || strokes[0].X1 <= dots[1].X || strokes[0].X1 >= dots[2].X || strokes[0].X1 != strokes[0].X2 || strokes[0].Pen.Dash == nil {
		t.Fatalf("%d strokes, want one, dashed and vertical, between the second and the third value", len(strokes))
	}
	if y := (strokes[0].Y1 + strokes[0].Y2) / 2; y < min(dots[1].Y, dots[2].Y) || y > max(dots[1].Y, dots[2].Y) {
		t.Errorf("the stroke is at %v, the values at %v and %v", y, dots[1].Y, dots[2].Y)
	}
	for i := 1; i < 8; i++ {
		s.Series[0].Flags[i] = "B"
	}
	if n := len(linesOf(picture(s), scene.Break)); n != 0 {
		t.Errorf("%d strokes where nearly all values are flagged", n)
	}
}

// Provisional and estimated values are drawn as rings, unless all values of the chart
// are provisional or estimated.
func TestProvisionalValuesAreRings(t *testing.T) {
	rings := func(flags ...stat.Flags) int {
		s := lineSpec(1, 4, 2, 5)
		s.Series[0].Flags = flags
		n := 0
		for _, c := range circlesOf(picture(s), scene.Series) {
			if c.Fill == scene.Solid(colour.White) {
				n++
			}
		}
		return n
	}
	for _, c := range []struct {
		flags []stat.Flags
		want  int
	}{
		{[]stat.Flags{"", "", "E", "P"}, 2},
		{[]stat.Flags{"", "E", "", "P"}, 2},
		{[]stat.Flags{"", "P", "P", ""}, 2},
		{[]stat.Flags{"E", "E", "E", "E"}, 0},
		{nil, 0},
	} {
		if got := rings(c.flags...); got != c.want {
			t.Errorf("flags %q: %d rings; want %d", c.flags, got, c.want)
		}
	}
}

// A small picture has no ring whose note does not fit, even if another note does.
func TestNoRingWithoutItsNote(t *testing.T) {
	s := lineSpec(1, 4, 2, 5)
	s.Series[0].Flags = []stat.Flags{"", "B", "", "P"}
	s.Source, s.Notes = "Source: Example Office", []string{"Break in the series: 2021.", "Provisional: 2024."}
	for _, c := range []struct{ width, height, want int }{{300, 169, 0}, {1200, 675, 1}} {
		s.Width, s.Height = c.width, c.height
		sc, rings := picture(s), 0
		for _, dot := range circlesOf(sc, scene.Series) {
			if dot.Fill == scene.Solid(colour.White) {
				rings++
			}
		}
		if rings != c.want {
			t.Errorf("%d × %d: %d rings; want %d", c.width, c.height, rings, c.want)
		}
	}
}

// Names that were moved, and those next to them, have leaders in the colour of the
// name. Other names are close to their lines.
func TestLeaders(t *testing.T) {
	s := lineSpec(10, 50)
	for i, v := range []float64{50.2, 50.4, 10} {
		s.Series = append(s.Series, chart.Series{Label: fmt.Sprint("Region ", i), Values: chart.Values{20, v}})
	}
	sc := picture(s)
	layoutcheck.Report(t, sc)
	leaders := map[string]colour.RGB{}
	for _, m := range layoutcheck.Marks(sc, scene.Leader) {
		leaders[m.Tags().Name] = m.(*scene.Path).Pen.Colour
	}
	if len(leaders) != 3 {
		t.Errorf("leaders to %v; want three, to the names that collide", leaders)
	}
	left := map[string]float64{}
	for _, m := range layoutcheck.Marks(sc, scene.SeriesName) {
		text := m.(*scene.Text)
		left[text.Name] = text.X
		if c, ok := leaders[text.Name]; ok && c != text.Colour {
			t.Errorf("the leader to %s is %s and the name %s", text.Name, c, text.Colour)
		}
	}
	if left["Region 2"] >= left["Germany"] {
		t.Errorf("the name without a leader begins at %v, those with leaders at %v; want it closer to its line", left["Region 2"], left["Germany"])
	}
}

// A chart of one period has its dot in the middle of the plot, with the value next to
// it and no space for names on the right.
func TestSinglePeriod(t *testing.T) {
	sc := picture(lineSpec(3.4))
	layoutcheck.Report(t, sc)
	if got := layoutcheck.Texts(sc, scene.Value); !slices.Equal(got, []string{"3.4%"}) {
		t.Errorf("the values are %q", got)
	}
	grid := linesOf(sc, scene.Gridline)[0]
	if right := sc.Width - frame.MarginX; math.Abs(grid.X2-right) > 1e-6 {
		t.Errorf("the gridlines end at %v; want %v", grid.X2, right)
	}
	if dot := circlesOf(sc, scene.Series)[0]; math.Abs(dot.X-(grid.X1+grid.X2)/2) > 1e-6 {
		t.Errorf("the dot is at %v, the gridlines from %v to %v", dot.X, grid.X1, grid.X2)
	}
}

// A note counts the grey lines. If there are many grey lines, they are
// pale, because nobody has to tell them apart.
func TestNoteOnColouredLines(t *testing.T) {
	many := func(change func(*chart.Series, int)) *scene.Scene {
		s := lineSpec(1, 2)
		s.Series = nil
		for i := range 40 {
			series := chart.Series{Label: fmt.Sprint("Region ", i), Values: chart.Values{1, float64(i)}}
			change(&series, i)
			s.Series = append(s.Series, series)
		}
		sc := picture(s)
		layoutcheck.Report(t, sc)
		return sc
	}
	for _, c := range []struct {
		name, want string
		change     func(*chart.Series, int)
	}{
		{"none chosen", "In colour: the first 8 of 40 series.", func(*chart.Series, int) {}},
		{"chosen", "Grey: 38 others.", func(s *chart.Series, i int) { s.Focus = i == 20 || i == 39 }},
	} {
		sc := many(c.change)
		if notes := layoutcheck.Texts(sc, scene.Note); !slices.Equal(notes, []string{c.want}) {
			t.Errorf("%s: the notes are %q; want %q", c.name, notes, c.want)
		}
		for _, m := range layoutcheck.Marks(sc, scene.Context) {
			if p, ok := m.(*scene.Path); ok && p.Pen.Colour != colour.Pale {
				t.Errorf("%s: a context line is %s, want %s", c.name, p.Pen.Colour, colour.Pale)
			}
		}
	}
}
