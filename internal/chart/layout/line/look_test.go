package line

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"almanac/internal/chart"
	"almanac/internal/chart/colour"
	"almanac/internal/chart/layoutcheck"
	"almanac/internal/chart/scene"
	"almanac/internal/stat"
)

// fourLines returns a chart of four lines with all texts.
func fourLines() *chart.Spec {
	s := lineSpec(4.6, 4.1, 3.8, 3.4, 3.1, 3.8, 3.7, 3.1, 3.1, 3.4)
	s.Notes = []string{"Break in the series: Germany 2020.", "Provisional: Germany 2024, Spain 2024, France 2023–2024."}
	s.Source = "Source: Eurostat, dataset une_rt_a, updated 2024-07-01"
	for i, name := range []string{"France", "Spain", "Italy"} {
		values := slices.Clone(s.Series[0].Values)
		for k := range values {
			values[k] += float64(3*i + 3)
		}
		s.Series = append(s.Series, chart.Series{Key: name, Label: name, Values: values})
	}
	return s
}

// In a small area chart, whose labels of the axis stand in the plot, no area hides one.
func TestLabelsOnAreas(t *testing.T) {
	s := fourLines()
	s.Type, s.Width, s.Height = chart.Area, 100, 100
	for i := range s.Series {
		for at := range s.Series[i].Values {
			s.Series[i].Values[at] *= 1e7
		}
	}
	sc := picture(s)
	isArea := func(m scene.Mark) bool { return m.Tags().Role == scene.Series }
	isLabel := func(m scene.Mark) bool { return m.Tags().Role == scene.TickLabel }
	lastArea, lastLabel := 0, 0
	for i, m := range sc.Marks {
		switch {
		case isArea(m):
			lastArea = i
		case isLabel(m):
			lastLabel = i
		}
	}
	if lastArea == 0 || lastLabel < lastArea {
		t.Errorf("the last label is mark %d, the last area mark %d", lastLabel, lastArea)
	}
}

// In pictures of odd sizes, each line has its complete name at its end or in a legend:
// names have priority over notes and the source.
func TestNamesAtOddSizes(t *testing.T) {
	for _, size := range [][2]int{{4096, 100}, {1000, 100}, {600, 150}, {300, 200}, {200, 200}, {150, 600}, {100, 900}, {100, 4096}} {
		for _, latest := range []bool{false, true} {
			s := fourLines()
			s.Width, s.Height, s.HighlightLatest = size[0], size[1], latest
			sc := picture(s)
			for _, problem := range layoutcheck.Check(sc) {
				t.Errorf("%v: %s", size, problem)
			}
			texts := strings.Join(append(layoutcheck.Texts(sc, scene.SeriesName), layoutcheck.Texts(sc, scene.LegendText)...), " | ")
			for _, series := range s.Series {
				if !strings.Contains(texts, series.Label) {
					t.Errorf("%v, highlightLatest %v: %s is not among the names %s", size, latest, series.Label, texts)
				}
			}
		}
	}
}

// The names of coloured lines have priority over the note on grey lines.
func TestNamesBeforeNote(t *testing.T) {
	s := fourLines()
	s.Width, s.Height, s.Notes = 640, 360, nil
	for i := range s.Series {
		s.Series[i].Focus = true
	}
	for i := range 20 {
		s.Series = append(s.Series, chart.Series{Key: fmt.Sprint(i), Label: fmt.Sprint("Grey ", i), Values: s.Series[0].Values})
	}
	for ; s.Height >= 120; s.Height -= 5 {
		texts := layoutcheck.Texts(picture(s), scene.SeriesName)
		legend := layoutcheck.Texts(picture(s), scene.LegendText)
		if len(texts) != 4 && len(legend) < 4 {
			t.Fatalf("at a height of %d the names are %q and the legend %q", s.Height, texts, legend)
		}
	}
}

// A line that is hard to see in the caller's colour keeps that colour and gets a darker
// edge. So do its dots and its stroke in a legend.
func TestPaleLinesHaveEdges(t *testing.T) {
	for _, legend := range []bool{false, true} {
		for _, c := range []string{"#ffffff", "#ffffcc", "#ffbf00"} {
			s := fourLines()
			s.Series[1].Colour = c
			s.Series[1].Flags = make([]stat.Flags, len(s.Series[1].Values))
			s.Series[1].Flags[9] = "P"
			for i := range s.Series {
				if legend {
					s.Series[i].Label += strings.Repeat(" and other parts of a long name", 9)
				}
			}
			sc := picture(s)
			for _, problem := range layoutcheck.Check(sc) {
				t.Errorf("%s, legend %v: %s", c, legend, problem)
			}
			want, _ := colour.Parse(c)
			kept, strokes := false, 0
			for _, p := range pathsOf(sc) {
				kept = kept || p.Name == s.Series[1].Label && p.Pen.Colour == want
			}
			for _, m := range layoutcheck.Marks(sc, scene.Legend) {
				if p, ok := m.(*scene.Path); ok && p.Name == s.Series[1].Label {
					strokes++
				}
			}
			if !kept || legend && strokes != 2 {
				t.Errorf("%s, legend %v: line in that colour: %v; strokes in the legend: %d", c, legend, kept, strokes)
			}
		}
	}
}

// A name that needs two lines is broken into lines of similar length.
func TestNamesAreBalanced(t *testing.T) {
	s := fourLines()
	s.Series[0].Label = "Euro area - 19 countries (from 2015)"
	got := layoutcheck.Texts(picture(s), scene.SeriesName)
	if want := []string{"Euro area - 19", "countries (from 2015)"}; !slices.Contains(got, want[0]) || !slices.Contains(got, want[1]) {
		t.Errorf("names are %q; want %q among them", got, want)
	}
}

// Series with a blank name are drawn without one.
func TestBlankName(t *testing.T) {
	for _, name := range []string{"", " ", "\u200b"} {
		s := fourLines()
		s.Series[0].Label, s.HighlightLatest = name, true
		for _, size := range [][2]int{{1200, 675}, {1000, 100}, {200, 900}} {
			s.Width, s.Height = size[0], size[1]
			for _, problem := range layoutcheck.Check(picture(s)) {
				t.Errorf("%q at %v: %s", name, size, problem)
			}
		}
	}
}

// A plain picture, whose notes its page states, has a ring at each estimated value, as the same picture with its notes has.
func TestRingsOfPlainPictures(t *testing.T) {
	s := fourLines()
	for i := range s.Series {
		s.Series[i].Flags = make([]stat.Flags, len(s.Periods))
	}
	s.Series[0].Flags[0], s.Series[2].Flags[1] = stat.NewFlags("E"), stat.NewFlags("E")
	s.Notes = []string{"Estimated: Germany 2015, Spain 2016."}
	for _, s.Plain = range []bool{false, true} {
		rings := 0
		for _, m := range picture(s).Marks {
			if c, ok := m.(*scene.Circle); ok && c.Fill == scene.Solid(colour.White) {
				rings++
			}
		}
		if rings != 2 {
			t.Errorf("plain is %t: %d rings of 2 estimated values", s.Plain, rings)
		}
	}
}
