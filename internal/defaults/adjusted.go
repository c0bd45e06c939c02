package defaults

import (
	"slices"
	"strings"

	"almanac/internal/stat"
)

// preferAdjusted prefers seasonally adjusted data where unadjusted ones exist too and the
// data are of parts of years. A trend is smoother than what an office publishes as its
// result, and is not preferred.
func preferAdjusted(c *chooser) []int32 {
	if !c.dataset.SubAnnual {
		return c.filterAdjusted("NSA")
	}
	if both := c.filterAdjusted("SCA", "SWDA"); both != nil {
		return both
	}
	adjusted := c.filter(isAdjusted)
	if len(adjusted) == 0 && strings.Contains(strings.ToLower(c.dimension.ID), "adjust") { // the OECD's codes
		adjusted = c.filter(func(code stat.Code) bool { return code.ID == "Y" || code.ID == "S" })
	}
	if len(adjusted) == 0 || len(c.filter(isUnadjusted)) == 0 && len(adjusted) == len(c.codes) {
		return nil
	}
	return first(adjusted)
}

// filterAdjusted returns the candidate with the first of some IDs of Eurostat's list of
// adjustments, if the dimension has codes of that list.
func (c *chooser) filterAdjusted(ids ...string) []int32 {
	for _, id := range ids {
		if code, ok := c.withID(id); ok && len(c.filter(func(code stat.Code) bool { return slices.Contains(eurostatAdjustments, code.ID) })) == len(c.codes) {
			return []int32{code}
		}
	}
	return nil
}

var eurostatAdjustments = []string{"NSA", "SA", "CA", "SCA", "SWDA", "WDA", "TC"}

var (
	adjustedCodes   = []string{"SA", "SCA", "CVS", "CVS-CJO", "SWDA", "SESONGJUSTERT", "SA_CA"}
	unadjustedCodes = []string{"NSA", "NA", "BRUT", "N", "UA", "NO"}
	adjustedWords   = []string{
		"seasonally adjusted", "seasonally and calendar adjusted", "saisonbereinigt", "désaisonnalis", "cvs", "säsongrens", "säsongsrens", "sesongjuster",
		"sæsonkorriger", "kausitasoitet", "desestacionaliz", "dessazonaliz", "destagionalizz", "季節調整", "계절조정",
	}
	notAdjustedWords = []string{"not ", "non", "neither", "ohne ", "nicht ", "icke ", "ikke ", "trend", "smoothed", "moving average", "原"}
)

func isAdjusted(code stat.Code) bool {
	if slices.Contains(adjustedCodes, strings.ToUpper(code.ID)) {
		return true
	}
	label := labelOf(code)
	for _, word := range adjustedWords {
		before, after, found := strings.Cut(label, word)
		if found && !slices.ContainsFunc(notAdjustedWords, func(not string) bool { return containsWord(before+after, not) }) {
			return true
		}
	}
	return false
}

func isUnadjusted(code stat.Code) bool {
	return slices.Contains(unadjustedCodes, strings.ToUpper(code.ID)) || !isAdjusted(code)
}

// containsWord reports whether text contains a word, or the beginning of one, after the
// beginning of the text or something that is no letter.
func containsWord(text, word string) bool { return wordAt(text, word) >= 0 }
