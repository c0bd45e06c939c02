package layout

import (
	"fmt"
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

// barSpec returns a bar chart of the usual size with the defaults of the interface.
func barSpec(t chart.Type) *chart.Spec {
	return &chart.Spec{Type: t, Width: chart.DefaultWidth, Height: chart.DefaultHeight, Title: "Title", Subtitle: "Subtitle", Source: "Source: Office", ShowLegend: true}
}

// ofAreas returns a chart of one series. Items are an area and its value: "DE 3",
// "EU27_2020 5 group", "FR -" for no value.
func ofAreas(t chart.Type, items ...string) *chart.Spec {
	s := barSpec(t)
	s.Series = []chart.Series{{Key: "Total", Label: "Total"}}
	for _, item := range items {
		parts := strings.Fields(item)
		s.Categories = append(s.Categories, chart.Category{Label: "Area " + parts[0], Area: parts[0], Group: len(parts) > 2})
		v := math.NaN()
		if parts[1] != "-" {
			fmt.Sscan(parts[1], &v)
		}
		s.Series[0].Values = append(s.Series[0].Values, v)
	}
	return s
}

// ofYears returns a chart of annual series that begin in 2000.
func ofYears(t chart.Type, series ...[]float64) *chart.Spec {
	s := barSpec(t)
	for i := range series[0] {
		s.Periods = append(s.Periods, stat.NewPeriod(stat.Annual, 2000+i, 1))
	}
	for i, values := range series {
		name := fmt.Sprintf("Series %d", i+1)
		s.Series = append(s.Series, chart.Series{Key: name, Label: name, Values: values})
	}
	return s
}

func rects(sc *scene.Scene) []*scene.Rect {
	var found []*scene.Rect
	for _, m := range layoutcheck.Marks(sc, scene.Series) {
		if r, ok := m.(*scene.Rect); ok {
			found = append(found, r)
		}
	}
	return found
}

func zeroLine(t *testing.T, sc *scene.Scene) *scene.Line {
	t.Helper()
	lines := layoutcheck.Marks(sc, scene.Zero)
	if len(lines) != 1 {
		t.Fatalf("%d lines at zero, want 1", len(lines))
	}
	return lines[0].(*scene.Line)
}

// names returns the names of bars in drawing order.
func names(sc *scene.Scene) []string {
	var found []string
	for _, r := range rects(sc) {
		found = append(found, r.Name)
	}
	return found
}

// Bars start at the line at zero, and their lengths are proportional to the values.
func TestBarsAreProportional(t *testing.T) {
	values := map[string]float64{"Area DE": 3, "Area FR": -1.5, "Area IT": 12, "Area ES": .75, "Area PL": -6}
	for _, typ := range []chart.Type{chart.Bar, chart.HorizontalBar} {
		sc := Layout(ofAreas(typ, "DE 3", "FR -1.5", "IT 12", "ES .75", "PL -6"))
		layoutcheck.Report(t, sc)
		zero := zeroLine(t, sc)
		unit := 0.0
		for _, r := range rects(sc) {
			from, to := r.X, r.X+r.W
			at := zero.X1
			if typ == chart.Bar {
				from, to, at = -(r.Y + r.H), -r.Y, -zero.Y1
			}
			length := to - at
			if values[r.Name] < 0 {
				length = from - at
			}
			if other := math.Abs(from-at) + math.Abs(to-at) - (to - from); other > 1e-9 {
				t.Errorf("%s: the bar of %s does not begin at zero", typ, r.Name)
			}
			if unit == 0 {
				unit = length / values[r.Name]
			}
			if got := length / unit; math.Abs(got-values[r.Name]) > 1e-9 {
				t.Errorf("%s: the bar of %s has the length of %v, want that of %v", typ, r.Name, got, values[r.Name])
			}
		}
		if n := len(rects(sc)); n != len(values) {
			t.Errorf("%s: %d bars for %d values", typ, n, len(values))
		}
	}
}

// A bar too short to be visible is drawn longer, but never longer than the bar of a larger
// value.
func TestNoBarIsLongerThanThatOfALargerValue(t *testing.T) {
	for _, typ := range []chart.Type{chart.Bar, chart.HorizontalBar} {
		for _, sign := range []float64{1, -1} {
			s := barSpec(typ)
			s.Series = []chart.Series{{Key: "Total", Label: "Total"}}
			for i := range 30 {
				v := sign * 1000 * math.Pow(.6, float64(i))
				s.Categories = append(s.Categories, chart.Category{Label: fmt.Sprintf("Area %02d", i)})
				s.Series[0].Values = append(s.Series[0].Values, v)
			}
			sc := Layout(s)
			zero := zeroLine(t, sc)
			reach := map[string]float64{}
			for _, r := range rects(sc) {
				if typ == chart.Bar {
					reach[r.Name] = max(math.Abs(r.Y-zero.Y1), math.Abs(r.Y+r.H-zero.Y1))
				} else {
					reach[r.Name] = max(math.Abs(r.X-zero.X1), math.Abs(r.X+r.W-zero.X1))
				}
			}
			for i := 1; i < 30; i++ {
				larger, smaller := s.Categories[i-1].Label, s.Categories[i].Label
				if reach[smaller] > reach[larger]+1e-9 || reach[smaller] == 0 {
					t.Errorf("%s, sign %v: the bar of %s has length %v, that of %s, which is larger, %v", typ, sign, smaller, reach[smaller], larger, reach[larger])
				}
			}
		}
	}
}

// Bars of areas are sorted: first groups of countries and a gap, then countries from
// high to low, then those without a value.
func TestBarsOfAreasAreSorted(t *testing.T) {
	want := []string{"Area EA20", "Area EU27_2020", "Area FR", "Area DE", "Area IT"}
	for _, typ := range []chart.Type{chart.Bar, chart.HorizontalBar} {
		sc := Layout(ofAreas(typ, "EU27_2020 4 group", "DE 3", "ES -", "FR 9", "EA20 5 group", "IT 2"))
		layoutcheck.Report(t, sc)
		if got := names(sc); !slices.Equal(got, want) {
			t.Errorf("%s: the order is %v, want %v", typ, got, want)
		}
		categories := layoutcheck.Texts(sc, scene.Category)
		if len(categories) != 6 || categories[5] != "Area ES" {
			t.Errorf("%s: the names are %q, want the one without a value last", typ, categories)
		}
		bars := rects(sc)
		at := func(i int) float64 { return bars[i].X }
		if typ == chart.HorizontalBar {
			at = func(i int) float64 { return bars[i].Y }
		}
		if inside, between := at(1)-at(0), at(2)-at(1); between < inside*1.1 {
			t.Errorf("%s: groups are %.1f apart and the first country is %.1f from them: there is no gap", typ, inside, between)
		}
		if bars[0].Fill.Colour == bars[2].Fill.Colour {
			t.Errorf("%s: groups have the colour of countries", typ)
		}
	}
}

// If all areas are groups of countries, none is muted.
func TestGroupsAloneAreNotMuted(t *testing.T) {
	sc := Layout(ofAreas(chart.HorizontalBar, "EU27_2020 4 group", "WLD 5 group"))
	for _, r := range rects(sc) {
		if r.Fill.Colour == colour.Muted {
			t.Errorf("%s is muted although all areas are groups", r.Name)
		}
	}
}

// Upright bars keep the order of dimension values: ages, sizes, branches.
// Horizontal ones are sorted by value.
func TestOrderOfDimensionValues(t *testing.T) {
	for typ, want := range map[chart.Type][]string{
		chart.Bar:           {"0–14", "15–64", "65+"},
		chart.HorizontalBar: {"15–64", "65+", "0–14"},
	} {
		s := barSpec(typ)
		s.Categories = []chart.Category{{Label: "0–14"}, {Label: "15–64"}, {Label: "65+"}}
		s.Series = []chart.Series{{Key: "a", Label: "a", Values: chart.Values{1, 6, 2}}}
		if got := names(Layout(s)); !slices.Equal(got, want) {
			t.Errorf("%s: the order is %v, want %v", typ, got, want)
		}
	}
}

// Zero has a stroke and "0", a missing value "no data" and no mark.
func TestZeroIsNotMissing(t *testing.T) {
	for _, typ := range []chart.Type{chart.Bar, chart.HorizontalBar} {
		sc := Layout(ofAreas(typ, "DE 3", "FR 0", "IT -"))
		layoutcheck.Report(t, sc)
		strokes := map[string]bool{}
		zero := zeroLine(t, sc)
		for _, r := range rects(sc) {
			length, away := r.H, zero.Y1-(r.Y+r.H)
			if typ == chart.HorizontalBar {
				length, away = r.W, r.X-zero.X1
			}
			if pixels := length * sc.Scale; pixels < 5 {
				strokes[r.Name] = true
				if pixels < 2 || away < 0 {
					t.Errorf("%s: the stroke of %s is %.1f pixels long and %.1f from the line at zero", typ, r.Name, pixels, away*sc.Scale)
				}
			}
		}
		if !strokes["Area FR"] || strokes["Area IT"] || len(strokes) != 1 {
			t.Errorf("%s: strokes for %v, want one for Area FR, which is zero", typ, strokes)
		}
		values := strings.Join(layoutcheck.Texts(sc, scene.Value), " ")
		if !strings.HasPrefix(values, "3 0 no data") {
			t.Errorf("%s: the values are %q", typ, values)
		}
	}
}

// If "no data" does not fit below the columns, a note lists them.
func TestNoteNamesAreasWithoutValue(t *testing.T) {
	items := []string{"XX -"}
	for i := range 60 {
		items = append(items, fmt.Sprintf("A%d %d", i, i+1))
	}
	sc := Layout(ofAreas(chart.Bar, items...))
	layoutcheck.Report(t, sc)
	if notes := layoutcheck.Texts(sc, scene.Note); !slices.Contains(notes, "No data: Area XX.") {
		t.Errorf("the notes are %q", notes)
	}
}

// A missing period leaves a gap as wide as its bar would be.
func TestMissingPeriodsLeaveAGap(t *testing.T) {
	s := ofYears(chart.Bar, []float64{1, 2, 3, 4})
	s.Periods[3] = stat.NewPeriod(stat.Annual, 2004, 1)
	const pixel = 1
	bars := rects(Layout(s))
	if step, last := bars[1].X-bars[0].X, bars[3].X-bars[2].X; math.Abs(last-2*step) > 2*pixel {
		t.Errorf("the bars of 2002 and 2004 are %.2f apart, those of 2000 and 2001 %.2f", last, step)
	}
	// So does a period without a value.
	bars = rects(Layout(ofYears(chart.Bar, []float64{1, 2, math.NaN(), 4})))
	if step, last := bars[1].X-bars[0].X, bars[2].X-bars[1].X; math.Abs(last-2*step) > 2*pixel {
		t.Errorf("the bars of 2001 and 2003 are %.2f apart, those of 2000 and 2001 %.2f", last, step)
	}
}

// highlightLatest: the latest period with a value is red, and its value is written.
func TestLatestIsHighlighted(t *testing.T) {
	many := make([]float64, 40)
	for i := range many {
		many[i] = float64(100 + i%7)
	}
	many[39], many[38] = math.NaN(), 44
	for _, typ := range []chart.Type{chart.Bar, chart.HorizontalBar} {
		s := ofYears(typ, many)
		s.HighlightLatest = true
		sc := Layout(s)
		layoutcheck.Report(t, sc)
		bars := rects(sc)
		for _, r := range bars {
			if red := r.Fill.Colour == colour.Alert; red != (r.Name == "2038") {
				t.Errorf("%s: the bar of %s is red: %v", typ, r.Name, red)
			}
		}
		if got := layoutcheck.Texts(sc, scene.Highlight); !slices.Equal(got, []string{"44"}) {
			t.Errorf("%s: the values in red are %q, want 44", typ, got)
		}
		s.HighlightLatest = false
		if got := layoutcheck.Marks(Layout(s), scene.Highlight); got != nil {
			t.Errorf("%s: %d marks in red, want none", typ, len(got))
		}
	}
}

// In groups of bars, the latest bars keep their colours; a red line underlines them, and
// their values are red.
func TestLatestOfSeveralSeries(t *testing.T) {
	s := ofYears(chart.Bar, []float64{5, 6, 7}, []float64{3, 4, 1})
	s.HighlightLatest = true
	sc := Layout(s)
	layoutcheck.Report(t, sc)
	if got := layoutcheck.Texts(sc, scene.Highlight); !slices.Equal(got, []string{"7", "1"}) {
		t.Errorf("the values in red are %q, want 7 and 1", got)
	}
	if got := len(layoutcheck.Marks(sc, scene.Highlight)); got != 3 {
		t.Errorf("%d marks in red, want a line and two values", got)
	}
	if bars := rects(sc); bars[5].Fill != bars[1].Fill {
		t.Error("the latest bar does not have the colour of its series")
	}
}

// A chart of one period has no latest.
func TestCategoriesHaveNoLatest(t *testing.T) {
	for _, typ := range []chart.Type{chart.Bar, chart.HorizontalBar} {
		s := ofAreas(typ, "DE 3", "FR 4")
		s.HighlightLatest = true
		if got := layoutcheck.Marks(Layout(s), scene.Highlight); got != nil {
			t.Errorf("%s: %d marks in red, want none", typ, len(got))
		}
	}
}

// showValues writes the values even if there are many bars.
func TestShowValues(t *testing.T) {
	values := make([]float64, 20)
	for i := range values {
		values[i] = float64(i + 1)
	}
	s := ofYears(chart.Bar, values)
	if got := layoutcheck.Texts(Layout(s), scene.Value); got != nil {
		t.Errorf("without the option the values are %q, want none", got)
	}
	s.ShowValues = true
	sc := Layout(s)
	layoutcheck.Report(t, sc)
	if got := layoutcheck.Texts(sc, scene.Value); len(got) != 20 || got[0] != "1" || got[19] != "20" {
		t.Errorf("with the option the values are %q, want 1 to 20", got)
	}
}

// A chart has either values at its bars or a grid and an axis.
func TestValuesOrGrid(t *testing.T) {
	few, many := ofYears(chart.Bar, []float64{1, 2, 3}), ofYears(chart.Bar, make([]float64, 40))
	for i := range many.Series[0].Values {
		many.Series[0].Values[i] = float64(i)
	}
	if sc := Layout(few); len(layoutcheck.Texts(sc, scene.Value)) != 3 || len(layoutcheck.Marks(sc, scene.Gridline)) > 0 {
		t.Error("three bars: want values and no grid")
	}
	sc := Layout(many)
	if len(layoutcheck.Texts(sc, scene.Value)) > 0 || len(layoutcheck.Marks(sc, scene.Gridline)) < 2 || layoutcheck.Texts(sc, scene.TickLabel)[0] != "0" {
		t.Error("forty bars: want a grid from 0 and no values")
	}
}

// The legend has the order of the bars, and showLegend removes it.
func TestLegendOfBars(t *testing.T) {
	for _, typ := range []chart.Type{chart.Bar, chart.HorizontalBar} {
		s := ofYears(typ, []float64{1, 2}, []float64{2, 3}, []float64{3, 1})
		s.Series[1].Label, s.Series[2].Colour = "Renamed series", "#00ff00"
		sc := Layout(s)
		if got := layoutcheck.Texts(sc, scene.LegendText); !slices.Equal(got, []string{"Series 1", "Renamed series", "Series 3"}) {
			t.Errorf("%s: the legend is %q", typ, got)
		}
		bars, swatches := rects(sc), layoutcheck.Marks(sc, scene.Legend)
		for i := range 3 {
			swatch := swatches[i].(*scene.Rect)
			if swatch.Name != bars[i].Name || swatch.Fill != bars[i].Fill {
				t.Errorf("%s: entry %d of the legend is %s in %v, the bar %s in %v", typ, i, swatch.Name, swatch.Fill, bars[i].Name, bars[i].Fill)
			}
		}
		if green := bars[2]; green.Fill.Colour != (colour.RGB{G: 0xff}) || colour.Contrast(green.Pen.Colour, colour.White) < 3 {
			t.Errorf("%s: the bar in the caller's colour is %v with an edge of %v", typ, green.Fill, green.Pen)
		}
		s.ShowLegend = false
		if sc := Layout(s); len(layoutcheck.Marks(sc, scene.Legend))+len(layoutcheck.Marks(sc, scene.LegendText)) > 0 {
			t.Errorf("%s: a legend although showLegend is false", typ)
		}
	}
}

// Forecasts are hatched.
func TestForecastsAreHatched(t *testing.T) {
	for _, typ := range []chart.Type{chart.Bar, chart.HorizontalBar} {
		s := ofYears(typ, []float64{1, 2, 3})
		s.Series[0].Flags = []stat.Flags{"", "P", "F"}
		for _, r := range rects(Layout(s)) {
			if hatched := r.Fill.Hatch != nil; hatched != (r.Name == "2002") {
				t.Errorf("%s: the bar of %s is hatched: %v", typ, r.Name, hatched)
			}
		}
	}
}

// seriesColors may name areas if there is one series.
func TestColourOfACategory(t *testing.T) {
	for _, typ := range []chart.Type{chart.Bar, chart.HorizontalBar} {
		s := ofAreas(typ, "DE 3", "FR 4")
		s.Categories[0].Colour = "crimson"
		for _, r := range rects(Layout(s)) {
			if chosen := r.Fill.Colour == (colour.RGB{R: 0xdc, G: 0x14, B: 0x3c}); chosen != (r.Name == "Area DE") {
				t.Errorf("%s: the bar of %s is %v", typ, r.Name, r.Fill.Colour)
			}
		}
	}
}

// A note counts the rows and columns of areas that do not fit.
func TestNothingIsLeftOutSilently(t *testing.T) {
	var items []string
	for i := range 300 {
		items = append(items, fmt.Sprintf("A%d %d", i, i+1))
	}
	sc := Layout(ofAreas(chart.HorizontalBar, items...))
	layoutcheck.Report(t, sc)
	want := fmt.Sprintf("Of 300 areas, the %d with the largest values are shown.", len(rects(sc)))
	if notes := layoutcheck.Texts(sc, scene.Note); !slices.Contains(notes, want) {
		t.Errorf("the notes are %q, want %q", notes, want)
	}
	if got := names(sc); got[0] != "Area A299" {
		t.Errorf("the first is %s, want A299, which has the largest value", got[0])
	}
	items[7], items[8] = "A7 -500", "A8 -900"
	sc = Layout(ofAreas(chart.HorizontalBar, items...))
	if got := names(sc); got[0] != "Area A299" || got[len(got)-1] != "Area A8" {
		t.Errorf("with negative values the first is %s and the last %s, want the largest and the smallest", got[0], got[len(got)-1])
	}
	sc = Layout(ofAreas(chart.Bar, items...))
	layoutcheck.Report(t, sc)
	got := names(sc)
	if got[0] != "Area A299" || got[len(got)-1] != "Area A8" || len(got) < 50 {
		t.Errorf("%d columns, from %s to %s", len(got), got[0], got[len(got)-1])
	}
	want = fmt.Sprintf("Of 300 areas, the %d with the largest values and the %d with the smallest are shown.", (len(got)+1)/2, len(got)/2)
	if notes := layoutcheck.Texts(sc, scene.Note); !slices.Contains(notes, want) {
		t.Errorf("the notes are %q, want %q", notes, want)
	}
	if named := len(layoutcheck.Texts(sc, scene.Category)); named != len(got) {
		t.Errorf("%d of %d columns have names", named, len(got))
	}
}

// Columns are labelled with complete or wrapped names, codes of areas, or numbers with a
// key.
func TestNamesOfColumns(t *testing.T) {
	long := func(n int, area string) *chart.Spec {
		s := barSpec(chart.Bar)
		s.Series = []chart.Series{{Key: "a", Label: "a"}}
		for i := range n {
			c := chart.Category{Label: fmt.Sprintf("Professional and scientific activities %c", 'A'+i)}
			if area != "" {
				c.Area = fmt.Sprintf(area, 'A'+i)
			}
			s.Categories = append(s.Categories, c)
			s.Series[0].Values = append(s.Series[0].Values, float64(n-i))
		}
		return s
	}
	for _, c := range []struct {
		what string
		spec *chart.Spec
		want []string
	}{
		{"complete", long(2, ""), []string{"Professional and scientific activities A", "Professional and scientific activities B"}},
		{"wrapped", long(6, ""), []string{"Professional and", "scientific activities A"}},
		{"codes", long(24, "D%c"), []string{"DA", "DB", "DC"}},
		{"codes without a year", long(24, "E%c_2020"), []string{"EA", "EB", "EC"}},
		{"numbers", long(20, ""), []string{"1", "2", "3"}},
	} {
		sc := Layout(c.spec)
		layoutcheck.Report(t, sc)
		if got := layoutcheck.Texts(sc, scene.Category); len(got) < len(c.want) || !slices.Equal(got[:len(c.want)], c.want) {
			t.Errorf("%s: the names are %q", c.what, got)
		}
	}
	key := layoutcheck.Texts(Layout(long(20, "")), scene.Category)[20:]
	if len(key) != 20 || key[1] != "2 Professional and scientific activities B" {
		t.Errorf("the key is %q", key)
	}
}

// Bars that keep an order, such as ages, are not said to be ranked.
func TestOnlyRankedBarsAreSaidToBe(t *testing.T) {
	for _, isOrdered := range []bool{true, false} {
		s := ofAreas(chart.HorizontalBar, "A 3", "B 1", "C 2")
		s.Ordered = isOrdered
		s.Series = append(s.Series, chart.Series{Key: "Women", Label: "Women", Values: []float64{1, 2, 3}})
		texts := strings.Join(layoutcheck.Texts(Layout(s), scene.LegendText), " ")
		if strings.Contains(texts, "Ranked") == isOrdered {
			t.Errorf("in order: %t, legend %q", isOrdered, texts)
		}
	}
}
