package caption

import (
	"regexp"
	"strings"

	"almanac/internal/stat"
)

// energy matches units of energy, which have a price: "Kilowatt/hour", "Gigajoule (gross calorific
// value - GCV)".
var energy = regexp.MustCompile(`(?i)^(?:(kilowatt|megawatt)[-/ ]?hours?|gigajoules?)\b`)

// wholeUnit completes a unit of which the office states a part: that of a price is its currency
// for the unit of energy, and that of "Rate" is what the dataset is known to be.
func wholeUnit(d *stat.Dataset, key []int32, unit string) string {
	if m := energy.FindStringSubmatch(unit); m != nil {
		if currency := currencyOf(d, key); currency != "" {
			of := "gigajoule"
			if m[1] != "" {
				of = strings.ToLower(m[1]) + "-hour"
			}
			return currency + " per " + of
		}
	}
	if known := knownDataset(d).unit; unit == "Rate" && known != "" {
		return known
	}
	return unit
}
