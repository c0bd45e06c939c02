package line

import (
	"math"
	"slices"
	"strings"
	"testing"

	"almanac/internal/chart"
	"almanac/internal/chart/colour"
	"almanac/internal/chart/layout/frame"
	"almanac/internal/chart/layoutcheck"
	"almanac/internal/chart/scene"
	"almanac/internal/stat"
)

// noteOf returns the first note with the given beginning, or nil.
func noteOf(sc *scene.Scene, beginning string) *scene.Text {
	for _, m := range layoutcheck.Marks(sc, scene.Note) {
		if text := m.(*scene.Text); strings.HasPrefix(text.Text, beginning) {
			return text
		}
	}
	return nil
}

// In a picture too low for separate lines of notes, notes follow the source, the
// markers of the latest values are smaller, and values have no dots.
func TestLowPictures(t *testing.T) {
	s := fourLines()
	s.Width, s.Height, s.HighlightLatest, s.Notes = 1000, 100, true, []string{"Provisional: 2024."}
	sc := picture(s)
	layoutcheck.Report(t, sc)
	note, source := noteOf(sc, "Provisional"), layoutcheck.Marks(sc, scene.Source)[0].(*scene.Text)
	if note == nil || note.Y != source.Y {
		t.Errorf("the note is %v; want it on the line of the source at %v", note, source.Y)
	}
	if n := len(circlesOf(sc, scene.Series)); n != 0 {
		t.Errorf("%d values have dots, want none", n)
	}
	for _, c := range circlesOf(sc, scene.Highlight) {
		if c.R > 3 {
			t.Errorf("a marker has a radius of %v, want at most 3", c.R)
		}
	}
}

// If the names are in a legend, the markers of the latest values have rims in the
// colours of their lines. A provisional latest value is a red ring.
func TestMarkersOfTheLatest(t *testing.T) {
	s := fourLines()
	s.HighlightLatest = true
	for i := range s.Series {
		s.Series[i].Label += strings.Repeat(" and other parts of a long name", 9)
	}
	s.Series[1].Flags = make([]stat.Flags, 10)
	s.Series[1].Flags[9] = "P"
	sc := picture(s)
	rims := map[colour.RGB]bool{}
	for _, c := range circlesOf(sc, scene.Highlight) {
		if ring := c.Fill == scene.Solid(colour.White); ring != (c.Name == s.Series[1].Label) || ring && c.Pen.Colour != colour.Alert {
			t.Errorf("the marker of %.10s is %v", c.Name, c)
		}
		rims[c.Pen.Colour] = true
	}
	if len(rims) != 4 || rims[colour.White] {
		t.Errorf("the rims of the markers are %v, want 4 colours", rims)
	}
}

// If dots do not fit, provisional values still have rings, at least the latest one.
func TestRingsOfLongSeries(t *testing.T) {
	for _, c := range []struct{ n, want int }{{40, 3}, {400, 1}} {
		s := lineSpec()
		s.Series[0].Flags = make([]stat.Flags, c.n)
		for i := range c.n {
			s.Periods = append(s.Periods, stat.NewPeriod(stat.Month, 1980+i/12, i%12+1))
			s.Series[0].Values = append(s.Series[0].Values, 50+float64(i%7))
		}
		for i := c.n - 3; i < c.n; i++ {
			s.Series[0].Flags[i] = "P"
		}
		if got := len(circlesOf(picture(s), scene.Series)); got != c.want {
			t.Errorf("%d of %d values have rings; want %d", got, c.n, c.want)
		}
	}
}

// A dot is larger than the ring of another line that covers it.
func TestDotsUnderRings(t *testing.T) {
	s := lineSpec(1, 4, 2, 5)
	s.Series[0].Flags = []stat.Flags{"", "E", "", ""}
	s.Series = append(s.Series, chart.Series{Label: "France", Values: chart.Values{3, 4, 1, 2}})
	var r []float64
	dots := circlesOf(picture(s), scene.Series)
	for _, c := range dots {
		if c.Name == "France" {
			r = append(r, c.R)
		}
	}
	if slices.Max(r) < slices.Min(r)+1 {
		t.Errorf("the radii of the dots are %v; want the one under the ring larger", r)
	}
}

// A line is straight across a break, and the curves on either side are independent.
// The note says how the break is drawn.
func TestBreakIsNotSmooth(t *testing.T) {
	s := lineSpec(1, 2, 4, 9, 5, 4)
	s.Lines = &chart.Lines{Curve: chart.Smooth}
	s.Notes = []string{chart.BreakRemark + ": 2018."}
	whole := pathsOf(picture(s))[0].Outline
	if note := noteOf(picture(s), chart.BreakRemark); note.Text != s.Notes[0] {
		t.Errorf("without a stroke the note is %q", note.Text)
	}
	s.Series[0].Flags = []stat.Flags{"", "", "", "B", "", ""}
	sc := picture(s)
	layoutcheck.Report(t, sc)
	o := pathsOf(sc)[0].Outline
	if want := []scene.Op{scene.MoveTo, scene.CubicTo, scene.CubicTo, scene.LineTo, scene.CubicTo, scene.CubicTo}; !slices.Equal(o.Ops, want) {
		t.Fatalf("the steps are %v; want %v", o.Ops, want)
	}
	if o.Points[5] == whole.Points[5] {
		t.Error("the break does not change the slope of the curve before it")
	}
}

// The ticks of the time axis hang from a line: the lowest gridline, or a line of their
// own.
func TestTimeAxisHasALine(t *testing.T) {
	for _, values := range [][]float64{{79.4, 80.1, 80.5, 81.2}, {4, 8}, {1, 11}, {-6.1, 5.9}, {31, 24, 35}, {-4, -8}} {
		for _, shown := range []bool{false, true} {
			s := lineSpec(values...)
			s.ShowValues = shown
			sc := picture(s)
			layoutcheck.Report(t, sc)
			floor := linesOf(sc, scene.Tick)[0].Y1
			hasLine, nearest := false, math.Inf(1)
			for _, l := range slices.Concat(linesOf(sc, scene.Gridline), linesOf(sc, scene.Zero), linesOf(sc, scene.Axis)) {
				if l.Y1 == floor {
					hasLine = true
				} else {
					nearest = min(nearest, floor-l.Y1)
				}
			}
			if !hasLine || nearest < 7 {
				t.Errorf("%v: line at the ticks: %v; the next line is %.1f above", values, hasLine, nearest)
			}
		}
	}
}

// Values do not touch the curve nor, if possible, gridlines.
func TestValuesAvoidCurveAndGrid(t *testing.T) {
	s := lineSpec(4.6, 4.1, 3.8, 3.4, 3.1, 3.8, 3.7, 3.1, 3.1)
	s.ShowValues = true
	sc := picture(s)
	grid := linesOf(sc, scene.Gridline)
	var p stretch
	dots := circlesOf(sc, scene.Series)
	slices.SortFunc(dots, func(a, b *scene.Circle) int { return int(a.X - b.X) })
	for _, d := range dots {
		p = append(p, spot{Point: scene.Point{X: d.X, Y: d.Y}})
	}
	for _, m := range layoutcheck.Marks(sc, scene.Value) {
		text := m.(*scene.Text)
		box := text.Box()
		box.H = scene.Ascent * text.Size
		if curveOf(p, chart.Straight).meets(frame.Pad(box, clearance-.1)) {
			t.Errorf("%s at %.1f, %.1f touches the curve", text.Text, text.X, text.Y)
		}
		for _, l := range grid {
			if l.Y1 > box.Y-1 && l.Y1 < box.Y+box.H+1 {
				t.Errorf("%s at %.1f, %.1f touches a gridline", text.Text, text.X, text.Y)
			}
		}
	}
}

// The label of the last period is centred below its tick, outside the margin of the
// picture.
func TestLastLabelIsCentred(t *testing.T) {
	sc := picture(lineSpec(5, 6, 7, 6))
	labels := layoutcheck.Marks(sc, scene.TickLabel)
	last := labels[len(labels)-1].(*scene.Text)
	strokes := linesOf(sc, scene.Tick)
	if x := strokes[len(strokes)-1].X1; math.Abs(last.X+last.W/2-x) > .01 || last.X+last.W > sc.Width-frame.MarginX+.01 {
		t.Errorf("%s extends from %.1f to %.1f, its tick is at %.1f", last.Text, last.X, last.X+last.W, x)
	}
}

// Gridlines are dotted behind grey lines, whose colour is similar. Named grey lines have
// different dashes.
func TestGreyLinesDiffer(t *testing.T) {
	s := lineSpec(1, 2)
	for i := range 30 {
		s.Series = append(s.Series, chart.Series{Label: "x", Values: chart.Values{1, float64(i)}})
	}
	if grid := linesOf(picture(s), scene.Gridline); grid[0].Pen.Dash == nil {
		t.Error("the gridlines behind grey lines are solid")
	}
	if grid := linesOf(picture(lineSpec(1, 2)), scene.Gridline); grid[0].Pen.Dash != nil {
		t.Error("gridlines are dotted although no line is grey")
	}
	s.Series = s.Series[:10]
	seen := map[int]bool{}
	for _, p := range pathsOf(picture(s)) {
		if p.Pen.Colour == colour.Quiet {
			seen[len(p.Pen.Dash)*100+len(seen)] = len(p.Pen.Dash) > 0
		}
	}
	if len(seen) != 2 || !slices.Contains([]bool{seen[0], seen[200], seen[201]}, true) {
		t.Errorf("the two grey lines are %v", seen)
	}
}

// The dots of a pale line are filled, because empty dots mean provisional values. Its
// forecast is drawn in the colour of the edge only.
func TestPaleLinesHaveSolidDots(t *testing.T) {
	s := lineSpec(5, 6, 7, 6)
	s.Series[0].Colour, s.Series[0].Flags = "#ffffff", []stat.Flags{"", "", "", "F"}
	sc := picture(s)
	layoutcheck.Report(t, sc)
	empty := 0
	for _, c := range circlesOf(sc, scene.Series) {
		if c.Fill == scene.Solid(colour.White) {
			empty++
		}
	}
	dashed := 0
	for _, p := range pathsOf(sc) {
		if p.Pen.Dash != nil && p.Pen.Colour != colour.White {
			dashed++
		}
	}
	if empty != 1 || dashed != 1 || len(pathsOf(sc)) != 3 {
		t.Errorf("%d empty dots, %d of %d paths dashed; want 1, and 1 of 3", empty, dashed, len(pathsOf(sc)))
	}
}

// additionalText keeps its line breaks.
func TestAdditionalTextOfLineChart(t *testing.T) {
	s := lineSpec(1, 2)
	s.Aside = "The first line.\r\nThe second.\n \u2028The third."
	want := []string{"The first line.", "The second.", "The third."}
	if got := layoutcheck.Texts(picture(s), scene.Note); !slices.Equal(got, want) {
		t.Errorf("the notes are %q; want %q", got, want)
	}
}

// The source may have more than two lines in a tall picture.
func TestSourceOfNarrowPictures(t *testing.T) {
	s := fourLines()
	s.Width, s.Height = 100, 900
	if got := strings.Join(layoutcheck.Texts(picture(s), scene.Source), " "); got != s.Source {
		t.Errorf("the source is %q", got)
	}
}

// A licence that must be named stays on pictures of each size; date and dataset go before it.
func TestLicenceInTheSource(t *testing.T) {
	for _, licence := range []string{"CC BY 4.0", "Open Government Licence v3.0"} {
		for _, size := range [][2]int{{300, 100}, {300, 160}, {300, 300}, {400, 100}, {600, 200}, {600, 338}, {1200, 675}, {2400, 1350}} {
			s := fourLines()
			s.Width, s.Height = size[0], size[1]
			s.Source = "Source: Office for National Statistics, dataset ABMI.Q.2023, updated 28 November 2026" + chart.BeforeLicence + licence
			got := strings.Join(layoutcheck.Texts(picture(s), scene.Source), " ")
			if !strings.HasPrefix(got, "Source: Office for National Statistics") || !strings.HasSuffix(got, licence) {
				t.Errorf("%v: the source is %q, without %q", size, got, licence)
			}
			if s.Width >= 1200 && got != s.Source {
				t.Errorf("%v: the source is %q, want %q", size, got, s.Source)
			}
		}
	}
}

// Of several sources, a small picture names each office and licence.
func TestLicencesOfSeveralSources(t *testing.T) {
	s := fourLines()
	s.Width, s.Height = 300, 150
	s.Source = "Source: Statistics Norway, dataset 03024, updated 26 July 2023 · NLOD. Source: OECD, dataset MEI, updated 1 May 2024 · CC BY 4.0"
	want := "Source: Statistics Norway · NLOD. Source: OECD · CC BY 4.0"
	if got := strings.Join(layoutcheck.Texts(picture(s), scene.Source), " "); got != want {
		t.Errorf("the source is %q, want %q", got, want)
	}
}

// A title that is a few letters too long for one line becomes a little smaller.
func TestTitleSlightlyTooLong(t *testing.T) {
	s := lineSpec(1, 2)
	for s.Title = "A title"; len(layoutcheck.Texts(picture(s), scene.Title)) == 1; s.Title += " n" {
	}
	s.Title = strings.TrimSuffix(s.Title, " n")
	if title := layoutcheck.Marks(picture(s), scene.Title)[0].(*scene.Text); title.Size != math.Round(frame.TitleSize*frame.SmallerTitle) {
		t.Errorf("the longest title of one line has size %v", title.Size)
	}
}

// In a picture too low for a time axis, the name of a single line includes the time
// span, unless another text states it.
func TestTimeSpanInSmallPictures(t *testing.T) {
	s := lineSpec(4.6, 4.1, 3.8, 3.4, 3.1)
	for width, want := range map[int][]string{100: {"Germany", "2015–2019"}} {
		s.Width, s.Height, s.Title, s.Subtitle = width, 100, "Unemployment rate", ""
		sc := picture(s)
		layoutcheck.Report(t, sc)
		if got := layoutcheck.Texts(sc, scene.SeriesName); !slices.Equal(got, want) {
			t.Errorf("the name is %q", got)
		}
		if got := layoutcheck.Texts(sc, scene.LegendText); got != nil {
			t.Errorf("the chart has a legend as well: %q", got)
		}
	}
}

// No gridline runs through a name or its value, nor between them, where it would look
// like a minus sign.
func TestGridIsInterruptedAtNames(t *testing.T) {
	s := lineSpec(.1)
	s.Width, s.Height, s.HighlightLatest = 640, 360, true
	for i, name := range []string{"France", "Spain", "Italy", "Ireland"} {
		s.Series = append(s.Series, chart.Series{Label: name, Values: chart.Values{[]float64{-2.1, .3, 4.2, -.2}[i]}})
	}
	sc := picture(s)
	layoutcheck.Report(t, sc)
	ends := map[string]scene.Box{} // from a name to the end of its value
	for _, m := range slices.Concat(layoutcheck.Marks(sc, scene.SeriesName), layoutcheck.Marks(sc, scene.Highlight)) {
		if text, ok := m.(*scene.Text); ok {
			box := text.Box()
			if name, ok := ends[text.Name]; ok {
				box.X, box.W = name.X, box.X+box.W-name.X
			}
			ends[text.Name] = box
		}
	}
	for _, l := range append(linesOf(sc, scene.Gridline), linesOf(sc, scene.Zero)...) {
		for name, box := range ends {
			if frame.Meets(l, box) {
				t.Errorf("a gridline runs through %s", name)
			}
		}
	}
	if n := len(linesOf(sc, scene.Zero)); len(ends) != 5 || n != 2 {
		t.Errorf("%d names, the line at zero in %d parts; want 5 names and 2 parts", len(ends), n)
	}
}
