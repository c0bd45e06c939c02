package plain

import (
	"regexp"
	"slices"
	"strconv"

	"golang.org/x/text/currency"
	"golang.org/x/text/language"
)

// currencyCode matches codes of currencies of ISO 4217, such as USD.
var currencyCode = regexp.MustCompile(`^[A-Z]{3}$`)

// isCurrency reports whether a column holds currencies, by its heading, or by all its cells being
// codes of ISO 4217, which are not those of countries.
func (c *column) isCurrency() bool {
	if c.isCalled("currency") {
		return true
	}
	isCode := func(cell string) bool {
		_, err := currency.ParseISO(cell)
		return err == nil && currencyCode.MatchString(cell)
	}
	return c.different > 1 && !c.isCalled("area code") && !slices.ContainsFunc(c.cells, func(cell string) bool { return !isCode(cell) })
}

// takeNationalUnits takes a column of units as an attribute of the series, if each area has one
// unit, or most series do and the units tell no rows apart. Units that the other dimensions decide
// without the area are a dimension.
func (g *guess) takeNationalUnits() {
	at := slices.IndexFunc(g.items, func(it item) bool { return it.key == "unit" && len(it.columns) == 1 })
	if at < 0 || g.area == nil || g.area.different < 2 {
		return
	}
	c := g.column(g.items[at].columns[0])
	if c.different < 2 || c.hasGaps() {
		return
	}
	dims, series := g.key(append(slices.Clone(g.times), g.area)...), g.key(g.times...)
	isNational := c.steady(dims) < dims.n && 2*c.steady(series) >= series.n && g.key().isUnique()
	if g.area.determines(c) || isNational {
		g.items[at].key = "units"
	}
}

// hasOneValue reports whether the table has no other unit, and one column of values or of periods.
func (g *guess) hasOneValue() bool {
	if g.has("unit") || g.has("units") || g.isWide && g.has("value") {
		return false
	}
	values := 0
	for _, c := range g.columns {
		if !c.isTaken && c.isMostlyNumbers() && !c.isCode() || slices.Contains(g.values, c) {
			values++
		}
	}
	return values <= 1
}

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
