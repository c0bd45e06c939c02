package line

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
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

// lineSpec returns a line chart of one annual series from 2015.
func lineSpec(values ...float64) *chart.Spec {
	s := &chart.Spec{Type: chart.Line, Width: 1200, Height: 675, Title: "A title", Subtitle: "Per cent", Unit: "%", ShowLegend: true}
	s.Series = []chart.Series{{Key: "Germany", Label: "Germany", Values: values}}
	for i := range values {
		s.Periods = append(s.Periods, stat.NewPeriod(stat.Annual, 2015+i, 1))
	}
	return s
}

// drawSpots returns random positions of a line, from left to right.
func drawSpots(t *rapid.T, most int) stretch {
	x := 0.0
	var p stretch
	for range rapid.IntRange(2, most).Draw(t, "n") {
		x += rapid.Float64Range(.01, 50).Draw(t, "step")
		p = append(p, spot{Point: scene.Point{X: x, Y: rapid.OneOf(rapid.Float64Range(0, 400), rapid.SampledFrom([]float64{0, 1, 200, 400})).Draw(t, "y")}})
	}
	return p
}

// Between two values, a smooth line never goes beyond them and never turns back, so
// that it has one value for each day.
func TestCurveNeverOvershoots(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		p := drawSpots(t, 30)
		var o scene.Outline
		smooth(&o, p, slopes(p), 0, len(p)-1)
		at := o.Points[1:]
		for i := range len(p) - 1 {
			curve := []scene.Point{p[i].Point, at[0], at[1], at[2]}
			if at[2] != p[i+1].Point {
				t.Fatalf("the curve passes through %v, want the value at %v", at[2], p[i+1].Point)
			}
			at = at[3:]
			low, high := min(p[i].Y, p[i+1].Y), max(p[i].Y, p[i+1].Y)
			x := p[i].X
			for k := 1; k <= 20; k++ {
				q := bezier(curve, float64(k)/20)
				if q.Y < low-1e-9 || q.Y > high+1e-9 || q.X < x {
					t.Fatalf("between %v and %v the curve is at %v", p[i].Point, p[i+1].Point, q)
				}
				x = q.X
			}
		}
	})
}

// A smooth line has no corners: it arrives at a value in the direction in which it leaves.
// Between values it stays close to the straight line.
func TestCurveIsSmoothAndNearlyStraight(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		p := drawSpots(t, 30)
		slope := slopes(p)
		for i := range p[1:] {
			after, before := controls(p, slope, i)
			for _, side := range []struct{ from, to scene.Point }{{p[i].Point, after}, {before, p[i+1].Point}} {
				at := slope[i]
				if side.from == before {
					at = slope[i+1]
				}
				if got := side.to.Y - side.from.Y; math.Abs(got-at*(side.to.X-side.from.X)) > 1e-9*(1+math.Abs(got)) {
					t.Fatalf("step %d: the line leaves or arrives at slope %v, want %v", i, got/(side.to.X-side.from.X), at)
				}
			}
			step := p[i+1].X - p[i].X
			for k := range 21 {
				q := bezier([]scene.Point{p[i].Point, after, before, p[i+1].Point}, float64(k)/20)
				line := p[i].Y + (p[i+1].Y-p[i].Y)*(q.X-p[i].X)/step
				if away := math.Abs(q.Y - line); away > math.Abs(p[i+1].Y-p[i].Y)/8+1e-9 {
					t.Fatalf("step %d: the curve is %v away from the straight line", i, away)
				}
			}
		}
	})
}

// bezier returns the point at u, from 0 to 1, of the curve with the given control
// points.
func bezier(points []scene.Point, u float64) scene.Point {
	if len(points) == 1 {
		return points[0]
	}
	a, b := bezier(points[:len(points)-1], u), bezier(points[1:], u)
	return scene.Point{X: a.X + u*(b.X-a.X), Y: a.Y + u*(b.Y-a.Y)}
}

// If there are more values than pixels, each column of pixels keeps its highest,
// lowest, first and last value.
func TestThinKeepsExtremes(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		var p stretch
		for i := range rapid.IntRange(16, 300).Draw(t, "n") {
			p = append(p, spot{at: i, Point: scene.Point{X: float64(i) * .1, Y: rapid.Float64Range(0, 100).Draw(t, "y")}})
		}
		kept, _ := thin(p, 1)
		limits := func(p stretch) map[int][4]float64 {
			columns := map[int][4]float64{}
			for _, s := range p {
				c := int(s.X - p[0].X)
				l, ok := columns[c]
				if !ok {
					l = [4]float64{s.Y, s.Y, s.Y, s.Y}
				}
				columns[c] = [4]float64{min(l[0], s.Y), max(l[1], s.Y), l[2], s.Y}
			}
			return columns
		}
		want, got := limits(p), limits(kept)
		for c, l := range want {
			if got[c] != l {
				t.Fatalf("column %d: lowest, highest, first and last are %v, want %v", c, got[c], l)
			}
		}
		if len(kept) > 4*len(want) {
			t.Fatalf("thin keeps %d of %d values in %d columns, want at most 4 a column", len(kept), len(p), len(want))
		}
	})
}

// A line is interrupted where a value is missing, whether the period has no value or is
// not in the data at all. Lines with values every few years are not. Only values of one
// frequency are connected. Daily values of
// working days, such as exchange rates, are connected over weekends and holidays.
func TestSplitAtGaps(t *testing.T) {
	for _, c := range []struct{ name, values, want string }{
		{"complete", "2010=1 2011=2 2012=3", "2010-2012"},
		{"missing value", "2010=1 2011=- 2012=3 2013=4", "2010 2012-2013"},
		{"missing period", "2002=1 2004=2 2005=3", "2002 2004-2005"},
		{"quarters", "Q3/2020=1 Q4/2020=2 Q1/2021=3 Q3/2021=4", "Q3/2020-Q1/2021 Q3/2021"},
		{"half-years", "H2/2020=1 H1/2021=2 H1/2022=3", "H2/2020-H1/2021 H1/2022"},
		{"months", "11/2020=1 12/2020=2 01/2021=3 03/2021=4", "11/2020-01/2021 03/2021"},
		{"weeks over the year's end", "W52/2020=1 W53/2020=2 W01/2021=3 W03/2021=4", "W52/2020-W01/2021 W03/2021"},
		{"two frequencies", "2020=10 Q1/2020=1 Q2/2020=2 Q3/2020=3 Q4/2020=4 2021=11 Q1/2021=2", "2020-2021 Q1/2020-Q1/2021"},
		{"every day", "05/01/2024=1 06/01/2024=2 08/01/2024=3", "05/01/2024-06/01/2024 08/01/2024"},
		{"weekend", "04/01/2024=1 05/01/2024=2 08/01/2024=3", "04/01/2024-08/01/2024"},
		{"Easter", "28/03/2024=1 02/04/2024=2", "28/03/2024-02/04/2024"},
		{"a working day without a value", "05/01/2024=1 08/01/2024=- 09/01/2024=3", "05/01/2024 09/01/2024"},
		{"two weeks", "05/01/2024=1 19/01/2024=3", "05/01/2024 19/01/2024"},
		{"every second year", "2010=1 2011=- 2012=3 2013=- 2014=4 2015=- 2016=6", "2010-2016"},
		{"two of three years", "2010=1 2011=- 2012=3 2013=4 2014=- 2015=6 2016=7", "2010 2012-2013 2015-2016"},
		{"years of surveys", "1985=1 1995=2 2005=3 2010=4 2015=5 2017=6 2018=7", "1985-2018"},
		{"three surveys", "1987=1 2000=2 2010=3", "1987-2010"},
		{"a census lost", "1980=1 1990=2 2010=4", "1980-1990 2010"},
		{"surveys long after the first", "1950=1 2000=2 2002=3 2005=4 2009=5", "1950 2000-2009"},
		{"years without a disaster", "1921=9 1928=900 1935=9 1938=8 1940=7 1941=9 1942=8 1943=7 1944=8 1945=9", "1921 1928 1935 1938 1940-1945"},
		{"censuses before annual values", "1970=1 1980=2 1990=3 2000=4 2001=5 2002=6 2003=7 2004=8", "1970-2004"},
		{"a year lost before annual values", "1998=1 2000=4 2001=5 2002=6 2003=7", "1998 2000-2003"},
		{"days of decisions", "04/01/1999=1 12/04/1999=2 08/11/1999=3 07/02/2000=4 20/03/2000=5", "04/01/1999-20/03/2000"},
		{"a Sunday that only others have", "05/01/2024=1 07/01/2024=- 08/01/2024=3", "05/01/2024-08/01/2024"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var periods []stat.Period
			var spots []spot
			for i, word := range strings.Fields(c.values) {
				period, value, _ := strings.Cut(word, "=")
				p, err := stat.ParsePeriod(period)
				if err != nil {
					t.Fatal(err)
				}
				periods = append(periods, p)
				if value != "-" {
					v, err := strconv.ParseFloat(value, 64)
					if err != nil {
						t.Fatal(err)
					}
					spots = append(spots, spot{at: i, value: v})
				}
			}
			var got []string
			for _, p := range newTimeline(periods).splitAtGaps(spots) {
				text := periods[p[0].at].String()
				if len(p) > 1 {
					text += "-" + periods[p[len(p)-1].at].String()
				}
				got = append(got, text)
			}
			if joined := strings.Join(got, " "); joined != c.want {
				t.Errorf("%s is drawn as %s, want %s", c.values, joined, c.want)
			}
		})
	}
}

// Steps that are longer than a line's usual one are distant; those of a line with values every five years are not.
func TestDistantValues(t *testing.T) {
	for text, want := range map[string]string{
		"1985 1995 2005 2010 2015 2017 2018":      "1995 2005 2010 2015",
		"1990 1995 2000 2005 2010":                "",
		"1990 1995 2000 2006 2010":                "",
		"1970 1980 1990 2000 2001 2002 2003 2004": "1980 1990 2000",
		"1999 2000 2001 2002":                     "",
	} {
		var periods []stat.Period
		var spots []spot
		for i, word := range strings.Fields(text) {
			p, err := stat.ParsePeriod(word)
			if err != nil {
				t.Fatal(err)
			}
			periods, spots = append(periods, p), append(spots, spot{at: i, value: float64(i)})
		}
		var got []string
		for _, p := range newTimeline(periods).splitAtGaps(spots) {
			for _, s := range p {
				if s.distant {
					got = append(got, periods[s.at].String())
				}
			}
		}
		if distant := strings.Join(got, " "); distant != want {
			t.Errorf("%s: distant are %q, want %q", text, distant, want)
		}
	}
}

// Names are moved apart, in the order of the lines' ends, so that none overlaps another
// or leaves the bounds. If all names have enough space, none is moved.
func TestSpread(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		var names []*endName
		total := 0.0
		for range rapid.IntRange(0, 20).Draw(t, "n") {
			e := &endName{h: rapid.Float64Range(5, 40).Draw(t, "h"), target: rapid.Float64Range(-20, 420).Draw(t, "target")}
			total += e.h
			names = append(names, e)
		}
		bottom := total + rapid.Float64Range(0, 300).Draw(t, "space")
		spread(names, 0, bottom)
		end := 0.0
		crowded := false
		for i, e := range names {
			if e.y-e.h/2 < end-1e-6 {
				t.Fatalf("name %d begins at %v, the one before ends at %v", i, e.y-e.h/2, end)
			}
			end = e.y + e.h/2
			crowded = crowded || e.target-e.h/2 < 0 || e.target+e.h/2 > bottom || i > 0 && names[i-1].target+names[i-1].h/2 > e.target-e.h/2
			if i > 0 && names[i-1].target > e.target {
				t.Fatal("the names are not in the order of the ends")
			}
		}
		if end > bottom+1e-6 {
			t.Fatalf("the names end at %v, beyond the bottom at %v", end, bottom)
		}
		for _, e := range names {
			if !crowded && math.Abs(e.y-e.target) > 1e-9 {
				t.Fatalf("a name with enough space moved from %v to %v", e.target, e.y)
			}
		}
	})
}

// drawLineSpec returns a random line chart, with bad input from callers and data.
func drawLineSpec(t *rapid.T) *chart.Spec {
	text := rapid.OneOf(
		rapid.SampledFrom([]string{"", "Germany", "Bosnia and Herzegovina", "المملكة العربية السعودية", "ישראל", "中华人民共和国", "Ελλάδα", "a\u202eb\x00c", strings.Repeat("long ", 400), strings.Repeat("x", 500)}),
		rapid.StringN(0, 30, -1))
	s := &chart.Spec{
		Type: chart.Line, Title: text.Draw(t, "title"), Subtitle: text.Draw(t, "subtitle"), Source: text.Draw(t, "source"),
		Unit: rapid.SampledFrom([]string{"", "%", "Million euro"}).Draw(t, "unit"),
		// The limits that New enforces.
		Width:           rapid.OneOf(rapid.IntRange(chart.MinSide, 1200), rapid.IntRange(chart.MinSide, chart.MaxSide)).Draw(t, "width"),
		HighlightLatest: rapid.Bool().Draw(t, "highlightLatest"), ShowValues: rapid.Bool().Draw(t, "showValues"), ShowLegend: rapid.Bool().Draw(t, "showLegend"),
	}
	s.Height = rapid.IntRange(chart.MinSide, min(chart.MaxSide, chart.MaxPixels/s.Width)).Draw(t, "height")
	f := stat.Frequency(rapid.IntRange(int(stat.Annual), int(stat.Day)).Draw(t, "frequency"))
	per := map[stat.Frequency]int{stat.Annual: 1, stat.HalfYear: 2, stat.Quarter: 4, stat.Month: 12, stat.Week: 52, stat.Day: 365}[f]
	first := rapid.IntRange(1000, 2030).Draw(t, "year") * per
	for i := range rapid.IntRange(1, 80).Draw(t, "periods") {
		if rapid.IntRange(0, 9).Draw(t, "skip") > 0 || i == 0 {
			s.Periods = append(s.Periods, stat.NewPeriod(f, (first+i)/per, (first+i)%per+1))
		}
	}
	size := rapid.SampledFrom([]float64{1e-9, 1, 100, 1e6, 1e15, 1e300}).Draw(t, "size")
	value := rapid.OneOf(
		rapid.Float64Range(0, 1), rapid.Float64Range(-1, 0), rapid.Float64Range(-1, 1),
		rapid.Just(math.NaN()), rapid.Just(0.0), rapid.Just(.5))
	for range rapid.SampledFrom([]int{1, 1, 2, 3, 6, 9, 20, 60}).Draw(t, "series") {
		series := chart.Series{Label: text.Draw(t, "label"), Focus: rapid.IntRange(0, 9).Draw(t, "focus") == 0, Values: make(chart.Values, len(s.Periods)), Flags: make([]stat.Flags, len(s.Periods))}
		for i := range series.Values {
			series.Values[i] = value.Draw(t, "value") * size
			if rapid.IntRange(0, 9).Draw(t, "flag") == 0 {
				series.Flags[i] = rapid.SampledFrom([]stat.Flags{"F", "P", "E", "B", "B P"}).Draw(t, "flags")
			}
		}
		s.Series = append(s.Series, series)
	}
	return s
}

func TestLinesAreReadable(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		layoutcheck.Report(t, picture(drawLineSpec(t)))
	})
}

// A chart of 400 series has a line for each, names the coloured ones, and counts the
// others in a note.
func TestFourHundredLines(t *testing.T) {
	s := lineSpec(1, 2, 3, 4, 5)
	for i := range 399 {
		v := float64(i) / 10
		s.Series = append(s.Series, chart.Series{Label: fmt.Sprint("Region ", i), Values: chart.Values{v, v + 1, v, v - 1, v}})
	}
	sc := picture(s)
	layoutcheck.Report(t, sc)
	if n := len(pathsOf(sc)) + len(layoutcheck.Marks(sc, scene.Context)); n != 400 {
		t.Errorf("%d lines are drawn, want 400", n)
	}
	named := len(layoutcheck.Texts(sc, scene.SeriesName))
	if named != len(colour.Categorical()) {
		t.Errorf("%d lines are named, want %d", named, len(colour.Categorical()))
	}
	want := "In colour: the first 8 of 400 series."
	if notes := layoutcheck.Texts(sc, scene.Note); !slices.Contains(notes, want) {
		t.Errorf("the notes are %q; want %q", notes, want)
	}
}

func pathsOf(sc *scene.Scene) []*scene.Path {
	var paths []*scene.Path
	for _, m := range layoutcheck.Marks(sc, scene.Series) {
		if p, ok := m.(*scene.Path); ok {
			paths = append(paths, p)
		}
	}
	return paths
}

func circlesOf(sc *scene.Scene, role string) []*scene.Circle {
	var circles []*scene.Circle
	for _, m := range layoutcheck.Marks(sc, role) {
		if c, ok := m.(*scene.Circle); ok {
			circles = append(circles, c)
		}
	}
	return circles
}

// Dots are placed in proportion to days horizontally and to values vertically.
func TestPositionsAreProportional(t *testing.T) {
	s := lineSpec(10, 20, 15, 30)
	s.Periods = []stat.Period{stat.NewPeriod(stat.Annual, 2000, 1), stat.NewPeriod(stat.Annual, 2001, 1), stat.NewPeriod(stat.Annual, 2004, 1), stat.NewPeriod(stat.Annual, 2005, 1)}
	dots := circlesOf(picture(s), scene.Series)
	if len(dots) != 4 {
		t.Fatalf("%d dots; want 4", len(dots))
	}
	slices.SortFunc(dots, func(a, b *scene.Circle) int { return int(a.X - b.X) })
	day, value := dots[3].X-dots[0].X, dots[3].Y-dots[0].Y
	for i, d := range dots {
		days := float64(s.Periods[i].StartDay()-s.Periods[0].StartDay()) / float64(s.Periods[3].StartDay()-s.Periods[0].StartDay())
		if got := (d.X - dots[0].X) / day; math.Abs(got-days) > 1e-9 {
			t.Errorf("%s is at %v of the width; want %v", s.Periods[i], got, days)
		}
		if got, want := (d.Y-dots[0].Y)/value, (s.Series[0].Values[i]-10)/20; math.Abs(got-want) > 1e-9 {
			t.Errorf("%s is at %v of the height; want %v", s.Periods[i], got, want)
		}
	}
}

// highlightLatest marks the latest point of each coloured line in red and writes its
// value, with the period if other lines end later.
func TestHighlightLatest(t *testing.T) {
	s := lineSpec(1, 2, 3.25)
	s.Series = append(s.Series, chart.Series{Label: "France", Values: chart.Values{7, 8, math.NaN()}})
	if sc := picture(s); len(layoutcheck.Marks(sc, scene.Highlight)) > 0 {
		t.Error("without the option a point is highlighted")
	}
	s.HighlightLatest = true
	sc := picture(s)
	layoutcheck.Report(t, sc)
	if got, want := layoutcheck.Texts(sc, scene.Highlight), []string{"3.25%", "8.00% (2016)"}; !slices.Equal(got, want) {
		t.Errorf("the values are %q; want %q", got, want)
	}
	dots := circlesOf(sc, scene.Highlight)
	if len(dots) != 2 || dots[0].Fill != scene.Solid(colour.Alert) {
		t.Fatalf("the markers are %v", dots)
	}
	last := circlesOf(sc, scene.Series)
	if !slices.ContainsFunc(last, func(c *scene.Circle) bool { return c.X == dots[1].X && c.Y == dots[1].Y }) {
		t.Error("the marker is not on a point of the line")
	}
}

// showValues writes the values of a single line at its points.
func TestShowValuesOfOneLine(t *testing.T) {
	s := lineSpec(1, 4, 2, 5)
	if got := layoutcheck.Texts(picture(s), scene.Value); got != nil {
		t.Errorf("without the option the values are %q", got)
	}
	s.ShowValues = true
	sc := picture(s)
	layoutcheck.Report(t, sc)
	got := layoutcheck.Texts(sc, scene.Value)
	slices.Sort(got)
	if want := []string{"1%", "2%", "4%", "5%"}; !slices.Equal(got, want) {
		t.Errorf("the values are %q; want %q", got, want)
	}
	s.Type = chart.Area // which has no values, and so no space for them
	with := picture(s)
	s.ShowValues = false
	if without := picture(s); !reflect.DeepEqual(with.Marks, without.Marks) {
		t.Error("the option changes an area chart")
	}
}

// A line to a forecast is dashed, and forecasts are rings.
func TestForecastIsDashed(t *testing.T) {
	s := lineSpec(1, 4, 2, 5)
	s.Series[0].Flags = []stat.Flags{"", "P", "F", "F"}
	sc := picture(s)
	paths := pathsOf(sc)
	if len(paths) != 2 || paths[0].Pen.Dash != nil || paths[1].Pen.Dash == nil {
		t.Fatalf("%d paths, want a solid one and a dashed one", len(paths))
	}
	if n := len(paths[1].Outline.Ops); n != 3 {
		t.Errorf("the dashed path has %d steps, want a start and two curves", n)
	}
	rings := 0
	for _, c := range circlesOf(sc, scene.Series) {
		if c.Fill == scene.Solid(colour.White) {
			rings++
		}
	}
	if rings != 3 {
		t.Errorf("%d values have rings, want the two forecasts and the provisional value", rings)
	}
}

// A value between two gaps is a dot.
func TestSingleValuesAreDots(t *testing.T) {
	nan := math.NaN()
	sc := picture(lineSpec(1, nan, 2, nan, 3, nan))
	if n := len(pathsOf(sc)); n != 0 {
		t.Errorf("%d lines bridge gaps", n)
	}
	if n := len(circlesOf(sc, scene.Series)); n != 3 {
		t.Errorf("%d dots; want 3", n)
	}
}

// seriesColors sets the colour of a series and customLegendLabels its name. The line has
// exactly that colour, the name is darkened until it is readable, and no other line has
// the colour.
func TestCallersColoursAndNames(t *testing.T) {
	blue := colour.Categorical()[0]
	s := lineSpec(1, 2, 3)
	s.Series[0].Colour, s.Series[0].Label = "#ff0", "Our country"
	s.Series = append(s.Series, chart.Series{Label: "France", Values: chart.Values{3, 3, 2}, Colour: blue.String()}, chart.Series{Label: "Spain", Values: chart.Values{6, 6, 6}})
	sc := picture(s)
	layoutcheck.Report(t, sc)
	drawn := map[string]colour.RGB{}
	for _, p := range pathsOf(sc) {
		drawn[p.Name] = p.Pen.Colour
	}
	if drawn["Our country"] != (colour.RGB{R: 255, G: 255}) || drawn["France"] != blue || drawn["Spain"] == blue {
		t.Errorf("the lines are %v", drawn)
	}
	if names := layoutcheck.Texts(sc, scene.SeriesName); !slices.Contains(names, "Our country") {
		t.Errorf("the names are %q", names)
	}
}

// If the names do not fit at the ends of their lines, they are in a legend, in the order
// of the data, and the lines have different dashes. With showLegend false, the names
// that fit are at the ends.
func TestLegendIfNamesDoNotFit(t *testing.T) {
	s := lineSpec(1, 2, 3)
	s.Width, s.Height = 200, 240
	for i := range 3 {
		v := float64(i)
		s.Series = append(s.Series, chart.Series{Label: fmt.Sprint("Telecommunications ", i), Values: chart.Values{v, v, v}})
	}
	sc := picture(s)
	layoutcheck.Report(t, sc)
	var legend []string
	for _, m := range layoutcheck.Marks(sc, scene.LegendText) {
		legend = append(legend, m.Tags().Name)
	}
	if want := []string{"Germany", "Telecommunications 0", "Telecommunications 1", "Telecommunications 2"}; !slices.Equal(legend, want) {
		t.Errorf("the legend names %q; want %q", legend, want)
	}
	seen := map[string]bool{}
	for _, p := range pathsOf(sc) {
		seen[fmt.Sprint(p.Pen.Dash)] = true
	}
	if len(seen) != 4 {
		t.Errorf("the lines have %d kinds of dashes; want 4", len(seen))
	}
	if names := layoutcheck.Texts(sc, scene.SeriesName); names != nil {
		t.Errorf("next to a legend, lines have the names %q", names)
	}
	s.ShowLegend = false
	sc = picture(s)
	layoutcheck.Report(t, sc)
	if layoutcheck.Marks(sc, scene.Legend) != nil || layoutcheck.Marks(sc, scene.SeriesName) == nil {
		t.Error("without a legend no names are at the ends")
	}
}

// Names at the ends are not a legend: showLegend false does not remove them.
func TestNamesAreNotALegend(t *testing.T) {
	s := lineSpec(1, 2, 3)
	s.ShowLegend = false
	if got := layoutcheck.Texts(picture(s), scene.SeriesName); !slices.Equal(got, []string{"Germany"}) {
		t.Errorf("the names are %q", got)
	}
	s.Series[0].Label = "Per"
	s.Subtitle = "Percentage · Perth"
	if got := layoutcheck.Texts(picture(s), scene.SeriesName); !slices.Equal(got, []string{"Per"}) {
		t.Errorf("the subtitle has the name only as part of other words, and the names are %q", got)
	}
	s.Series[0].Label = "Germany"
	s.Subtitle = "Per cent · Germany"
	if got := layoutcheck.Texts(picture(s), scene.SeriesName); got != nil {
		t.Errorf("the subtitle names the only line, but it also has the names %q", got)
	}
}

// The axis includes zero if values are near it, and then has a line at zero.
func TestZero(t *testing.T) {
	for _, c := range []struct {
		values []float64
		zero   bool
	}{
		{[]float64{1, 10}, true},
		{[]float64{-1, -10}, true},
		{[]float64{-5, 5}, true},
		{[]float64{80, 82}, false},
		{[]float64{-80, -82}, false},
		{[]float64{0, 0}, true},
	} {
		if got := len(layoutcheck.Marks(picture(lineSpec(c.values...)), scene.Zero)) == 1; got != c.zero {
			t.Errorf("%v: line at zero: %v; want %v", c.values, got, c.zero)
		}
	}
}

// The same Spec gives the same scene, and Layout does not change it.
func TestLayoutOfLinesIsDeterministic(t *testing.T) {
	s := lineSpec(1, 2, 3)
	s.Series = append(s.Series, chart.Series{Label: "France", Values: chart.Values{3, 1, 2}})
	if a, b := picture(s), picture(s); !reflect.DeepEqual(a, b) {
		t.Errorf("first\n%v\nthen\n%v", a, b)
	}
}

// picture returns the scene of a Spec.
func picture(s *chart.Spec) *scene.Scene {
	f := frame.New(s)
	Layout(f)
	return f.Scene
}
