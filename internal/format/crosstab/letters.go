package crosstab

import (
	"slices"
	"strings"

	"almanac/internal/format/text"
	"almanac/internal/lazyregexp"
)

// A letter behind a number may be that of a footnote, which a line below the table explains:
//
//	Country,2018,2019
//	Germany,12,11 a
//	a Break in series.
//
// Letters that are usual for flags are remarks in any case ([splitRemark]). Others are in brackets from here on,
// because without a line that explains it, the letter may say anything of the number: 1.5 m, 5 g.

//
// A letter behind a period is one of these as well, and no Roman month: 2022 v. Without a line that explains it, it is
// none if other periods are years, and no year has two months.

// notedLetters are the letters that lines of a table explain, and its columns whose numbers have them.
type notedLetters struct {
	letters  []string
	columns  []int
	areMarks bool // small letters behind years are no Roman months
}

// lettered matches a number with letters behind it: "12 a", "46 463 a b".
var lettered = lazyregexp.New(`^([-+]?[0-9][0-9.,'  ]*?) ?(\pL(?:(?:, ?| )\pL)*)$`)

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
	found.columns = slices.DeleteFunc(found.columns, func(column int) bool { return numbers[column] < 0 })
	for letter, note := range Footnotes(lines) {
		if _, isPart := partIn(anyYear, note); !isPart { // V = May
			found.letters = append(found.letters, letter)
		}
	}
	found.areMarks = areYearMarks(rows)
	return found
}

// bracket puts such letters of a row in brackets.
func (n notedLetters) bracket(row []string) {
	isNoted := func(letter string) bool { return slices.Contains(n.letters, letter) }
	for _, column := range n.columns {
		number, letters := splitLetters(at(row, column))
		if number != "" && allCells(letters, isNoted) {
			row[column] = number + " (" + strings.Join(letters, ",") + ")"
		}
	}
	for column, cell := range row {
		if period, letter := splitPeriodLetter(cell); letter != "" && (isNoted(letter) || n.areMarks && romanYear.MatchString(cell)) {
			row[column] = period + " (" + letter + ")"
		}
	}
}

// splitPeriodLetter splits a period and the letter behind it.
func splitPeriodLetter(cell string) (period, letter string) {
	if len(cell) < len("2021a") || len(cell) > maxPeriod || cell[len(cell)-1] <= '9' {
		return "", "" // most cells
	}
	if m := periodLetter.FindStringSubmatch(cell); m != nil && isBarePeriod(m[1]) {
		return m[1], m[2]
	}
	return "", ""
}

const maxPeriod = 20 // bytes of a period with a letter

var (
	periodLetter = lazyregexp.New(`^(.*[0-9]) ?(\pL)$`)
	// romanYear matches a year with a small letter that is a Roman number.
	romanYear = lazyregexp.New(`^([0-9]{4}) ?([ivx]+)$`)
)

// areYearMarks reports whether single letters behind years are marks, though they may be Roman months: each stands among
// years without one, and each year is written in one way only.
func areYearMarks(rows [][]string) bool {
	written := map[string]string{}
	inColumn := map[int]bool{} // the columns with years
	for _, row := range rows {
		for column, cell := range row {
			inColumn[column] = inColumn[column] || isYear(cell)
		}
	}
	for _, row := range rows {
		for column, cell := range row {
			if len(cell) > maxPeriod {
				continue
			}
			m := romanYear.FindStringSubmatch(cell)
			if m == nil {
				continue
			}
			isAmong := inColumn[column] || slices.ContainsFunc(row, isYear)
			if before := written[m[1]]; len(m[2]) > 1 || before != "" && before != cell || !isAmong {
				return false
			}
			written[m[1]] = cell
		}
	}
	isBare := func(cell string) bool { return written[cell] != "" }
	return len(written) > 0 && !slices.ContainsFunc(rows, func(row []string) bool { return slices.ContainsFunc(row, isBare) })
}
