package geo_test

import (
	"slices"
	"testing"

	"almanac/internal/geo"
)

// TestSameRegions checks that each ID of a region leads to the same others, that all are regions of
// one country, and that each is in one row.
func TestSameRegions(t *testing.T) {
	for _, e := range geo.Entries() {
		same := geo.SameRegions(e.ID)
		if same == nil || e.Kind != geo.Region {
			continue
		}
		if !slices.Contains(same, e.ID) {
			t.Errorf("%s is not among %v", e.ID, same)
		}
		for _, id := range same {
			if !slices.Equal(geo.SameRegions(id), same) {
				t.Errorf("%s is the region %v, %s the region %v", e.ID, same, id, geo.SameRegions(id))
			}
			other, ok := geo.FindEntry("eurostat:" + id) // DEA is a group for the World Bank
			if !ok {
				other, ok = geo.FindEntry(id)
			}
			if !ok || country(t, other) != country(t, e) {
				t.Errorf("%s and %s are not regions of one country", e.ID, id)
			}
		}
	}
	for _, c := range []struct{ a, b string }{
		{"DE-BY", "DE2"}, {"ES-CT", "ES51"}, {"UKI", "E12000007"}, {"FR-IDF", "FR10"}, {"IT-25", "ITC4"},
		{"AT-9", "AT13"}, {"ES-MD", "ES30"}, {"BE-BRU", "BE10"}, {"DE-BE", "DE300"},
	} {
		if !geo.IsSameRegion(c.a, c.b) {
			t.Errorf("%s and %s are not one region", c.a, c.b)
		}
	}
	if geo.IsSameRegion("DE2", "DE21") || geo.IsSameRegion("DE", "DE") {
		t.Error("a part or a country is the same region as another")
	}
}

// country returns the key of the country in which an area lies.
func country(t *testing.T, e *geo.Entry) string {
	t.Helper()
	for e.Above != "" {
		above, ok := geo.FindEntry(e.Above)
		if !ok {
			t.Fatalf("%s is in %s, which is no entry", e.Key, e.Above)
		}
		e = above
	}
	return e.Key
}

func TestNamesOfRegions(t *testing.T) {
	for _, c := range []struct{ name, id string }{
		{"Lombardei", "IT-25"}, {"Bavière", "DE-BY"}, {"München", "DE212"}, {"Munich", "DE212"}, {"Katalonien", "ES-CT"},
		{"Cataluña", "ES-CT"}, {"Catalunya", "ES-CT"}, {"Sicile", "IT-82"}, {"Londres", "UKI"}, {"Wien", "AT-9"}, {"Vienna", "AT-9"},
		{"Vienne", "AT-9"}, {"Kopenhagen", "DK-84"}, {"lombardia", "IT-25"}, {"Cote divoire", "CI"}, {"Mexico", "MX"},
	} {
		if found := geo.Lookup(c.name); len(found) == 0 || found[0].ID != c.id {
			t.Errorf("%q is %v, want %s", c.name, found, c.id)
		}
	}
	if name, _ := geo.NameIn("DE2", "fr"); name != "Bavière" {
		t.Errorf("DE2 in French is %q", name)
	}
	if !geo.WholeOf("DE-BY").Has("eurostat", "DE212") {
		t.Error("DE212 is not within DE-BY")
	}
}
