package crosstab

import (
	"regexp"
	"slices"
	"strings"

	"almanac/internal/format/assemble"
)

// Rows among those of the months or quarters may be about the whole year:
//
//	Year,Month,Food
//	2023,January,1.5
//	,February,1.6
//	,Annual average,1.55
//
// A dimension distinguishes them, as in a table with years in one direction and months in the other.

// yearBehind matches the name of a row about the whole year, and the year behind it: "Average 2023".
var yearBehind = regexp.MustCompile(`^(.*\pL.*?) \(?([12][0-9]{3})\)?$`)

// cutYear cuts the year behind a name; empty if there is none.
func cutYear(text string) (name, year string) {
	if m := yearBehind.FindStringSubmatch(text); m != nil {
		return m[1], m[2]
	}
	return text, ""
}

// isWholeYear reports whether a text among the parts of years is a word for the whole year.
func isWholeYear(name string) bool {
	name, _ = cutYear(name)
	return assemble.Means("whole year", strings.TrimRight(assemble.Fold(name), " :"))
}

// wholeCode returns the code of a row about the whole year, or of a part of it, and the label.
func (b *body) wholeCode(name string) (code, label string) {
	if p, ok := b.partIn(anyYear, name); ok {
		return codeOf(p.Frequency())
	}
	code, _ = cutYear(name)
	return code, ""
}

// areWhole reports whether there are rows about the whole year. One that does not state its year, below the parts of
// the last of several years, may be about all years. Years with numbers of their own need no other row.
func (b *body) areWhole() bool {
	var c calendar
	years, whole := 0, 0 // up to here; of the last row that may be about all years
	isCertain := false
	for _, row := range b.rows[b.firstYear:] {
		before := c.year
		b.readYear(row, &c)
		if c.year != before {
			years++
			isCertain = isCertain || whole > 0
		}
		cell := at(row, b.times[0])
		switch isFilled := slices.ContainsFunc(row[min(len(row), b.times[0]+1):], hasNumber); {
		case !isFilled:
		case b.year == b.times[0] && isYear(cell):
			return false
		case isWholeYear(cell):
			_, year := cutYear(cell)
			whole = years
			isCertain = isCertain || year != "" || isYear(at(row, b.year))
		}
	}
	return !b.hasDays && whole > 0 && (isCertain || years == 1)
}

// hasNamedYears reports whether rows about the whole year have names that are no periods behind a year, as "2023 Year" is.
func (b *body) hasNamedYears() bool {
	isName := func(cell string) bool { return isWholeYear(cell) && !isPeriod(anyYear.String()+" "+cell) }
	return b.hasWhole && slices.ContainsFunc(b.cellsOf(b.times[0]), isName)
}
