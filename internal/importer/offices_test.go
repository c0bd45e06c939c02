package importer_test

import (
	"path/filepath"
	"slices"
	"testing"

	"almanac/internal/importer"
	"almanac/internal/stat"
	"almanac/internal/stattest"
	"almanac/internal/store"
)

// TestOfficesEndToEnd imports real files of offices and checks what is stored: the areas,
// the frequencies and the units of the first dataset.
func TestOfficesEndToEnd(t *testing.T) {
	more := filepath.Join(stattest.DataDir(t), "..", "data-more")
	stattest.SampleMore(t, "oecd-gdp/data.csv") // skips the test if there are none
	for _, c := range []struct {
		name            string
		files           []string
		labels          string
		values          int
		area, frequency string
		units           []string
	}{
		{"OECD, structure in one command", []string{"oecd-gdp/data.csv", "oecd-gdp/structure.xml"}, "", 2688, "FR", "A",
			[]string{"National currency (billions)", "National currency (millions)", "National currency (thousands)", "US dollar (millions)"}},
		{"OECD, structure in a folder", []string{"oecd-gdp/data.csv"}, "oecd-gdp", 2688, "FR", "A",
			[]string{"National currency (billions)", "National currency (millions)", "National currency (thousands)", "US dollar (millions)"}},
		{"Federal Reserve", []string{"fed-xml/fed-data-1.0.xml", "fed-xml/fed-structure-1.0.xml"}, "", 2512, "US", "M", []string{"Currency", "Months", "Percent"}},
		{"Bank of England", []string{"boe-xml/boe-data.xml"}, "", 0, "GB", "M", nil},
		{"Stats NZ", []string{"nz-projections_national_2024/projections_national_2024.csv"}, "", 1267, "NZ", "A", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			s, err := store.Open(t.Context(), store.Options{Dir: dir})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			var o importer.Options
			if c.labels != "" {
				o.Labels = filepath.Join(more, c.labels)
			}
			im, err := importer.New(s, o)
			if err != nil {
				t.Fatal(err)
			}
			var paths []string
			for _, file := range c.files {
				paths = append(paths, filepath.Join(more, file))
			}
			for _, outcome := range im.Import(t.Context(), paths...) {
				if outcome.Status == importer.Refused && outcome.Format != "" && !slices.Contains([]string{"sdmx-structure"}, outcome.Format) {
					t.Errorf("refused: %s", outcome.Error)
				}
			}
			again, err := store.Open(t.Context(), store.Options{Dir: dir, Memory: 1}) // reads the files
			if err != nil {
				t.Fatal(err)
			}
			defer again.Close()
			v, err := again.Vintage(t.Context(), 1)
			if err != nil {
				t.Fatal(err)
			}
			if c.values > 0 && v.Observations != c.values {
				t.Errorf("%d values, want %d", v.Observations, c.values)
			}
			checkStored(t, v, c.area, c.frequency, c.units)
		})
	}
}

// checkStored checks that a version has an area, and that all its periods and units are as
// expected; units nil: any.
func checkStored(t *testing.T, v *store.Vintage, area, frequency string, units []string) {
	t.Helper()
	if !slices.ContainsFunc(v.Dataset.Geography.Codes, func(c stat.Code) bool { return c.Area == area }) {
		t.Errorf("the areas are %+v, without %s", v.Dataset.Geography.Codes, area)
	}
	x, err := v.Select(t.Context(), stat.Query{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range x.Periods {
		if p.Frequency().Code() != frequency {
			t.Fatalf("the period %s is not of the frequency %s", p, frequency)
		}
	}
	var found []string
	for block, err := range x.Blocks {
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, block.Unit)
	}
	slices.Sort(found)
	if found = slices.Compact(found); units != nil && !slices.Equal(found, units) {
		t.Errorf("the units are %q, want %q", found, units)
	}
}
