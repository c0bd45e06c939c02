package defaults

import (
	"regexp"
	"slices"
	"strconv"

	"almanac/internal/stat"
)

// baseYear matches the base of an index, and its year: "2015=100", "2011-12 = 100", "2015年=100",
// "base 100 en 2015", "Basisjahr 2015".
var baseYear = regexp.MustCompile(`(?i)\b((?:19|20)\d\d)(?:\D{0,3}\d{0,4})\s*=\s*100(?:\D|$)|\b(?:base|basis\pL*|ano[- ]base|año[- ]base)\s+(?:year\s+|100\s+(?:en|em|in|im)\s+)?((?:19|20)\d\d)\b`)

// baseYearOf returns the year of the base that a code or its label states, or 0.
func baseYearOf(code stat.Code) int {
	for _, text := range []string{code.ID, labelOf(code)} {
		if m := baseYear.FindStringSubmatch(text); m != nil {
			year, _ := strconv.Atoi(m[1] + m[2])
			return year
		}
	}
	return 0
}

// areBases reports whether the codes of a dimension are the same index with several bases.
func areBases(d *stat.Dimension) bool {
	return len(d.Codes) > 1 && !slices.ContainsFunc(d.Codes, func(code stat.Code) bool { return baseYearOf(code) == 0 })
}
