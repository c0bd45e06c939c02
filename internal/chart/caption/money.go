package caption

import "regexp"

// UnstatedCurrency stands for the unit of an amount of money of which nothing says the currency.
const UnstatedCurrency = "currency not stated in the file"

var (
	// isMoney matches what is measured in money.
	isMoney = regexp.MustCompile(`(?i)\b(GDP|GNI|gross (domestic|national) (product|income)|incomes?|wages?|salar(y|ies)|earnings|expenditures?|revenues?|bruttoinlandsprodukt|produit intérieur brut|producto interior bruto)\b`)
	// isNoMoney matches measures of money that have another unit.
	isNoMoney = regexp.MustCompile(`(?i)\b(growth|change|rate|rates|share|ratio|index|indices|percent|percentage|per cent|deflator|dispersion|distribution|quintile|inequality|persons|number|people|households|years|score|price)\b|%`)
)

// IsAmountOfMoney reports whether a text says that money is measured.
func IsAmountOfMoney(text string) bool {
	return isMoney.MatchString(text) && !isNoMoney.MatchString(text)
}
