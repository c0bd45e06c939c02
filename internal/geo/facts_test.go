package geo_test

import (
	"bytes"
	"encoding/csv"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"almanac/internal/geo"
	"almanac/internal/stattest"
)

// TestMembersAreThoseOfTheUN checks that the regions of M49 have the countries that the UN's own
// list gives them.
func TestMembersAreThoseOfTheUN(t *testing.T) {
	path := glob(t, "geo/UNSD-M49-en.csv")[0]
	want := map[string][]string{}
	for _, column := range []string{"Global Code", "Region Code", "Sub-region Code", "Intermediate Region Code"} {
		for _, c := range readColumns(t, path, ',', column, "ISO-alpha2 Code") {
			want["un:"+c.code] = append(want["un:"+c.code], c.label)
		}
	}
	compared := 0
	for id, members := range geo.LoadMembers() {
		if countries := want[id]; countries != nil {
			compared++
			members = slices.Sorted(slices.Values(members))
			if slices.Sort(countries); !slices.Equal(members, countries) {
				t.Errorf("%s has %v, want %v", id, members, countries)
			}
		}
	}
	if compared < 25 {
		t.Errorf("%d regions were compared, want at least 25", compared)
	}
}

// TestPopulationIsThatOfUNCTAD compares the population of countries with the file that the
// table comes from.
func TestPopulationIsThatOfUNCTAD(t *testing.T) {
	stattest.SampleMore(t, "unctad-pop/US_PopTotal_20230713030810 3.csv") // skips the test if the folder is missing
	path := filepath.Join(stattest.DataDir(t), "..", "data-more", "unctad-pop", "US_PopTotal_20230713030810 3.csv")
	alpha2 := map[string]string{"579": "NO"} // Norway with Svalbard and Jan Mayen
	for _, c := range readColumns(t, glob(t, "geo/UNSD-M49-en.csv")[0], ',', "M49 Code", "ISO-alpha2 Code") {
		alpha2[c.code] = c.label
	}
	compared := 0
	rows, err := csv.NewReader(bytes.NewReader(read(t, path))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		code := alpha2[row[1]]
		thousands, err := strconv.ParseFloat(row[3], 64)
		if row[0] != "2022" || code == "" || err != nil {
			continue
		}
		compared++
		if got := geo.Population(code); math.Abs(float64(got)-thousands) > 0.5 {
			t.Errorf("%s has %d thousand people, want %v", code, got, thousands)
		}
	}
	if compared < 230 {
		t.Errorf("%d countries were compared, want at least 230", compared)
	}
}
