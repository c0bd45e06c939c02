package plain

import (
	"regexp"
	"strconv"

	"golang.org/x/text/language"
)

// currencyCode matches codes of currencies of ISO 4217, such as USD.
var currencyCode = regexp.MustCompile(`^[A-Z]{3}$`)

// currencyOf returns the column of currencies whose numbers in ISO 4217 a column has: 840 for
// USD; nil if there is none.
func (g *guess) currencyOf(c *column) *column {
	if c.amounts > 0 || c.hasGaps() {
		return nil
	}
	for _, by := range g.columns {
		if by.isAll(currencyCode) && !by.hasGaps() && by.isOneToOne(c) && areNumbersOf(by, c) {
			return by
		}
	}
	return nil
}

// areNumbersOf reports whether the numbers in each row are those of its currency. Below 900 they
// are those of the country with whose letters the currency begins.
func areNumbersOf(currencies, numbers *column) bool {
	hasProof := false
	for i, id := range numbers.ids {
		n, err := strconv.Atoi(numbers.cells[id-1])
		if err != nil || n > 999 {
			return false
		}
		code := currencies.cells[currencies.ids[i]-1]
		if n >= 900 { // of several countries, or later than the first of its country
			hasProof = hasProof || n == 978 && code == "EUR"
			continue
		}
		country, err := language.EncodeM49(n)
		if err != nil || country.String() != code[:2] {
			return false
		}
		hasProof = true
	}
	return hasProof
}
