package geo_test

import (
	"fmt"
	"slices"
	"testing"

	"almanac/internal/geo"
)

// An area of which nothing is known may be one more part of a country, unless its name says that it is
// several of them, or a place in one.
func TestMoreParts(t *testing.T) {
	for _, test := range []struct {
		country, code, name string
		want                bool
	}{
		{"RU", "", "Республика Крым", true},
		{"RU", "", "Sevastopol", true},
		{"CA", "", "Toronto, Ontario", false},
		{"CA", "", "Ontario North", false},
		{"CA", "", "Atlantic provinces", false},
		{"CA", "statcan:4806", "Calgary", false}, // the code of a town
		{"DE", "", "East Germany", false},
		{"GB", "", "North West", false},
		{"US", "", "Total", false},
		{"US", "", "World", false},
	} {
		parts := []geo.Labelled{{Code: test.country + "-1", Label: "Ontario"}, {Code: test.country + "-2", Label: "Quebec"}}
		for i := range 4 {
			parts = append(parts, geo.Labelled{Code: fmt.Sprint(test.country, "-", i+3), Label: fmt.Sprint("Province ", i)})
		}
		unknown := geo.Labelled{Code: test.code, Label: test.name}
		if test.code == "" {
			unknown.Code = test.name
		}
		if got := len(geo.MoreParts(parts, []geo.Labelled{unknown})) == 1; got != test.want {
			t.Errorf("%s may be a part of %s: %t, want %t", test.name, test.country, got, test.want)
		}
		two := slices.Repeat([]geo.Labelled{unknown}, 2) // more than every fifth
		if got := geo.MoreParts(parts, two); got != nil {
			t.Errorf("two unknown areas beside six parts: %d are parts, want none", len(got))
		}
	}
	if got := geo.MoreParts(nil, []geo.Labelled{{Code: "x", Label: "x"}}); got != nil {
		t.Errorf("no parts: %d more", len(got))
	}
}

func TestAreUnknownGroups(t *testing.T) {
	for countries, want := range map[int]bool{0: false, 9: false, 10: true, 200: true} {
		if got := geo.AreUnknownGroups(countries); got != want {
			t.Errorf("beside %d countries: %t, want %t", countries, got, want)
		}
	}
}
