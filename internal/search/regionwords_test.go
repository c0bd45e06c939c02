package search_test

import (
	"slices"
	"testing"

	"almanac/internal/search"
)

// TestRegionWords checks that a title that only says more of the regions is of the same measure, and others are not.
func TestRegionWords(t *testing.T) {
	for _, c := range []struct {
		title, asked string
		want         bool
	}{
		{"Bevölkerung: Kreise, Stichtag", "Bevölkerung", true},
		{"Bevölkerung nach Kreisen", "Einwohner", true},
		{"Population by county", "population", true},
		{"Rural population by county", "population", false},
		{"Life expectancy at birth by NUTS 2 region", "births", false},
	} {
		a := search.AskedOf(c.asked)
		if got := a.IsIn(search.WordsOf(c.title)); got != c.want {
			t.Errorf("%q in %q: %v", c.asked, c.title, got)
		}
	}
	if got := search.RegionWords("Bevölkerung nach Kreisen, population by county in cities"); !slices.Equal(got, []string{"kreisen", "by", "county"}) {
		t.Errorf("words for regions: %q", got)
	}
}
