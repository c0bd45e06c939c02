package caption

import (
	"strings"

	"almanac/internal/lazyregexp"
	"almanac/internal/stat"
)

// energy matches units of energy, which have a price: "Kilowatt/hour", "Gigajoule (gross calorific
// value - GCV)".
var energy = lazyregexp.New(`(?i)^(?:(kilowatt|megawatt)[-/ ]?hours?|gigajoules?)\b`)

// wholeUnit completes a unit of which the office states a part: that of a price is its currency
// for the unit of energy, that of "Rate" is what the dataset is known to be, and that of all values of
// a dataset is what is known of it with a title that replaces the one in the file.
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
	if known := knownDataset(d); known.unit != "" && (unit == "Rate" || known.isBetter && unit == d.Unit) {
		return known.unit
	}
	return unit
}

// correctedUnits are units of an office, by source and label, that its own numbers contradict.
var correctedUnits = map[string]string{
	// The Global Burden of Disease has 0.0742 where it means 7.42 %.
	"ihme\tPercent": "fraction of 1",
}

// isCorrection reports whether a unit stands for another one that the office states.
func isCorrection(unit string) bool {
	for _, corrected := range correctedUnits {
		if unit == corrected {
			return true
		}
	}
	return false
}

// statedUnit returns the unit that an office states for a series, corrected if its numbers
// contradict it.
func statedUnit(d *stat.Dataset, key []int32, stated string) string {
	unit := d.UnitOf(key, stated)
	if corrected := correctedUnits[d.Source.ID+"\t"+unit]; corrected != "" {
		return corrected
	}
	return unit
}
