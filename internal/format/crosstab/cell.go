package crosstab

import (
	"slices"
	"strings"
	"unicode/utf8"

	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/lazyregexp"
	"almanac/internal/stat"
)

// bounded matches a number with its bounds: "48.0 [46.7-49.6]". They are read in plain tables
// only, but it is no heading.
var bounded = lazyregexp.New(`^[0-9][0-9.,]* ?\[[0-9][0-9.,]* ?[-–,;] ?[0-9][0-9.,]*\]$`)

// hasNumber reports whether a cell holds a number, with or without a remark or bounds behind
// it.
func hasNumber(cell string) bool {
	bare, _ := splitRemark(cell)
	return text.IsNumber(bare) || bounded.MatchString(cell)
}

// isValue reports whether a cell is one of a body: a number, or a mark in its place.
func isValue(cell string) bool { return hasNumber(cell) || isMark(cell) }

// marks are what tables have in place of a number, beside those of [text.IsMissing].
var marks = []string{"-", "–", "—", "--", "---", "*", "**", "***", "x", "/", ",", "n.s.", "c", "nd", "n.e."}

// isMark reports whether a cell that is not empty holds a mark in place of a number.
func isMark(cell string) bool {
	return cell != "" && (text.IsMissing(cell) || slices.Contains(marks, strings.ToLower(cell)))
}

// letters matches the letters and signs of footnotes: "a", "b,c", "1)", "*".
var letters = lazyregexp.New(`^(\p{L}|\p{L}\)|[0-9]\)|[*†‡]+)(\s*,\s*(\p{L}|[0-9]\)))*$`)

// isPeriod reports whether a cell of a boxhead or a stub may be a period. Of whole numbers
// only years of our time are.
func isPeriod(cell string) bool {
	period, _ := withoutRemark(cell)
	return isBarePeriod(period)
}

func isBarePeriod(cell string) bool {
	switch {
	case cell == "" || len(cell) > 40 || !strings.ContainsAny(cell, "0123456789"):
		return false
	case text.IsDigits(cell):
		return isYear(cell)
	case text.IsDigits(strings.TrimLeft(strings.Replace(cell, ".", "", 1), "-")): // a decimal number, or a date with one point
		return false
	case text.IsNumber(cell) && !dotted.MatchString(cell), monthDay.MatchString(cell):
		return false
	}
	if _, ok := table.ReadSpan(plainSpan(cell)); ok {
		return true
	}
	return text.IsPeriod(cell)
}

// remarked matches a text with a remark behind it: "2023p", "12.5 (r)", "2022 1)", "2022 1/", "7.1*".
var remarked = lazyregexp.New(`^(.*[0-9\pL.])(?: ?\((\pL(?:,\pL)*|[0-9]{1,2}|\*{1,3})\)| ?([bdefprsuBDEFPRSU]|\*{1,3}|[†‡⁰¹²³⁴-⁹])| ?([a-z])\)| ([0-9]{1,2})[/)])$`)

// splitRemark splits a number or a period and the remark behind it, which is a letter, the
// number of a footnote or a sign.
func splitRemark(cell string) (bare, remark string) {
	if cell == "" || cell[len(cell)-1] < utf8.RuneSelf && !strings.ContainsRune(")/*bdefprsuBDEFPRSU", rune(cell[len(cell)-1])) {
		return cell, "" // most cells; the expression below costs more
	}
	m := remarked.FindStringSubmatch(cell)
	if m == nil {
		return cell, ""
	}
	isCapital := len(m[2]) == 1 && m[2] >= "A" && m[2] <= "Z" // 12 (D) is not clear
	if text.IsNumber(m[1]) && !isCapital || isBarePeriod(m[1]) {
		return m[1], strings.Join(m[2:], "")
	}
	return cell, ""
}

// withoutRemark is splitRemark for periods. What may be a word for the year, as the last letter of "2021 r", is
// no remark.
func withoutRemark(cell string) (period, remark string) {
	if period, remark = splitRemark(cell); remark == "" || !isBarePeriod(period) || isBarePeriod(cell) && text.IsYearWord(remark) {
		return cell, ""
	}
	return period, remark
}

// periodText returns a period as [text.PeriodFinder] reads it.
func periodText(cell string) string {
	period, _ := withoutRemark(cell)
	return plainSpan(period)
}

// dotted matches a date such as 31.12.2024, which has the form of a number too.
var dotted = lazyregexp.New(`^[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{4}$`)

// readPeriod parses a period that leaves nothing open.
func readPeriod(cell string) (stat.Period, bool) {
	p, err := text.ReadPeriod(cell)
	return p, err == nil && !p.IsZero()
}

// plainSpan writes a span of years as [table.ReadSpan] reads it: 2015-2020.
func plainSpan(cell string) string {
	if !span.MatchString(cell) {
		return cell
	}
	return cell[:4] + "-" + cell[len(cell)-4:]
}

var span = lazyregexp.New(`^[0-9]{4} ?[-–—/] ?[0-9]{4}$`)

// isYear reports whether a text is a year that statistics may be about, which Hungarian
// writes with a point.
func isYear(cell string) bool {
	if cell = strings.TrimSuffix(cell, "."); strings.HasSuffix(cell, "年") {
		_, err := text.ReadYear(cell)
		return err == nil
	}
	return text.IsYear(cell)
}

// monthDay matches a day without its year: "június 30."
var monthDay = lazyregexp.New(`^\pL+ [0-9]{1,2}\.$`)

// isTextual reports whether a cell holds words: neither a number nor a mark nor a period.
func isTextual(cell string) bool {
	return cell != "" && !text.IsNumber(cell) && !isMark(cell) && !isPeriod(cell)
}

// at returns a cell of a row that may be short.
func at(row []string, column int) string {
	if column < 0 || column >= len(row) {
		return ""
	}
	return row[column]
}

// clean returns a heading in one line.
func clean(cell string) string { return strings.Join(strings.Fields(cell), " ") }

// joinCells returns the cells of a row that are not empty, as one text.
func joinCells(row []string) string {
	var filled []string
	for _, cell := range row {
		if cell != "" {
			filled = append(filled, clean(cell))
		}
	}
	return strings.Join(filled, " ")
}
