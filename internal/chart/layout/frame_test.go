package layout

import (
	"slices"
	"strings"
	"testing"

	"almanac/internal/chart"
	"almanac/internal/chart/font"
	"almanac/internal/chart/layout/frame"
	"almanac/internal/chart/layoutcheck"
	"almanac/internal/chart/scene"
	"almanac/internal/stat"
)

// In a tiny picture the title gets smaller rather than its words broken.
func TestTitlesOfTinyPictures(t *testing.T) {
	s := ofYears(chart.Bar, []float64{1, 2})
	s.Width, s.Height, s.Title = 100, 100, "Unemployment rate"
	sc := Layout(s)
	layoutcheck.Report(t, sc)
	if got := layoutcheck.Texts(sc, scene.Title); !slices.Equal(got, []string{"Unemployment", "rate"}) {
		t.Errorf("the title is %q", got)
	}
}

// A small picture leaves out the period in a second line of the subtitle, which the axis
// shows, and ends the source before what does not fit.
func TestTextsOfSmallPictures(t *testing.T) {
	s := ofYears(chart.Line, []float64{1, 2, 3})
	span := s.Words().Span(s.Periods[0], s.Periods[2])
	measure := "From 15 to 74 years · Percentage of active population"
	s.Width, s.Height, s.Title, s.Subtitle = 300, 169, "Unemployment rate", measure+" · "+span
	s.Source = "Source: World Bank, dataset SP.POP.TOTL, updated 2024-03-28 in the morning"
	sc := Layout(s)
	layoutcheck.Report(t, sc)
	if got := layoutcheck.Texts(sc, scene.Subtitle); !slices.Equal(got, []string{measure}) {
		t.Errorf("the subtitle is %q", got)
	}
	if got := layoutcheck.Texts(sc, scene.Source); !slices.Equal(got, []string{"Source: World Bank, dataset SP.POP.TOTL"}) {
		t.Errorf("the source is %q", got)
	}
	s.Source += ". Source: Eurostat, dataset demo_pjan"
	if got := layoutcheck.Texts(Layout(s), scene.Source); len(got) != 1 || !strings.HasSuffix(got[0], "…") {
		t.Errorf("the first of two sources is %q", got)
	}
	s.Height = 400
	if got := strings.Join(layoutcheck.Texts(Layout(s), scene.Subtitle), " "); !strings.HasSuffix(got, span) {
		t.Errorf("the subtitle of a higher picture is %q", got)
	}
}

// The space above the plot is so large that the value over the highest bar does not look
// like a third line of the title.
func TestSpaceBelowTheHeader(t *testing.T) {
	sc := Layout(ofAreas(chart.Bar, "DE 3", "FR 2"))
	subtitle := layoutcheck.Marks(sc, scene.Subtitle)[0].(*scene.Text).Box()
	value := layoutcheck.Marks(sc, scene.Value)[0].(*scene.Text).Box()
	if space := value.Y - subtitle.Y - subtitle.H; space < 12 {
		t.Errorf("the first value is %.1f units below the subtitle, want at least 12", space)
	}
}

// Notes that do not fit end after a complete sentence and "…".
func TestNotesEndWithASentence(t *testing.T) {
	s := ofAreas(chart.Bar, "DE 3", "FR 2")
	s.Width, s.Height = 640, 360
	first := "The first sentence fits."
	s.Notes = []string{first + " " + strings.Repeat("The next one is too long to fit ", 40) + "."}
	sc := Layout(s)
	layoutcheck.Report(t, sc)
	if got := layoutcheck.Texts(sc, scene.Note); !slices.Equal(got, []string{first + " …"}) {
		t.Errorf("the notes are %q", got)
	}
	s.Notes = slices.Repeat([]string{"One of many notes."}, 30)
	got := layoutcheck.Texts(Layout(s), scene.Note)
	if !strings.HasSuffix(got[len(got)-1], "One of many notes. …") {
		t.Errorf("the notes are %q", got)
	}
}

// A subtitle that does not fit keeps what is measured, the area and the period.
func TestSubtitleKeepsAreaAndPeriod(t *testing.T) {
	s := ofYears(chart.Line, []float64{1, 2, 3})
	s.Width, s.Height = 160, 120
	s.Subtitle = "From 15 to 74 years · Total · Percentage of active population · Sweden · 1996–2019"
	sc := Layout(s)
	layoutcheck.Report(t, sc)
	got := strings.Join(layoutcheck.Texts(sc, scene.Subtitle), " · ") // at the ends of lines
	if want := "From 15 to 74 years · … · Sweden · 1996–2019"; got != want {
		t.Errorf("the subtitle is %q", got)
	}
}

// Two notes have a line each; three or more are joined, to leave space for the plot.
func TestManyNotesAreJoined(t *testing.T) {
	s := ofAreas(chart.Bar, "DE 3", "FR 2")
	s.Notes = []string{"A note.", "Another."}
	if got := layoutcheck.Texts(Layout(s), scene.Note); !slices.Equal(got, s.Notes) {
		t.Errorf("the notes are %q", got)
	}
	s.Notes = append(s.Notes, "A third.")
	if got := layoutcheck.Texts(Layout(s), scene.Note); !slices.Equal(got, []string{"A note. Another. A third."}) {
		t.Errorf("the notes are %q", got)
	}
}

// Notes of the plot and of the Spec form one block: their lines are evenly spaced, on
// maps too.
func TestNotesAreOneBlock(t *testing.T) {
	for _, typ := range []chart.Type{chart.Bar, chart.Map} {
		s := ofAreas(typ, "DE 3", "FR 2", "US 9", "XX 4")
		s.Notes = []string{"A note.", "Another."}
		s.Region = "europe"
		if typ == chart.Bar {
			s = manyAreas()
			s.Notes = []string{"A note.", "Another."}
		}
		sc := Layout(s)
		var lines []float64
		for _, m := range layoutcheck.Marks(sc, scene.Note) {
			lines = append(lines, m.(*scene.Text).Y)
		}
		slices.Sort(lines)
		if len(lines) < 3 {
			t.Fatalf("%s: %d notes, want at least 3", typ, len(lines))
		}
		for i := 1; i < len(lines); i++ {
			if d := lines[i] - lines[i-1] - frame.SmallSize*frame.Leading; d > .01 || d < -.01 {
				t.Errorf("%s: the lines of the notes are at %v", typ, lines)
			}
		}
	}
}

// manyAreas returns a chart with more areas than columns fit.
func manyAreas() *chart.Spec {
	var items []string
	for range 300 {
		items = append(items, "DE 1")
	}
	return ofAreas(chart.Bar, items...)
}

// Series without a name have no swatch in the legend.
func TestSwatchesHaveNames(t *testing.T) {
	s := ofYears(chart.Bar, []float64{1, 2}, []float64{2, 3}, []float64{3, 1})
	s.Series[1].Label = ""
	s.Series[2].Label = "\u202e"
	if font.Clean(s.Series[2].Label) != "" {
		t.Fatal("the label is not empty")
	}
	sc := Layout(s)
	if n := len(layoutcheck.Marks(sc, scene.Legend)); n != 1 {
		t.Errorf("%d swatches for one series with a name", n)
	}
}

// A note on breaks explains the strokes if there are any, also if it shares its line with
// other notes.
func TestNoteExplainsStrokes(t *testing.T) {
	const plain, explained = "Break in the series: 2018.", "Break in the series (dashed stroke): 2018."
	s := ofYears(chart.Line, []float64{1, 2, 3, 4, 5})
	s.Notes = []string{"Not shown: 3 regions within countries.", "Provisional: 2019.", plain, "Low reliability: 2017."}
	note := func() string { return strings.Join(layoutcheck.Texts(Layout(s), scene.Note), " ") }
	if got := note(); !strings.Contains(got, plain) {
		t.Errorf("without a break in the lines the note is %q", got)
	}
	s.Series[0].Flags = []stat.Flags{"", "", "B", "", ""}
	if got := note(); !strings.Contains(got, explained) {
		t.Errorf("the note is %q", got)
	}
	s.Series[0].Flags = []stat.Flags{"B", "", "B", "", ""} // nothing before the first
	if got := note(); !strings.Contains(got, "Break in the series (some with a dashed stroke): 2018.") {
		t.Errorf("with a break and a stroke at another the note is %q", got)
	}
	s.Series[0].Flags = []stat.Flags{"B", "", "", "", ""}
	if got := note(); !strings.Contains(got, plain) {
		t.Errorf("without a stroke the note is %q", got)
	}
}
