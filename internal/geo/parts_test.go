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
