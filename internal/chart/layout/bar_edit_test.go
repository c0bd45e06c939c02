package layout

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"almanac/internal/chart"
	"almanac/internal/chart/layoutcheck"
	"almanac/internal/chart/scene"
	"almanac/internal/stat"
)

// textMarks returns the texts with a role.
func textMarks(sc *scene.Scene, role string) []*scene.Text {
	var found []*scene.Text
	for _, m := range layoutcheck.Marks(sc, role) {
		if text, ok := m.(*scene.Text); ok {
			found = append(found, text)
		}
	}
	return found
}

// The years of a census are centred below their bars, or in the gap of a missing bar,
// at equal distances.
func TestCensusYearsAreBelowTheirBars(t *testing.T) {
	for _, c := range []struct {
		first, last, step, missing, width, height int
	}{
		{1901, 2021, 10, 1941, 640, 360}, {1871, 2021, 10, 1941, 260, 200},
		{1991, 2023, 2, 2011, 300, 200}, {2000, 2021, 3, 2009, 640, 360}, {1980, 2015, 5, 2005, 640, 360},
	} {
		s := barSpec(chart.Bar)
		s.Width, s.Height = c.width, c.height
		s.Series = []chart.Series{{Key: "a", Label: "a"}}
		for year := c.first; year <= c.last; year += c.step {
			if year != c.missing {
				s.Periods = append(s.Periods, stat.NewPeriod(stat.Annual, year, 1))
				s.Series[0].Values = append(s.Series[0].Values, float64(year))
			}
		}
		sc := Layout(s)
		layoutcheck.Report(t, sc)
		bars := rects(sc)
		a, b := bars[0], bars[len(bars)-1]
		place := func(year int) float64 {
			return a.X + a.W/2 + (b.X-a.X)*float64(year-c.first)/float64(c.last-c.first)
		}
		labels := 0
		for _, text := range textMarks(sc, scene.TickLabel) {
			p, err := stat.ParsePeriod(text.Text)
			if err != nil || text.Anchor != scene.Start {
				continue
			}
			labels++
			if got, want := text.X+text.W/2, place(p.Year()); math.Abs(got-want) > text.W/2 {
				t.Errorf("%d to %d: the label %d is at %.0f, want %.0f", c.first, c.last, p.Year(), got, want)
			}
		}
		if labels < 4 {
			t.Errorf("%d to %d: %d years are labelled, want at least 4", c.first, c.last, labels)
		}
	}
}

// In a low picture, notes share the line of the source, and the caller's notes come
// first.
func TestNotesAreBesideTheSource(t *testing.T) {
	for _, typ := range []chart.Type{chart.Bar, chart.HorizontalBar} {
		s := ofAreas(typ, "DE 3", "FR 9", "IT 2", "ES 5", "PL 6", "SE 4", "FI 1")
		s.Width, s.Height, s.Notes = 4096, 100, []string{"Provisional: Germany.", "Not shown: 2 regions."}
		sc := Layout(s)
		layoutcheck.Report(t, sc)
		if got := layoutcheck.Texts(sc, scene.Note); len(got) < 2 || !slices.Equal(got[:2], s.Notes) {
			t.Errorf("%s: the notes are %q, want %q first", typ, got, s.Notes)
		}
		source := textMarks(sc, scene.Source)[0]
		for _, note := range textMarks(sc, scene.Note) {
			if note.Y != source.Y {
				t.Errorf("%s: %q is not on the line of the source", typ, note.Text)
			}
		}
	}
}

// A subtitle is never larger than its title, and is on the same line in a low picture.
func TestSubtitleAndTitle(t *testing.T) {
	for _, size := range [][2]int{{100, 400}, {4096, 100}, {1200, 675}, {900, 120}} {
		s := ofAreas(chart.HorizontalBar, "DE 3", "FR 9")
		s.Width, s.Height, s.Title = size[0], size[1], "Unemployment rate"
		sc := Layout(s)
		layoutcheck.Report(t, sc)
		title, subtitle := textMarks(sc, scene.Title)[0], textMarks(sc, scene.Subtitle)[0]
		if subtitle.Size > title.Size {
			t.Errorf("%v: the subtitle has size %v, the title only %v", size, subtitle.Size, title.Size)
		}
		if low := size[1] <= 120; low != (subtitle.Y == title.Y) {
			t.Errorf("%v: the title is at %v, the subtitle at %v", size, title.Y, subtitle.Y)
		}
	}
}

// In a narrow picture, complete names are above their bars and values at the bars' ends.
func TestNarrowRows(t *testing.T) {
	s := ofAreas(chart.HorizontalBar, "DE 3", "FR 9.1", "IT -")
	s.Width, s.Height, s.Unit = 100, 400, "%"
	s.Categories[0].Label = "Luxembourg"
	sc := Layout(s)
	layoutcheck.Report(t, sc)
	if got := layoutcheck.Texts(sc, scene.Category); !slices.Equal(got, []string{"Area FR", "Luxembourg", "Area IT"}) {
		t.Errorf("the names are %q", got)
	}
	if got := layoutcheck.Texts(sc, scene.Value); !slices.Equal(got, []string{"9.1%", "3.0%", "no data"}) {
		t.Errorf("the values are %q", got)
	}
	names := textMarks(sc, scene.Category)
	for i, bar := range rects(sc) {
		if box := names[i].Box(); box.Y+box.H > bar.Y+.5 || box.X > bar.X+1 {
			t.Errorf("%s is at %v, want it above its bar at %v", names[i].Text, box, bar.Y)
		}
	}
}

// A picture of 100 × 100 pixels has names, and values or an axis.
func TestHundredPixelsAreReadable(t *testing.T) {
	for _, typ := range []chart.Type{chart.Bar, chart.HorizontalBar} {
		s := ofAreas(typ, "DE 3.7", "FR 7.4", "IT 5.9", "ES 10.2", "PL 2.9", "GR 7.6", "LU 6.4")
		s.Width, s.Height, s.Unit, s.Subtitle = 100, 100, "%", ""
		s.Title, s.Source = "Unemployment rate", "Source: Example Office, dataset une_rt_a"
		sc := Layout(s)
		layoutcheck.Report(t, sc)
		if bars, named := len(rects(sc)), len(layoutcheck.Texts(sc, scene.Category)); bars != named {
			t.Errorf("%s: %d bars but %d names", typ, bars, named)
		}
		if values, ticks := layoutcheck.Texts(sc, scene.Value), layoutcheck.Texts(sc, scene.TickLabel); len(values) == 0 && len(ticks) < 2 {
			t.Errorf("%s: neither values nor an axis: values %q, tick labels %q", typ, values, ticks)
		}
	}
}

// Bars are at equal distances in pixels, also if slots are narrow or have a fractional
// width.
func TestBarsAreEvenlySpaced(t *testing.T) {
	for _, c := range []struct{ periods, series, width int }{
		{20, 2, 640}, {15, 4, 640}, {15, 1, 640}, {101, 1, 640}, {60, 1, 640}, {40, 1, 1200}, {7, 3, 333}, {12, 2, 501},
	} {
		values := make([]float64, c.periods)
		for i := range values {
			values[i] = float64(900 + i)
		}
		s := ofYears(chart.Bar, slices.Repeat([][]float64{values}, c.series)...)
		s.Width, s.Height = c.width, c.width*9/16
		sc := Layout(s)
		layoutcheck.Report(t, sc)
		bars := rects(sc)
		want := (bars[c.series].X - bars[0].X) * sc.Scale
		for i := c.series; i < len(bars); i += c.series {
			if got := (bars[i].X - bars[i-c.series].X) * sc.Scale; math.Abs(got-want) > 1e-6 {
				t.Errorf("%+v: the first two bars are %.3f pixels apart, later ones %.3f", c, want, got)
				break
			}
		}
	}
}

// The name and the value of a row are centred on the same height.
func TestNameAndValueAreAligned(t *testing.T) {
	for _, height := range []int{260, 300, 333, 360, 401} {
		for n := 5; n < 20; n++ {
			var items []string
			for i := range n {
				items = append(items, fmt.Sprintf("A%d %d", i, 100+i))
			}
			s := ofAreas(chart.HorizontalBar, items...)
			s.Width, s.Height = 640, height
			sc := Layout(s)
			layoutcheck.Report(t, sc)
			values := textMarks(sc, scene.Value)
			for i, name := range textMarks(sc, scene.Category) {
				if a, b := name.Y-name.Size*.36, values[i].Y-values[i].Size*.36; math.Abs(a-b) > 1e-6 {
					t.Fatalf("%d rows, %d pixels: the name %q is at %.2f, its value at %.2f", n, height, name.Text, a, b)
				}
			}
		}
	}
}

// In low rows, the bars of a row touch, with a gap between rows.
func TestLowRowsArePairs(t *testing.T) {
	values := []float64{5, 6, 7, 6, 5, 4, 5, 6, 7, 6, 5, 4, 7, 8}
	s := ofYears(chart.HorizontalBar, values, values)
	s.Width, s.Height = 640, 360
	sc := Layout(s)
	layoutcheck.Report(t, sc)
	bars := rects(sc)
	for i := 1; i < len(bars); i++ {
		gap := (bars[i].Y - bars[i-1].Y - bars[i-1].H) * sc.Scale
		if within := i%2 == 1; within && math.Abs(gap) > 1e-6 || !within && gap < 3 {
			t.Errorf("the gap before bar %d is %.2f pixels", i, gap)
		}
	}
}

// Equal values are shown or left out together, and three dots mark the missing rows.
func TestEqualValuesAreLeftOutTogether(t *testing.T) {
	for _, typ := range []chart.Type{chart.Bar, chart.HorizontalBar} {
		for height := 200; height < 320; height += 7 {
			for _, least := range []float64{-5, 1} {
				s := ofAreas(typ, fmt.Sprintf("XX %v", least))
				for i := range 40 {
					s.Categories = append(s.Categories, chart.Category{Label: fmt.Sprintf("A rather long name %d", i), Area: fmt.Sprintf("A%d", i)})
					s.Series[0].Values = append(s.Series[0].Values, float64(20-i/2))
				}
				s.Width, s.Height = 400, height
				sc := Layout(s)
				layoutcheck.Report(t, sc)
				shown := map[float64]int{}
				for i, c := range s.Categories {
					if slices.Contains(names(sc), c.Label) {
						shown[s.Series[0].Values[i]]++
					}
				}
				for v, n := range shown {
					if n != 2 && v != least {
						t.Errorf("%s, %d pixels: only one of two values of %v is shown", typ, height, v)
					}
				}
				dots := len(layoutcheck.Marks(sc, scene.Break))
				if want := typ == chart.HorizontalBar && least < 0; want != (dots == 3) {
					t.Errorf("%s, %d pixels, lowest value %v: %d dots", typ, height, least, dots)
				}
			}
		}
	}
}

// A key in alphabetical order explains the codes below columns.
func TestCodesHaveAKey(t *testing.T) {
	var items []string
	for i := range 30 {
		items = append(items, fmt.Sprintf("%c%c %d", 'A'+i%7, 'A'+i, i+1))
	}
	s := ofAreas(chart.Bar, items...)
	s.Width, s.Height = 640, 360
	for i := range s.Categories {
		s.Categories[i].Label = "Country " + s.Categories[i].Area
	}
	sc := Layout(s)
	layoutcheck.Report(t, sc)
	var key []string
	for _, text := range layoutcheck.Texts(sc, scene.Category) {
		if strings.Contains(text, " Country ") {
			key = append(key, text)
		}
	}
	if len(key) != 30 || !slices.IsSorted(key) {
		t.Errorf("the key is %q", key)
	}
	for i := range s.Categories {
		s.Categories[i].Label = s.Categories[i].Area
	}
	if got := layoutcheck.Texts(Layout(s), scene.Category); len(got) != 30 {
		t.Errorf("names equal to the codes have a key: %q", got)
	}
}

// "no data" marks a missing period in the same way as a category.
func TestMissingPeriodIsMarked(t *testing.T) {
	s := ofYears(chart.Bar, []float64{1, 2, 3, 4, 5})
	s.Periods[4] = stat.NewPeriod(stat.Annual, 2005, 1)
	sc := Layout(s)
	layoutcheck.Report(t, sc)
	bars := rects(sc)
	for _, text := range textMarks(sc, scene.Value) {
		if text.Text == "no data" && text.X > bars[3].X+bars[3].W && text.X < bars[4].X {
			return
		}
	}
	t.Errorf("no “no data” between the last two bars; the values are %q", layoutcheck.Texts(sc, scene.Value))
}

// At most a tenth of an axis is empty beyond the longest bar.
func TestAxisEndsNearTheValues(t *testing.T) {
	for high := 10; high < 2000; high += 7 {
		values := make([]float64, 30)
		for i := range values {
			values[i] = float64(high) * float64(i+1) / 30
		}
		sc := Layout(ofYears(chart.Bar, values))
		top, zero := math.Inf(1), zeroLine(t, sc).Y1
		for _, m := range layoutcheck.Marks(sc, scene.Gridline) {
			top = min(top, m.(*scene.Line).Y1)
		}
		bars := rects(sc)
		if bar := bars[len(bars)-1].H; (zero-top)-bar > .11*(zero-top) {
			t.Errorf("the bar of %d is %.0f high, the axis %.0f", high, bar, zero-top)
		}
	}
}

// A few rows are centred in the plot, with thick bars.
func TestFewRowsAreCentred(t *testing.T) {
	for n := 1; n <= 3; n++ {
		s := ofAreas(chart.HorizontalBar, []string{"DE 3", "FR 9", "IT 4"}[:n]...)
		sc := Layout(s)
		layoutcheck.Report(t, sc)
		bars := rects(sc)
		subtitle := textMarks(sc, scene.Subtitle)[0].Box()
		source := textMarks(sc, scene.Source)[0].Box()
		above, below := bars[0].Y-subtitle.Y-subtitle.H, source.Y-bars[n-1].Y-bars[n-1].H
		if n < 3 && below-above > 120 || bars[0].H < 60 {
			t.Errorf("%d rows: %.0f above, %.0f below, bars %.0f thick", n, above, below, bars[0].H)
		}
	}
}
