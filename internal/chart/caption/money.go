package caption

import (
	"regexp"

	"almanac/internal/stat"
)

// UnstatedCurrency stands for the unit of an amount of money of which nothing says the currency.
const UnstatedCurrency = "currency not stated in the file"

var (
	// isMoney matches what is measured in money.
	isMoney = regexp.MustCompile(`(?i)\b(GDP|GNI|gross (domestic|national) (product|income)|incomes?|wages?|salar(y|ies)|earnings|expenditures?|revenues?|bruttoinlandsprodukt|produit intérieur brut|producto interior bruto)\b`)
	// isNoMoney matches measures of money that have another unit.
	isNoMoney = regexp.MustCompile(`(?i)\b(growth|change|rate|rates|share|ratio|index|indices|percent|percentage|per cent|deflator|dispersion|distribution|quintile|inequality|persons|number|people|households|years|score|price)\b|%`)
)

// isAmountOfMoney reports whether a text says that money is measured.
func isAmountOfMoney(text string) bool {
	return isMoney.MatchString(text) && !isNoMoney.MatchString(text)
}

// correctedUnits are units of an office, by source and label, that its own numbers contradict.
var correctedUnits = map[string]string{
	// The Global Burden of Disease has 0.0742 where it means 7.42 %.
	"ihme\tPercent": "share, as a fraction of 1",
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

// statedUnit returns the unit that an office states for a series, corrected if its numbers contradict it.
func statedUnit(d *stat.Dataset, key []int32, stated string) string {
	unit := d.UnitOf(key, stated)
	if corrected := correctedUnits[d.Source.ID+"\t"+unit]; corrected != "" {
		return corrected
	}
	return unit
}
