package plain

import (
	"slices"
	"strings"
)

// wrappedEnd returns the last of the rows over which headings are wrapped, of which the row at is
// one: rows of texts, each with the columns of the row above it and more.
func wrappedEnd(rows [][]string, at int) int {
	for at+1 < len(rows) && isWrapped(rows[at], rows[at+1]) && filledCells(rows[at+1]) > filledCells(rows[at]) {
		at++
	}
	return at
}

// isWrapped reports whether each text stands above another one: "Unemploy-" above "ment rate".
func isWrapped(above, row []string) bool {
	if filledCells(above) == 0 || hasNumber(above) || hasNumber(row) {
		return false
	}
	for i, cell := range above {
		if cell != "" && (i >= len(row) || row[i] == "" || isPeriod(cell)) {
			return false
		}
	}
	return true
}

// unwrap returns headings with the texts of the rows above that are wrapped onto them, if that
// tells repeated ones apart: State FIPS and County FIPS, not the men and the women of two years.
func unwrap(above [][]string, headings []string) []string {
	whole := slices.Clone(headings)
	for i := len(above) - 1; i >= 0 && isWrapped(above[i], headings) && filledCells(above[i]) > 1; i-- {
		headings = above[i]
		for at, cell := range headings {
			switch first, isCut := strings.CutSuffix(cell, "-"); {
			case isCut:
				whole[at] = first + whole[at]
			case cell != "":
				whole[at] = cell + " " + whole[at]
			}
		}
	}
	return whole
}

// hasRepeated reports whether two columns have the same heading.
func hasRepeated(headings []string) bool {
	for i, h := range headings {
		if h != "" && slices.Contains(headings[:i], h) {
			return true
		}
	}
	return false
}
