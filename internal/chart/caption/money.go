package caption

import (
	"regexp"
	"slices"

	"almanac/internal/stat"
)

// UnstatedCurrency stands for the unit of an amount of money of which nothing says the currency.
const UnstatedCurrency = "currency not stated in the file"

var (
	// isMoney matches what is measured in money.
	isMoney = regexp.MustCompile(`(?i)\b(GDP|GNI|gross (domestic|national) (product|income)|incomes?|wages?|salar(y|ies)|earnings|expenditures?|revenues?|bruttoinlandsprodukt|produit intérieur brut|producto interior bruto)\b`)
	// isOther matches measures about money that have another unit and are no pure numbers.
	isOther = regexp.MustCompile(`(?i)\b(change|rates?|deflator|distribution|quintile|inequality|persons|number|people|households|years|price)\b`)
)

// IsAmountOfMoney reports whether a text says that money is measured.
func IsAmountOfMoney(text string) bool {
	return isMoney.MatchString(text) && !SaysPureNumber(text) && !isOther.MatchString(text)
}

// hasUnits reports whether a dataset states the units of its values in a dimension, though those
// of one picture may differ.
func hasUnits(d *stat.Dataset) bool {
	return slices.ContainsFunc(d.Dimensions, func(dim stat.Dimension) bool {
		return dim.Role == stat.RoleUnit || isCurrencyDimension(dim.ID)
	})
}
