package request_test

import (
	"path/filepath"
	"slices"
	"testing"

	"almanac/internal/chart"
	"almanac/internal/importer"
	"almanac/internal/request"
	"almanac/internal/stattest"
)

// TestSameSeriesInEachLanguage: a picture selects the same series in each language of the file,
// and draws as many.
func TestSameSeriesInEachLanguage(t *testing.T) {
	dir := stattest.DataDir(t)
	for _, test := range []struct{ file, area string }{
		{"px/bfs/px-x-0602000000_107.px", "CH"},
		{"px/statfin/perheet-LargeFinnishDatasetWithManyValues.px", ""},
		{"px/greenland/BEXSTA_windows_1252.px", "GL"},
	} {
		v := firstDataset(t, filepath.Join(dir, filepath.FromSlash(test.file)), importer.Options{Country: test.area})
		if len(v.Languages()) < 2 {
			t.Errorf("%s has the languages %q", test.file, v.Languages())
		}
		for _, kind := range []chart.Type{chart.Line, chart.Bar, chart.HorizontalBar} {
			c := &request.Chart{Options: chart.DefaultOptions()}
			c.Options.Type = kind
			want, err := c.Draw(v)
			if err != nil {
				t.Fatal(err)
			}
			spec, _, err := request.Spec(t.Context(), v, c)
			if err != nil {
				t.Fatal(err)
			}
			for _, lang := range v.Languages() {
				l, err := request.Localise(t.Context(), v, lang, "")
				if err != nil {
					t.Fatal(err)
				}
				got, err := c.Draw(l.Vintage)
				if err != nil || !slices.EqualFunc(got.Query.Select, want.Query.Select, slices.Equal) {
					t.Errorf("%s in %s as %s: %v, error %v, want %v", test.file, lang, kind, got.Query.Select, err, want.Query.Select)
				}
				other, _, err := request.Spec(t.Context(), l.Vintage, c)
				if err != nil || len(other.Series) != len(spec.Series) || len(other.Categories) != len(spec.Categories) {
					t.Errorf("%s in %s as %s: %d series and %d categories, error %v, want %d and %d", test.file, lang, kind, len(other.Series), len(other.Categories), err, len(spec.Series), len(spec.Categories))
				}
			}
		}
	}
}
