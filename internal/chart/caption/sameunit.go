package caption

import (
	"slices"
	"strconv"
	"strings"

	"almanac/internal/lazyregexp"
	"almanac/internal/stat"
)

// sameWords are texts that offices write for one thing in units, the one that stands for all first. Only texts that say all that the first
// one says are in a row: "percent" does not say of what, and "current US$" says at which prices.
var sameWords = [][]string{
	{"% a year", "annual % change", "annual %", "annual change in %", "% change on previous year", "% per year", "% per annum"},
	{"% of gdp", "% of gross domestic product", "% of gross domestic product (gdp)"},
	{"% of labour force", "% of labor force", "% of total labour force", "% of total labor force", "% of the labour force", "% of active population", "% of population in the labour force"},
	{"us dollars", "us dollar", "u.s. dollars", "u.s. dollar", "united states dollars", "us$", "usd"},
	{"euros", "euro", "eur"},
	{"births per woman", "live births per woman", "children per woman"},
	{"persons", "person", "people", "number of persons"},
	{"years", "year"},
}

// wordsForPercent match the ways to write per cent.
var wordsForPercent = lazyregexp.New(`\b(percentage|per ?cent)\b`)

// SameUnit reports whether two units are the same unit, apart from case, spaces and the words for it. Multiples of a unit are other units.
func SameUnit(a, b string) bool {
	countedA, powerA := foldUnit(a)
	countedB, powerB := foldUnit(b)
	return countedA == countedB && powerA == powerB
}

// PowerBetween returns the power of ten by which numbers in unit b are multiplied to be in unit a: 3 for "US dollars (billions)" and "US
// dollars (millions)". ok is false if they are not multiples of the same unit.
func PowerBetween(a, b string) (power int, ok bool) {
	countedA, powerA := foldUnit(a)
	countedB, powerB := foldUnit(b)
	return powerB - powerA, countedA == countedB && (countedA != "" || powerA == powerB)
}

// measureUnits are, by concept, texts for its unit that say less or more than others, although the concept says what they are of: the
// population is of persons, and growth is a change on the year before. The first one stands for all.
var measureUnits = map[string][]string{
	"population":           {"persons", "", "number", "anzahl", "nombre", "número"},
	"gdp-growth":           {"% a year", "%"},
	"under-five-mortality": {"deaths per 1,000 live births", "deaths under age five per 1,000 live births"},
}

// UnitOfMeasure returns the unit of values of a concept with what the concept says of it: "persons (thousands)" for the thousands of a
// population. A unit that is not stated, and that of another measure, is returned as it is.
func UnitOfMeasure(unit, concept string) string {
	texts := measureUnits[concept]
	if counted, power := foldUnit(unit); unit != "" && slices.Contains(texts, counted) {
		return stat.UnitText(texts[0], strconv.Itoa(power))
	}
	return unit
}

// foldUnit returns what a unit counts, in the words that stand for all that say the same, and of which power of ten it is the multiple.
func foldUnit(unit string) (counted string, power int) {
	counted, power = CutMultiple(unit)
	counted = wordsForPercent.ReplaceAllString(strings.ToLower(strings.Join(strings.Fields(counted), " ")), "%")
	for _, row := range sameWords {
		if slices.Contains(row, counted) {
			return row[0], power
		}
	}
	return counted, power
}
