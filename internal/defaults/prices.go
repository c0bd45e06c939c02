package defaults

import (
	"slices"
	"strings"

	"almanac/internal/stat"
)

// ways are two ways of stating values, by words of labels, and the words of titles that
// speak of the second.
type ways struct{ usual, other, titles []string }

var (
	prices = ways{
		usual: []string{
			"current price", "current dollar", "current us$", "nominal", "jeweiligen preisen", "prix courants", "precios corrientes", "preços correntes", "prezzi correnti", "løbende priser",
			"løpende priser", "löpande priser", "käypiin hintoihin", "名目",
		},
		other: []string{
			"constant price", "chain linked", "chain-linked", "chained", "real", "volume", "deflator", "previous year", "preisbereinigt", "prix constants",
			"precios constantes", "faste priser", "fasta priser", "実質",
		},
		titles: []string{"real", "constant", "volume", "chain", "preisbereinigt"},
	}
	levels = ways{
		usual:  []string{"non transformed", "non-transformed", "no transformation", "level", "levels"},
		other:  []string{"growth", "percentage change", "change"},
		titles: []string{"growth", "change", "inflation", "variation", "variación"},
	}
	means = ways{
		usual:  []string{"average", "avg", "period average", "mean"},
		other:  []string{"end of period", "end-of-period", "end"},
		titles: []string{"end of period", "end-of-period"},
	}
)

// preferPrices prefers, of values that are stated in several ways, current prices before
// volumes, levels before changes, and means of a period before its last value, unless the
// title speaks of these. Of months or quarters of one area it prefers volumes: nobody
// compares their amounts with those of others, but everybody asks for growth.
func preferPrices(c *chooser) []int32 {
	for i, w := range []ways{prices, levels, means} {
		usual := c.filter(func(code stat.Code) bool { return hasAny(code, w.usual) && !hasAny(code, w.other) })
		other := c.filter(func(code stat.Code) bool { return hasAny(code, w.other) })
		switch {
		case len(usual) == 0 || len(other) == 0:
		case i == 0 && c.dataset.SubAnnual && len(c.dataset.Geography.Codes) == 1:
			return first(other)
		case slices.ContainsFunc(w.titles, func(word string) bool { return wordAt(c.title(), word) >= 0 }):
			return first(other)
		default:
			return first(usual)
		}
	}
	return nil
}

// hasAny reports whether the label of a code has any of some words.
func hasAny(code stat.Code, words []string) bool {
	label := labelOf(code)
	return slices.ContainsFunc(words, func(word string) bool { return wordAt(label, word) >= 0 })
}

// preferRate prefers, among measures of several areas, the rate: deaths per inhabitant
// rather than deaths, because areas of different size are compared; of several the adjusted
// one.
func preferRate(c *chooser) []int32 {
	if c.tallies[c.codes[0]].Areas < minParts {
		return nil
	}
	rates := c.filter(func(code stat.Code) bool {
		label, _, _ := strings.Cut(labelOf(code), " (")
		return strings.HasSuffix(label, " rate") && !hasAny(code, []string{"growth", "change", "exchange"})
	})
	if adjusted := slices.DeleteFunc(slices.Clone(rates), func(i int32) bool { return !strings.Contains(labelOf(c.code(i)), "adjusted") }); len(adjusted) > 0 {
		rates = adjusted
	}
	return first(rates)
}

// preferPerCapita prefers, among measures of several areas, the amount per inhabitant.
func preferPerCapita(c *chooser) []int32 {
	if c.tallies[c.codes[0]].Areas < minParts {
		return nil
	}
	return first(c.filter(func(code stat.Code) bool { return hasAny(code, []string{"per capita"}) }))
}
