package geo_test

import (
	"testing"

	"almanac/internal/geo"
)

func TestIsSeveralParts(t *testing.T) {
	for _, test := range []struct {
		country, name string
		want          bool
	}{
		{"CA", "Atlantic provinces", true},
		{"CA", "Prairie provinces", true},
		{"CA", "Provinces de l'Atlantique", true},
		{"CA", "Northwest Territories", false}, // one of them
		{"CA", "Prince Edward Island", false},
		{"CA", "Ontario", false},
		{"DE", "Neue Bundesländer", true},
	} {
		if got := geo.IsSeveralParts(test.country, test.name); got != test.want {
			t.Errorf("%s, %s: %v, want %v", test.country, test.name, got, test.want)
		}
	}
}

// An area of which nothing is known may be one more part of a country, unless its name says that it is
// several of them, or a place in one.
func TestMayBePart(t *testing.T) {
	for _, test := range []struct {
		country, name string
		want          bool
	}{
		{"RU", "Республика Крым", true},
		{"RU", "Sevastopol", true},
		{"CA", "Toronto, Ontario", false},
		{"CA", "Ontario North", false},
		{"CA", "Atlantic provinces", false},
		{"DE", "East Germany", false},
		{"GB", "North West", false},
		{"US", "Total", false},
		{"US", "World", false},
	} {
		if got := geo.MayBePart(test.country, test.name, []string{"Ontario", "Quebec"}); got != test.want {
			t.Errorf("%s may be a part of %s: %t, want %t", test.name, test.country, got, test.want)
		}
	}
}
