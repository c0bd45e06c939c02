package request_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/importer"
	"almanac/internal/request"
	"almanac/internal/stat"
	"almanac/internal/stattest"
	"almanac/internal/store"
)

// What a reader sees of the offices' files when nothing was chosen: for each dimension with
// a choice the code and the rule, and the latest period in three senses. The text of a case
// is a file, with "as CODE" for a code that is not in the table of well-known datasets, and
// "no-geo" for a file without a geography.
func TestDefaultsOfRealFiles(t *testing.T) {
	dir := stattest.DataDir(t)
	stattest.Meanings(t, func(t *testing.T, text string) string {
		file, noGeo := strings.CutSuffix(strings.TrimSpace(text), " no-geo")
		file, code, _ := strings.Cut(file, " as ")
		v := firstDataset(t, filepath.Join(dir, filepath.FromSlash(file)), importer.Options{Code: code, NoGeo: noGeo})
		latest, err := v.Default()
		if err != nil {
			t.Fatal(err)
		}
		meaning := v.Dataset.Name + "\n"
		for i, d := range v.Dataset.Dimensions {
			if len(d.Codes) > 1 {
				meaning += fmt.Sprintf("%s: %s (%s)\n", d.ID, d.Codes[latest.Key[i]].Label, latest.Rules[i])
			}
		}
		return meaning + periodsOf(t, v, codesOf(latest.Key))
	})
}

// periodsOf describes the latest period of a series by the modes of one period.
func periodsOf(t *testing.T, v *store.Vintage, sel [][]int32) string {
	var periods []string
	for _, mode := range []stat.LatestMode{stat.LatestLast, stat.LatestObserved, stat.LatestCovered} {
		latest, err := v.LatestOf(sel, mode)
		if err != nil {
			t.Fatal(err)
		}
		areas := "areas"
		if len(latest.Areas) == 1 {
			areas = "area"
		}
		periods = append(periods, fmt.Sprintf("%s %s, %d %s", mode, latest.Period, len(latest.Areas), areas))
	}
	return strings.Join(periods, "; ") + "\n"
}

// codesOf selects the codes of a key, in all areas.
func codesOf(key []int32) [][]int32 {
	sel := make([][]int32, len(key)+1)
	for i := range key {
		sel[i] = key[i : i+1]
	}
	return sel
}

// newStore returns an empty store.
func newStore(t testing.TB) *store.Store {
	t.Helper()
	s, err := store.Open(context.Background(), store.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// importFile imports a file into a store.
func importFile(t *testing.T, s *store.Store, file string, o importer.Options) []importer.Outcome {
	t.Helper()
	im, err := importer.New(s, o)
	if err != nil {
		t.Fatal(err)
	}
	return im.Import(context.Background(), file)
}

func firstDataset(t *testing.T, file string, o importer.Options) *store.Vintage {
	t.Helper()
	s := newStore(t)
	if outcomes := importFile(t, s, file, o); len(outcomes) == 0 || outcomes[0].Status == importer.Refused {
		t.Fatalf("%s: %+v", file, outcomes)
	}
	v, err := s.Vintage(context.Background(), s.Catalog().Entries[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// No default fails: lines and both kinds of bars of real files are drawn with nothing
// chosen. A map of one area has a notice. Each dataset has the types that suit it: no
// line without a development, no bars for thousands of days, no map if most areas are
// regions without outlines.
func TestDefaultPicturesOfRealFiles(t *testing.T) {
	dir := stattest.DataDir(t)
	for _, test := range []struct{ file, types, mapNotice, mapError string }{
		{"px/statfin/perheet-LargeFinnishDatasetWithManyValues.px", "[line bar]", "only Finland has an outline and a value in 2022; lines and bars show more", ""},
		{"ecb/eurofxref-hist.csv", "[line]", "", "no area in the selection"},
		{"px/greenland/BEXSTA_windows_1252.px", "[bar]", "only Greenland has", ""},
		{"px/ssb/03024-WeeklyStatisticsWithTwoContent.px", "[bar]", "only Norway has", ""},
		{"un/WPP2019_Period_Indicators_Medium.csv", "[line bar map]", "", ""},
		{"who/HWF_0001-gho-export.csv", "[line bar map]", "", ""},
		{"eurostat/tsv-old/ilc_lvhl21.tsv.gz", "[line bar]", "", ""},
		{"eurostat/tsv-old/nama_10r_2gdp.tsv.gz", "[line bar]", "areas; outlines of the other regions can be given by the host", ""},
		{"ilo/EAR_4MTH_SEX_GEO_CUR_NB_A.csv", "[line bar map]", "", ""},
	} {
		v := firstDataset(t, filepath.Join(dir, filepath.FromSlash(test.file)), importer.Options{})
		for _, chartType := range []string{"line", "bar", "horizontal-bar", "map", "map&country=" + v.Dataset.Geography.Codes[0].ID, "map&mapLocation=europe"} {
			c, err := request.BindChart("type=" + chartType)
			if err != nil {
				t.Fatal(err)
			}
			_, notices, err := request.Spec(context.Background(), v, c)
			if err != nil && (test.mapError == "" || !strings.Contains(err.Error(), test.mapError)) {
				t.Errorf("%s, %s: %v", test.file, chartType, err)
			}
			if text := request.JoinNotices(notices); chartType == "map" && !strings.Contains(text, test.mapNotice) {
				t.Errorf("%s, map: notices %q, want %q", test.file, text, test.mapNotice)
			}
		}
		types, err := request.TypesFor(context.Background(), v, nil)
		if got := fmt.Sprint(types); err != nil || got != test.types {
			t.Errorf("%s: types %s, %v; want %s", test.file, got, err, test.types)
		}
	}
}
