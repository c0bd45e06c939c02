package csvlines

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Lines above a table may contain separators without quotes around them:
//
//	Employment by region, sex and age, 2023
//	Region,Men,Women
//
// There a space follows each separator, unlike those of the table.

const (
	maxTitles = 10  // lines above a table
	maxRows   = 100 // that decide whether spaces follow all separators
)

// joinTitles makes one cell of each such line among the first ones that stands above the headings of the table.
func (b *block) joinTitles(separator byte) {
	if b.areMostSpaced(separator) {
		return
	}
	for n := range min(len(b.rows)-1, maxTitles) {
		row := &b.rows[n]
		switch {
		case row.cells == 1:
		case !b.isSpaced(n, separator) || !b.isAboveHeading(n, separator):
			return
		default:
			first := row.end - row.cells
			line, _, _ := strings.Cut(b.text[row.start:], "\n")
			b.cells[first] = strings.TrimSpace(line)
			row.cells, row.end = 1, first+1
		}
	}
}

// areMostSpaced reports whether half of the rows have spaces behind their separators.
func (b *block) areMostSpaced(separator byte) bool {
	spaced, others := 0, 0
	for n, row := range b.rows[:min(len(b.rows), maxRows)] {
		switch {
		case row.cells == 1:
		case b.isSpaced(n, separator):
			spaced++
		default:
			others++
		}
	}
	return spaced >= others
}

// isSpaced reports whether a line begins with a letter and has a space and a text behind each separator.
func (b *block) isSpaced(n int, separator byte) bool {
	row := b.rows[n]
	if r, _ := utf8.DecodeRuneInString(b.text[row.start:]); !unicode.IsLetter(r) {
		return false
	}
	line, _, _ := strings.Cut(b.text[row.start:], "\n")
	parts := strings.Split(strings.TrimSpace(line), string(separator))
	for _, part := range parts[1:] {
		if len(part) < 2 || part[0] != ' ' || part[1] == ' ' {
			return false
		}
	}
	return !strings.Contains(line, `"`)
}

// isAboveHeading reports whether the next row of the table has no numbers but years. One as wide as the line consists
// of years that follow one another, because the line may hold the headings of a table of texts.
func (b *block) isAboveHeading(n int, separator byte) bool {
	next := n + 1
	for next < len(b.rows) && (b.rows[next].cells == 1 || b.isSpaced(next, separator)) {
		next++
	}
	if next == len(b.rows) {
		return false
	}
	cells := b.cellsOf(next)
	if len(cells) == int(b.rows[n].cells) {
		return areYears(cells[1:])
	}
	for _, cell := range cells {
		if number, err := strconv.ParseFloat(cell, 64); err == nil && (len(cell) != 4 || number < 1800 || number > 2200) {
			return false
		}
	}
	return true
}

// areYears reports whether cells are two or more years, each one after or before the one on its left.
func areYears(cells []string) bool {
	for i, cell := range cells {
		year, err := strconv.Atoi(cell)
		if err != nil || len(cell) != 4 {
			return false
		}
		if i == 0 {
			continue
		}
		before, _ := strconv.Atoi(cells[i-1])
		if year != before+1 && year != before-1 {
			return false
		}
	}
	return len(cells) > 1
}
