package esri

import (
	"regexp"
	"slices"
	"strings"

	"almanac/internal/stat"
)

const (
	maxHeadings = 30 // lines in which the first row with a year must be
	usualLast   = 6  // the last line of headings in the usual layout: three in Japanese, two in English
)

// lines are the numbers of the English lines of headings, from 0. They are equal if there
// is only one.
type lines struct{ upper, last int }

// yearCell matches the first cell of a row with a year: "1994/ 1- 3."
var yearCell = regexp.MustCompile(`^[0-9]{4}/ *[0-9]{1,2}- *[0-9]{1,2}\.$`)

// numberCell matches a cell that is a value, which no heading is.
var numberCell = regexp.MustCompile(`^ *-?[0-9][0-9,.]* *$`)

// findLines finds the lines of headings: those between the title and the first row with a
// year. The English ones are the last, below those with other letters.
func findLines(rows [][]string) (lines, error) {
	first := slices.IndexFunc(rows, func(row []string) bool { return len(row) > 0 && yearCell.MatchString(strings.TrimSpace(row[0])) })
	if first <= titleLine+1 {
		return lines{}, stat.BadFile(stat.Position{Line: 1}, "the first row with a year, like 1994/ 1- 3., must be below two lines of titles and the headings")
	}
	for i := titleLine + 1; i < first; i++ {
		if strings.TrimSpace(rows[i][0]) != "" {
			return lines{}, stat.BadFile(stat.Position{Line: i + 1}, "the line is above the first row with a year but begins with %q; lines of headings have an empty first cell", rows[i][0])
		}
		if slices.ContainsFunc(rows[i], numberCell.MatchString) {
			return lines{}, stat.BadFile(stat.Position{Line: i + 1}, "the line is above the first row with a year but has numbers; headings are names")
		}
	}
	if first-1 == usualLast {
		return lines{upper: usualLast - 1, last: usualLast}, nil
	}
	upper := first
	for upper > titleLine+1 && isASCII(rows[upper-1]) {
		upper--
	}
	for upper < first && isBlank(rows[upper]) {
		upper++
	}
	if n := first - upper; n < 1 || n > 2 {
		return lines{}, stat.BadFile(stat.Position{Line: first}, "there are %d lines of English headings above the first row with a year; there must be one or two", n)
	}
	return lines{upper: upper, last: first - 1}, nil
}

func isBlank(row []string) bool {
	return !slices.ContainsFunc(row, func(cell string) bool { return strings.TrimSpace(cell) != "" })
}

func isASCII(row []string) bool {
	return !strings.ContainsFunc(strings.Join(row, ""), func(r rune) bool { return r > 0x7f })
}
