package crosstab

import (
	"slices"
	"strings"
)

// repeatsHeading reports whether a row below the boxhead is a heading row of periods
// again, and whether it is the same one.
func (l *Layout) repeatsHeading(row []string) (isAgain, isSame bool) {
	if len(l.times) > 0 || len(l.values) < 2 {
		return false, false
	}
	for _, column := range l.stub {
		if cell := at(row, column); cell != "" && !strings.EqualFold(clean(cell), l.stubName(column)) {
			return false, false
		}
	}
	filled, periods := 0, 0
	isSame = true
	for _, v := range l.values {
		cell := at(row, v.column)
		switch {
		case cell == "":
			continue
		case isPeriod(cell):
			periods++
		case isValue(cell):
			return false, false
		}
		filled++
		isSame = isSame && cell == v.text
	}
	return filled > 1 && periods > 0, isSame
}

// isNewGroup reports whether a row below the boxhead has texts in columns of values that
// the boxhead does not have in one row.
func (l *Layout) isNewGroup(row []string) bool {
	if len(l.times) > 0 || !slices.ContainsFunc(l.values, func(v value) bool { return isTextual(at(row, v.column)) }) {
		return false
	}
	return !slices.ContainsFunc(l.rows[:l.below], func(r []string) bool { return slices.Equal(r, row) })
}
