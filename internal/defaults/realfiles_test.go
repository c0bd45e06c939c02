package defaults_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"almanac/internal/defaults"
	"almanac/internal/importer"
	"almanac/internal/stat"
	"almanac/internal/stattest"
	"almanac/internal/store"
)

// The rows of the table lead to series with data in the offices' files. A case is a file;
// its meaning is each row about its dataset, with the number of areas that have a value in
// the last period of the series, or what the file lacks.
func TestRowsInRealFiles(t *testing.T) {
	dir := stattest.DataDir(t)
	stattest.Meanings(t, func(t *testing.T, text string) string {
		file, noGeo := strings.CutSuffix(strings.TrimSpace(text), " no-geo")
		path := filepath.Join(dir, filepath.FromSlash(file))
		stattest.SkipLargeUnderRace(t, stattest.Size(t, path))
		v, known := imported(t, path, noGeo)
		source, code := v.Dataset.Source.ID, v.Dataset.Code
		meaning := fmt.Sprintf("%s %s\n%s\n", source, code, found(t, v, "default", known.Codes))
		for _, c := range defaults.Concepts() {
			for _, s := range c.Series {
				if s.Covers(source, code) {
					meaning += found(t, v, c.ID, s.Codes) + "\n"
				}
			}
		}
		return meaning
	})
}

// imported returns the first dataset of a file that the table knows.
func imported(t *testing.T, file string, noGeo bool) (*store.Vintage, defaults.Known) {
	t.Helper()
	ctx := context.Background()
	s, err := store.Open(ctx, store.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	im, err := importer.New(s, importer.Options{NoGeo: noGeo})
	if err != nil {
		t.Fatal(err)
	}
	outcomes := im.Import(ctx, file)
	if len(outcomes) == 0 || outcomes[0].Status == importer.Refused {
		t.Fatalf("%s: %+v", file, outcomes)
	}
	for _, entry := range s.Catalog().Entries {
		if known, ok := defaults.LookUp(entry.Source, entry.Code); ok {
			v, err := s.Vintage(ctx, entry.ID)
			if err != nil {
				t.Fatal(err)
			}
			return v, known
		}
	}
	t.Fatalf("%s: no row for its datasets", file)
	return nil, defaults.Known{}
}

// found describes the series that the codes of a row select in a dataset. It is an error
// if a dimension has none of its codes, unless the row is for a part of the dataset that
// this file lacks, or if the series has no values.
func found(t *testing.T, v *store.Vintage, name string, codes map[string][]string) string {
	t.Helper()
	dims := v.Dataset.Dimensions
	selection := make([][]int32, len(dims)+1)
	var chosen []string
	for axis, d := range dims {
		wanted := codes[strings.ToLower(d.ID)]
		if len(wanted) == 0 {
			continue
		}
		i := slices.IndexFunc(wanted, func(id string) bool { _, ok := v.Position(axis, id); return ok })
		if i < 0 {
			return fmt.Sprintf("%s: the file lacks %s=%s", name, d.ID, strings.Join(wanted, "|"))
		}
		pos, _ := v.Position(axis, wanted[i])
		selection[axis] = []int32{pos}
		chosen = append(chosen, d.ID+"="+wanted[i])
	}
	latest, err := v.LatestOf(selection, stat.LatestLast)
	if stat.KindOf(err) == stat.NotFound {
		t.Errorf("%s %s: no values", name, strings.Join(chosen, "; "))
		return name + ": no values"
	}
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(fmt.Sprintf("%s: %d areas in %s, %s", name, len(latest.Areas), latest.Period, strings.Join(chosen, "; ")))
}
