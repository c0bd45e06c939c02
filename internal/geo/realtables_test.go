package geo_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/geo"
	"almanac/internal/stattest"
)

// TestRealTables resolves the areas of real tables of offices whose code system nobody
// declares, and compares them with what another column of the table says.
func TestRealTables(t *testing.T) {
	number := func(a geo.Area) string { return strings.TrimLeft(a.M49, "0") }
	alpha := func(a geo.Area) string { return a.Alpha3 }
	name := func(a geo.Area) string { return a.Name }
	none := func(geo.Area) string { return "" }
	for _, c := range []struct {
		path           string
		separator      rune
		column, proof  string // names or codes to resolve; what proves their areas
		of             func(geo.Area) string
		known, unknown int
	}{
		{"census-nst/nst-est2019-alldata.csv", ',', "NAME", "NAME", name, 53, 4},
		{"nchs-lcod/NCHS_-_Leading_Causes_of_Death__United_States.csv", ',', "State", "State", name, 52, 0},
		{"gdl-shdi/GDL-Subnational-HDI-data.csv", ',', "Region", "Region", name, 52, 0},
		{"undp-hdr/HDR21-22_complete_time_series.csv", ',', "country", "iso3", alpha, 195, 11},
		{"unctad-pop/US_PopTotal_20230713030810 3.csv", ',', "Economy Label", "Economy", number, 240, 73},
		{"dst-folk1a/FOLK1A.csv", ';', "OMRÅDE", "OMRÅDE", none, 0, 12},
		{"ihme-gbd/IHME-GBD_2021_DATA-446de514-1.csv", ',', "location", "", nil, 204, 0},
	} {
		path := filepath.Join(stattest.DataDir(t), "..", "data-more", filepath.FromSlash(c.path))
		if _, err := os.Stat(path); err != nil {
			if os.Getenv("ALMANAC_REQUIRE") == "1" {
				t.Fatal(err)
			}
			t.Skip("no file ", path)
		}
		rows := readColumns(t, path, c.separator, c.column, c.proof)
		var codes []geo.Labelled
		for _, row := range rows {
			codes = append(codes, geo.Labelled{Code: row.code})
		}
		r := geo.ResolveAll("local", c.column, codes)
		if r.Unknown() != c.unknown || len(codes) != c.known+c.unknown {
			t.Errorf("%s: %d codes, %d unknown, want %d and %d; %s", c.path, len(codes), r.Unknown(), c.known+c.unknown, c.unknown, r)
		}
		for i, row := range rows {
			if strings.Contains("251 579 842 926", row.label) {
				continue // UNCTAD's France, Norway, United States and United Kingdom are larger or smaller than M49's
			}
			proof := row.label
			if c.column == c.proof {
				proof = row.code
			}
			if !r.Known[i] || c.of == nil {
				continue
			}
			if got := c.of(r.Areas[i]); got != proof && got != strings.TrimLeft(proof, "0") {
				t.Errorf("%s: %q is %s (%s), want %s", c.path, row.code, r.Areas[i].ID, got, proof)
			}
		}
	}
}
