package caption_test

import (
	"testing"

	"almanac/internal/chart/caption"
)

// A pure number is the same in any currency. An amount for each person is a ratio, but has a currency.
func TestPureNumbersAndRatios(t *testing.T) {
	for _, test := range []struct {
		text          string
		pure, isRatio bool
	}{
		{"Index, 2015=100", true, false},
		{"Percentage of GDP", true, true},
		{"GDP growth", true, false},
		{"National currency per inhabitant", false, true},
		{"Million units of national currency", false, false},
		{"Average monthly earnings", false, true},
		{"Anteil der Ausgaben", true, true},
		{"Housing starts, seasonally adjusted at annual rates", false, false},
		{"Billions of dollars, seasonally adjusted annual rate", false, false},
		{"Annual rate of change", false, true},
		{"Ludność na 1 km2", false, true},
		{"Dépenses par habitant", false, true},
		{"Einkommen je Einwohner", false, true},
		{"Bevölkerung am 1. Januar", false, false},
		{"Población por provincia", false, false},
		{"Ludność na 1 stycznia", false, false},
	} {
		if pure, isRatio := caption.SaysPureNumber(test.text), caption.SaysRatio(test.text); pure != test.pure || isRatio != test.isRatio {
			t.Errorf("%q: pure number %t, ratio %t; want %t, %t", test.text, pure, isRatio, test.pure, test.isRatio)
		}
	}
}
