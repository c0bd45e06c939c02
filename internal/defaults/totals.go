package defaults

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/stat"
	"almanac/internal/totals"
)

// headlines are labels that mean everything only among the codes of one dimension.
var headlines = []string{"persons", "overall", "national", "general", "whole", "any", "nivel general", "índice general", "ensemble des secteurs", "annual value", "whole year", "calendar year"}

// isTotalLabel reports whether a label, without the name of its classification, means
// everything.
func isTotalLabel(label string) bool {
	label = lastPart(label)
	return totals.Is(label) || slices.Contains(headlines, label)
}

// exceptWords are words of labels that mean all but something.
var exceptWords = []string{"excluding", "except", "without", "excl", "ohne", "hors", "excepto", "sin ", "utom", "eksklusive"}

// totalCodes are codes that mean everything, and _Z: what a dimension does not apply to is
// not divided by it.
var totalCodes = []string{"TOTAL", "_T", "TOTL", "T", "TOT", "ALL", "TO1", "IALT", "SSS", "INSGESAMT", "TOTALE", "SEX_T", "BOTHSEX", "ALLAGE", "ALLAREA", "-", "_Z"}

// preferTotal prefers the codes that mean everything: an exact label, a label that begins
// or ends with such a word, a code, a code that joins the others ("1+2").
func preferTotal(c *chooser) []int32 {
	hasAllItems := len(c.filter(func(code stat.Code) bool { return isAllLabel(labelOf(code)) })) > 0
	for _, claim := range []func(stat.Code) bool{
		func(code stat.Code) bool { return isTotalLabel(labelOf(code)) },
		func(code stat.Code) bool { return slices.Contains(totalCodes[:3], strings.ToUpper(code.ID)) },
		func(code stat.Code) bool {
			return !hasAllItems && (totals.Begins(labelOf(code)) || totals.Ends(labelOf(code))) && !hasAny(code, exceptWords)
		},
		isTotalCode,
		c.sums(),
		isCentral,
	} {
		if found := c.filter(claim); len(found) > 0 {
			return c.largest(found)
		}
	}
	return nil
}

// lastPart returns what follows the last colon of a label: the ILO writes "Area type:
// National".
func lastPart(label string) string {
	return strings.TrimSpace(label[strings.LastIndex(label, ":")+1:])
}

// largest returns the code with the largest values: of "total forest" and "total land
// area", the second is the total. Values in several units cannot be compared.
func (c *chooser) largest(codes []int32) []int32 {
	if c.hasSeveralUnits() {
		return first(codes)
	}
	return []int32{slices.MaxFunc(codes, func(a, b int32) int {
		return compareFloats(math.Abs(c.tallies[a].Typical), math.Abs(c.tallies[b].Typical))
	})}
}

func isTotalCode(code stat.Code) bool {
	id := strings.ToUpper(code.ID)
	return slices.Contains(totalCodes, id) || strings.HasSuffix(id, "_BTSX") || strings.HasSuffix(id, "_TOTAL") || strings.HasSuffix(id, "_TOTL") || strings.HasSuffix(id, "_YEARSALL") || strings.HasPrefix(id, "TOTAL_") || isTotalOf(id)
}

// isTotalOf reports whether a code is a total of Eurostat with the name of its
// classification: TOT_HF is all financing schemes. TOT_X_NRG is all but energy.
func isTotalOf(id string) bool {
	rest, ok := strings.CutPrefix(id, "TOT_")
	return ok && !strings.HasPrefix(rest, "X_") && len(rest) < 4
}

// sums returns a claim whether a code joins codes of the dimension: "1+2", "M+K", and
// HAZ_NHAZ if there are no others.
func (c *chooser) sums() func(stat.Code) bool {
	positions := c.dimension.Positions()
	return func(code stat.Code) bool {
		parts := strings.Split(code.ID, "+")
		if len(parts) == 1 {
			if parts = strings.Split(code.ID, "_"); len(parts) != len(c.dimension.Codes)-1 {
				return false
			}
		}
		for _, part := range parts {
			if _, ok := positions[part]; !ok {
				return false
			}
		}
		return len(parts) > 1
	}
}

// isCentral reports whether a code is the central one of several projections.
func isCentral(code stat.Code) bool {
	label := labelOf(code)
	for _, word := range []string{"(median)", "medium variant", "medium scenario", "baseline", "central projection", "main scenario", "main alternative"} {
		if strings.Contains(label, word) {
			return true
		}
	}
	return label == "medium" || label == "median" || code.ID == "BSL"
}

// preferTotalPart prefers, among measures, those with the most parts that mean everything:
// "Earnings; Persons; Total earnings". A measure such as "Total return index" is not one.
func preferTotalPart(c *chooser) []int32 {
	most := 0
	var best []int32
	for _, i := range c.codes {
		n := c.totalParts(labelOf(c.code(i)))
		if n > most {
			most, best = n, nil
		}
		if n == most && n > 0 {
			best = append(best, i)
		}
	}
	return first(best)
}

func (c *chooser) totalParts(label string) int {
	parts := strings.FieldsFunc(strings.ReplaceAll(label, "!!", ";"), func(r rune) bool { return r == ';' || r == ':' || r == ',' })
	n := 0
	for _, part := range parts {
		part = strings.TrimSpace(part)
		switch {
		case totals.Is(part), slices.Contains(headlines, part), isAllLabel(part) && part != "world":
			n++
		case len(parts) > 1 && (totals.Begins(part) || c.isHome(part)):
			n++
		}
	}
	return n
}

// isHome reports whether a text names the only area of the dataset.
func (c *chooser) isHome(text string) bool {
	codes := c.dataset.Geography.Codes
	return len(codes) == 1 && text == strings.ToLower(codes[0].Label)
}

// first returns the first code, if any, as a list.
func first(codes []int32) []int32 {
	if len(codes) == 0 {
		return nil
	}
	return codes[:1]
}

// allLabels are labels of what an economy or a classification is as a whole.
var allLabels = []string{
	"all items", "all products", "all commodities", "all industries", "all sectors", "all causes", "all groups", "all activities", "total economy", "whole economy",
	"world", "mondo", "monde", "mundo", "welt", "all groups cpi", "all-items", "cpi", "consumer price index", "gross domestic product", "gross domestic product (gdp)", "gdp", "gross domestic product at market prices",
	"bruttoinlandsprodukt", "produit intérieur brut", "producto interior bruto", "prodotto interno lordo", "bruttonasjonalprodukt", "bruttonationalprodukt", "gdp (expenditure approach)",
}

// allPrices matches the labels of indices of all prices: "00: All items CPI", "CPI (overall index)".
var allPrices = regexp.MustCompile(`^(00[ :.-]+)?((cpi|cpih|hicp|rpi|ppi)( index)?[ :,-]*(00[ :]*)?)?\(?(all[ -]items|overall index)( index)?\)?( (cpi|cpih|hicp|rpi|index))?( \d{4} ?= ?100)?$`)

// isAllLabel reports whether a label in lower case is that of an economy or a classification as a whole.
func isAllLabel(label string) bool {
	return slices.Contains(allLabels, label) || allPrices.MatchString(label)
}

var allCodes = []string{"CP00", "B1GQ", "B1_GE", "GDP", "S1", "WORLD", "WLD", "W00", "W0", "W1", "NACE_TOTAL", "B-S", "A-U", "A-T", "A-R_V-Y", "SA0", "CP_TOTAL"}

// preferAllItems prefers all items, all causes, the total economy, gross domestic product,
// the world as a partner. A code such as TOT_X_NRG is all but something, and is the second
// choice.
func preferAllItems(c *chooser) []int32 {
	for _, claim := range []func(stat.Code) bool{
		func(code stat.Code) bool { return isAllLabel(labelOf(code)) },
		func(code stat.Code) bool { return slices.Contains(allCodes, strings.ToUpper(code.ID)) },
		func(code stat.Code) bool {
			return strings.HasPrefix(strings.ToUpper(code.ID), "TOT_X_") || strings.HasPrefix(code.ID, "TOTX")
		},
	} {
		if found := c.common(c.filter(claim)); len(found) > 0 {
			return first(found)
		}
	}
	return nil
}

// preferRoot prefers the code of a classification that contains all others: 01 of 01.1 and
// 01.1.1.
func preferRoot(c *chooser) []int32 {
	if len(c.codes) < 3 {
		return nil
	}
	return c.common(c.filter(func(root stat.Code) bool {
		return !slices.ContainsFunc(c.codes, func(i int32) bool { return !strings.HasPrefix(c.code(i).ID, root.ID) })
	}))
}

// common returns the codes that have at least half as many series as another one: in a
// dataset of public debt, the total economy has little more than its GDP.
func (c *chooser) common(codes []int32) []int32 {
	return slices.DeleteFunc(codes, func(i int32) bool { return 2*c.tallies[i].Series < c.mostSeries() })
}

// qualityWords are words of labels that are about the quality of a number, or that stand
// for an unknown answer.
var qualityWords = []string{
	"standard error", "margin of error", "confidence", "lower bound", "upper bound", "90% ci", "95% ci", "coefficient of variation", "standard deviation",
	"sample size", "number of observations", "megfigyelések száma", "teljes sokaság", "taille de l'échantillon", "stichprobenumfang", "fallzahl", "tamaño de la muestra", "not stated", "not known", "unknown", "no response", "non response", "not specified", "unspecified", " moe",
}

// isAboutQuality reports whether a code is an error bound, a weight, or an unknown answer.
func isAboutQuality(code stat.Code) bool {
	label := labelOf(code)
	switch strings.ToUpper(code.ID) {
	case "LOWER", "UPPER", "SE", "MOE", "UNK", "NRP", "POND", "WEIGHT":
		return true
	}
	return slices.ContainsFunc(qualityWords, func(word string) bool { return strings.Contains(label, word) }) ||
		slices.Contains([]string{"weights", "weight", "lower", "upper", "rank"}, label)
}
