package geo_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"almanac/internal/geo"
)

// Each region of the table of main regions is a subdivision of its country or has the form
// of a region of NUTS, and stands there once.
func TestMainRegionsTable(t *testing.T) {
	text, err := os.ReadFile("tables/mainregions.tsv")
	if err != nil {
		t.Fatal(err)
	}
	nuts := regexp.MustCompile(`^[A-Z]{2}[0-9A-Z]{1,3}$`)
	seen := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if line[0] == '#' {
			continue
		}
		country, regions, _ := strings.Cut(strings.TrimSpace(line), "\t")
		length := 0
		for id := range strings.FieldsSeq(regions) {
			if seen[id] {
				t.Errorf("%s: two places", id)
			}
			seen[id] = true
			if length == 0 {
				length = len(id)
			}
			if a, ok := geo.FindSubdivision(id); ok {
				if a.ID != id || strings.Contains(id, "-") && id[:2] != country {
					t.Errorf("%s: is %v, in the row of %s", id, a, country)
				}
				continue
			}
			a, ok := geo.Resolve("eurostat", id)
			if !nuts.MatchString(id) || len(id) != length || !ok || a.Kind != geo.Region || a.ID != id {
				t.Errorf("%s: want a subdivision, or a region of NUTS as long as the others of its row, not %v", id, a)
			}
		}
	}
}

func TestMainRegions(t *testing.T) {
	for _, c := range []struct {
		id, country string
		place       int
	}{
		{"US-CA", "US", 1},
		{"US-DC", "", 0},
		{"DE-BE", "DE", 4},
		{"FR10", "FR", 1},
		{"ES30", "ES", 1},
		{"EL30", "GR", 1},
		{"UKI3", "GB", 1},
		{"ES-CE", "ES", 0},
		{"DE", "", 0},
	} {
		country, place, ok := geo.MainRegion(c.id)
		if place != c.place || ok != (c.place > 0) || ok && country != c.country {
			t.Errorf("MainRegion(%q) = %q, %d, %t; want %q, %d", c.id, country, place, ok, c.country, c.place)
		}
	}
	if !geo.IsSmallRegion("ES-CE") || geo.IsSmallRegion("ES-RI") || geo.IsSmallRegion("ES-MD") {
		t.Error("want Ceuta alone of three regions of Spain to be small")
	}
}
