package request_test

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"almanac/internal/chart"
	"almanac/internal/importer"
	"almanac/internal/request"
	"almanac/internal/stattest"
	"almanac/internal/store"
)

// multilingualVintage imports a dataset in several languages. It skips the test if the machine lacks a
// file.
func multilingualVintage(t *testing.T, dir string, c stattest.Multilingual) *store.Vintage {
	t.Helper()
	s := newStore(t)
	im, err := importer.New(s, importer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, file := range c.Files {
		path := filepath.Join(dir, filepath.FromSlash(file))
		if found, _ := filepath.Glob(path); found == nil {
			stattest.SkipOrFail(t, file+" is not beside the offices' files")
		}
		paths = append(paths, path)
	}
	outcomes := im.Import(t.Context(), paths...)
	v, err := s.Vintage(t.Context(), 1)
	if err != nil {
		t.Fatalf("%v: %+v", err, outcomes)
	}
	return v
}

// TestSamePictureInEachLanguage: a picture selects the same series in each language of the dataset, draws
// the same values, and its subtitle and notes have as many parts.
func TestSamePictureInEachLanguage(t *testing.T) {
	dir := stattest.DataDir(t)
	for _, test := range stattest.MultilingualDatasets() {
		t.Run(test.Name, func(t *testing.T) {
			v := multilingualVintage(t, dir, test)
			for _, kind := range []chart.Type{chart.Line, chart.Bar, chart.HorizontalBar, chart.Map, chart.Spark} {
				c := &request.Chart{Options: chart.DefaultOptions()}
				c.Options.Type = kind
				want, err := c.Draw(v)
				if err != nil {
					t.Fatal(err)
				}
				spec, _, wantErr := request.Spec(t.Context(), v, c)
				for _, lang := range v.Languages() {
					l, err := request.Localise(t.Context(), v, lang, "")
					if err != nil {
						t.Fatal(err)
					}
					got, err := c.Draw(l.Vintage)
					if err != nil || !slices.EqualFunc(got.Query.Select, want.Query.Select, slices.Equal) {
						t.Errorf("in %s as %s: %v, error %v, want %v", lang, kind, got.Query.Select, err, want.Query.Select)
					}
					other, _, err := request.Spec(t.Context(), l.Vintage, c)
					if (err == nil) != (wantErr == nil) {
						t.Errorf("in %s as %s: error %v, want %v", lang, kind, err, wantErr)
					}
					if err == nil {
						comparePictures(t, lang, other, spec)
					}
				}
			}
		})
	}
}

// comparePictures compares what a picture shows in a language with what it shows without a choice.
func comparePictures(t *testing.T, lang string, got, want *chart.Spec) {
	t.Helper()
	parts := func(s *chart.Spec) int { return strings.Count(s.Subtitle, " · ") }
	if got.Type != want.Type || len(got.Series) != len(want.Series) || len(got.Categories) != len(want.Categories) {
		t.Errorf("in %s: %s of %d series and %d categories, want %s of %d and %d", lang, got.Type, len(got.Series), len(got.Categories), want.Type, len(want.Series), len(want.Categories))
		return
	}
	if parts(got) != parts(want) || len(got.Notes) != len(want.Notes) {
		t.Errorf("in %s as %s: %q with notes %q, want parts as in %q with notes %q", lang, got.Type, got.Subtitle, got.Notes, want.Subtitle, want.Notes)
	}
	for i := range got.Series {
		if !slices.EqualFunc(got.Series[i].Values, want.Series[i].Values, func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }) {
			t.Errorf("in %s as %s: series %d is %v, want %v", lang, got.Type, i, got.Series[i].Values, want.Series[i].Values)
		}
	}
}

// TestWordsOfOneLanguage: title, subtitle, names and alternative text of a picture have no words of
// another language where the office or the Unicode CLDR has them.
func TestWordsOfOneLanguage(t *testing.T) {
	dir := stattest.DataDir(t)
	datasets := map[string]stattest.Multilingual{}
	for _, c := range stattest.MultilingualDatasets() {
		datasets[c.Name] = c
	}
	for _, c := range []struct {
		dataset  string
		kind     chart.Type
		lang     string
		has, not string // parts of the texts, separated by "; "
	}{
		{"Finland", chart.Line, "fi", "Suomi", "Finland ·"},
		{"Sweden, land use", chart.Bar, "sv", "Sverige; Total landareal ·", "Sweden ("},
		{"Sweden, citizenship", chart.Line, "sv", "Grekland; Tyskland (", "Greece; tidigare"},
		{"Sweden", chart.Bar, "fi", "Väestönmuutokset; Ikä; Ruotsi", "By ; by "},
		{"Greenland, population", chart.Map, "kl", "Kalaallit Nunaat; Ukiut: 0", "Greenland ("},
		{"Greenland, population", chart.Map, "da", "Alder: 0", "Age"},
		{"Greenland, population", chart.Bar, "da", "Alder ·", "By "},
		{"Greenland, education", chart.Line, "da", "Arbejdsmarkedsstatus fordelt", "Population"},
		{"Ukraine", chart.Bar, "uk", "Україна", "Ukraine ·"},
		{"OECD, main indicators", chart.Line, "fr", "Indice, 2010=100, c.v.s.", "Index, 2010=100 ·"},
		{"OECD", chart.Line, "fr", "Dollars des É-U ·", "US dollar"},
		{"UNICEF", chart.Bar, "ar", "العالم", "World"},
		{"UNICEF", chart.Bar, "zh", "世界", "from World"},
		{"UNICEF", chart.Bar, "ru", "Весь мир", "from World"},
		{"France, production", chart.Line, "fr", "France métropolitaine", "Metropolitan"},
		{"Eurostat, accounts", chart.Bar, "de", "Deutschland", "Gebiet; Final consumption expenditure"},
	} {
		t.Run(c.dataset+" in "+c.lang+" as "+string(c.kind), func(t *testing.T) {
			v := multilingualVintage(t, dir, datasets[c.dataset])
			l, err := request.Localise(t.Context(), v, c.lang, "")
			if err != nil {
				t.Fatal(err)
			}
			picture := &request.Chart{Options: chart.DefaultOptions()}
			picture.Options.Type = c.kind
			picture.UseLanguage(l)
			s, _, err := request.Spec(t.Context(), l.Vintage, picture)
			if err != nil {
				t.Fatal(err)
			}
			texts := append([]string{s.Title, s.Subtitle, s.Alt()}, s.Notes...)
			for _, category := range s.Categories {
				texts = append(texts, category.Label)
			}
			text := strings.Join(texts, "\n")
			for part := range strings.SplitSeq(c.has, "; ") {
				if !strings.Contains(text, part) {
					t.Errorf("no %q in %s", part, text)
				}
			}
			for part := range strings.SplitSeq(c.not, "; ") {
				if strings.Contains(text, part) {
					t.Errorf("%q in %s", part, text)
				}
			}
		})
	}
}
