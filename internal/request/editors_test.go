package request_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"almanac/internal/chart"
	"almanac/internal/geo"
	"almanac/internal/importer"
	"almanac/internal/request"
	"almanac/internal/stat"
	"almanac/internal/stattest"
	"almanac/internal/store"
)

// The share of the areas that editors want named, the least number of these in the table, and
// the number of pictures that may name one that they do not want.
const (
	wantedAreas = 0.8
	minWanted   = 100
	maxUnwanted = 5
)

// Lines name the areas that editors would name, if nothing was chosen.
func TestEditorsAreas(t *testing.T) {
	text, err := os.ReadFile("testdata/editors.txt")
	if err != nil {
		t.Fatal(err)
	}
	dir := stattest.DataDir(t)
	stattest.SampleMore(t, "fred-graph/fredgraph.csv") // skips the test if the folder is missing
	ctx := context.Background()
	s, err := store.Open(ctx, store.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	im, err := importer.New(s, importer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	wanted, named, unwanted := 0, 0, 0
	for line := range strings.Lines(string(text)) {
		file, choices, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || strings.HasPrefix(file, "#") {
			continue
		}
		outcomes := im.Import(ctx, filepath.Join(dir, filepath.FromSlash(file)))
		v, err := s.Vintage(ctx, outcomes[0].ID)
		if err != nil {
			t.Fatalf("%s: %v: %s", file, err, outcomes[0].Error)
		}
		c := &request.Chart{Options: chart.DefaultOptions()}
		c.Options.Type = chart.Line
		spec, _, err := request.Spec(ctx, v, c)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for choice := range strings.SplitSeq(choices, "; ") {
			kind, codes, _ := strings.Cut(choice, "=")
			var found, missing []string
			for code := range strings.SplitSeq(codes, "|") {
				if isNamed(spec, v, code) {
					found = append(found, code)
				} else {
					missing = append(missing, code)
				}
			}
			switch {
			case kind == "areas":
				wanted, named = wanted+len(found)+len(missing), named+len(found)
				if missing != nil {
					t.Logf("%s: the picture does not name %v", file, missing)
				}
			case found != nil:
				unwanted++
				t.Logf("%s: the picture names %v", file, found)
			}
		}
	}
	t.Logf("%d of %d areas as the editor, %d pictures with others", named, wanted, unwanted)
	if wanted < minWanted || float64(named) < wantedAreas*float64(wanted) || unwanted > maxUnwanted {
		t.Errorf("want %.0f%% of at least %d areas, and at most %d pictures with others", 100*wantedAreas, minWanted, maxUnwanted)
	}
}

// isNamed reports whether a picture names an area at a line in colour, at a bar, or in its
// subtitle.
func isNamed(s *chart.Spec, v *store.Vintage, code string) bool {
	codes := v.Dataset.Geography.Codes
	i := slices.IndexFunc(codes, func(c stat.Code) bool { return c.ID == code })
	if i < 0 {
		return false
	}
	names := []string{codes[i].Label, codes[i].ID}
	if short, ok := geo.ShortName(codes[i].Area); ok {
		names = append(names, short)
	}
	hasFocus := slices.ContainsFunc(s.Series, func(series chart.Series) bool { return series.Focus })
	return slices.ContainsFunc(names, func(name string) bool {
		return strings.Contains(" · "+s.Subtitle+" · ", " · "+name+" · ") ||
			slices.ContainsFunc(s.Series, func(series chart.Series) bool { return (series.Focus || !hasFocus) && series.Label == name }) ||
			slices.ContainsFunc(s.Categories, func(c chart.Category) bool { return c.Label == name })
	})
}
