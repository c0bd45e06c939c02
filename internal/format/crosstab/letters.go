package crosstab

import (
	"regexp"
	"slices"
	"strings"

	"almanac/internal/format/text"
)

// A letter behind a number may be that of a footnote, which a line below the table explains:
//
//	Country,2018,2019
//	Germany,12,11 a
//	a Break in series.
//
// Letters that are usual for flags are remarks in any case ([splitRemark]). Others are in brackets from here on,
// because without a line that explains it, the letter may say anything of the number: 1.5 m, 5 g.

// notedLetters are the letters that lines of a table explain, and its columns whose numbers have them.
type notedLetters struct {
	letters []string
	columns []int
}

// lettered matches a number with letters behind it: "12 a", "46 463 a b".
var lettered = regexp.MustCompile(`^([-+]?[0-9][0-9.,'  ]*?) ?(\pL(?:(?:, ?| )\pL)*)$`)

// splitLetters splits a number and the letters behind it, unless there is one that is usual for a flag.
func splitLetters(cell string) (number string, letters []string) {
	if cell == "" || cell[len(cell)-1] <= '9' {
		return "", nil // most cells
	}
	m := lettered.FindStringSubmatch(cell)
	if m == nil || !text.IsNumber(m[1]) || strings.Contains("bdefprsuBDEFPRSU", m[2]) {
		return "", nil
	}
	return m[1], strings.FieldsFunc(m[2], func(r rune) bool { return r == ',' || r == ' ' })
}

// findLetters finds such letters in the first rows. The columns have more numbers without a letter.
func findLetters(rows [][]string) (found notedLetters) {
	var lines []string
	numbers := map[int]int{}
	for _, row := range rows {
		if column, isAlone := onlyCell(row); isAlone {
			lines = append(lines, clean(row[column]))
		}
		for column, cell := range row {
			switch number, _ := splitLetters(cell); {
			case column == 0:
			case text.IsNumber(cell):
				numbers[column]++
			case number != "":
				numbers[column]--
				found.columns = append(found.columns, column)
			}
		}
	}
	if len(found.columns) == 0 {
		return found
	}
	found.columns = slices.DeleteFunc(found.columns, func(column int) bool { return numbers[column] < 0 })
	for letter := range Footnotes(lines) {
		found.letters = append(found.letters, letter)
	}
	return found
}

// bracket puts such letters of a row in brackets.
func (n notedLetters) bracket(row []string) {
	for _, column := range n.columns {
		number, letters := splitLetters(at(row, column))
		isNoted := func(letter string) bool { return slices.Contains(n.letters, letter) }
		if number != "" && allCells(letters, isNoted) {
			row[column] = number + " (" + strings.Join(letters, ",") + ")"
		}
	}
}
