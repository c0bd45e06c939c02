package crosstab

import (
	"fmt"
	"slices"
	"strconv"
)

// markEarlyYears marks the years of a heading row as such if the first of them are earlier than
// those of other tables: 1, 1000, 1500, 1820, 1870, 1913. No row above has headings, and none
// of its own is a name, as a row of data has one. It reports whether it did.
func (s *sample) markEarlyYears(row []string) bool {
	isHeading := func(r []string) bool { return countHeadings(r) > 1 }
	if len(s.rows) > maxBoxhead || slices.ContainsFunc(s.rows, isHeading) {
		return false
	}
	last, early, years := 0, 0, 0
	for column, cell := range row {
		n, err := strconv.Atoi(cell)
		switch {
		case cell == "" || last == 0 && (isTimeName(cell) || isAreaWord(cell)):
			continue
		case err != nil || column == 0 || n <= last || n > 2150:
			return false
		case n < 1700:
			early++
		default:
			years++
		}
		last = n
	}
	if early == 0 || years < 3 {
		return false
	}
	for column, cell := range row {
		if n, err := strconv.Atoi(cell); err == nil {
			row[column] = fmt.Sprintf("Y%04d", n)
		}
	}
	return true
}
