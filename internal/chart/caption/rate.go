package caption

import (
	"strings"

	"almanac/internal/lazyregexp"
	"almanac/internal/stat"
)

// Exchange rates are quoted as a pair of currencies: "Swiss francs per euro".

var (
	// rateKey matches the keys of exchange rates of the ECB and of central banks that follow it:
	// EXR.D.USD.EUR.SP00.A, BBEX3.D.CHF.EUR.BB.AC.000.
	rateKey = lazyregexp.New(`\b(?:EXR|BBEX3)\.[A-Z]\.([A-Z]{3})\.([A-Z]{3})\.`)
	// ratePair matches labels such as USD/CAD, the price of the first currency in the second.
	ratePair = lazyregexp.New(`^([A-Z]{3})/([A-Z]{3})$`)
	// manyOf matches names of currencies that have a plural in English.
	manyOf = lazyregexp.New(`(?i)\b(dollar|franc|peso|rupee|rouble|ruble|dinar|dirham|pound)$`)
)

// rateOf returns the pair of currencies of a series; empty if its key or label quotes none.
func rateOf(d *stat.Dataset, key []int32) string {
	texts := []string{d.Code, d.Name}
	for axis := range d.Dimensions {
		code := d.Dimensions[axis].Codes[key[axis]]
		texts = append(texts, code.ID, code.Label)
	}
	for _, text := range texts {
		if m := rateKey.FindStringSubmatch(strings.ToUpper(text)); m != nil {
			return pairOf(m[1], m[2])
		}
		if m := ratePair.FindStringSubmatch(text); m != nil {
			return pairOf(m[2], m[1])
		}
	}
	return ""
}

// pairOf returns the words for units of a currency that one unit of another costs, by their codes
// in ISO 4217; empty if one is no currency.
func pairOf(quote, base string) string {
	quoteName, baseName := knownCodes()["@currency\t"+quote].name, knownCodes()["@currency\t"+base].name
	if quoteName == "" || baseName == "" {
		return ""
	}
	return perCurrency(quoteName, baseName)
}

// perCurrency writes a pair of currencies by their names.
func perCurrency(quote, base string) string {
	if !IsCode(base) {
		base = lowerFirst(base)
	}
	return manyOf.ReplaceAllString(quote, "${1}s") + " per " + base
}

// IsRate reports whether a unit is a pair of currencies, which says where the values are from.
func IsRate(unit string) bool {
	quote, base, ok := strings.Cut(unit, " per ")
	return ok && isCurrencyName(base) && isCurrencyName(strings.TrimSuffix(quote, "s"))
}
