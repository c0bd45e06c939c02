package plain

import (
	"slices"
	"strings"
	"unicode/utf8"

	"almanac/internal/format/assemble"
	"almanac/internal/format/office"
)

// Status and Estado are headings of flags, and of what is counted as well: of people in work and out
// of work, or of the states of Mexico. The cells decide:
//
//	Municipio;Estado;Año;Población      Country,Year,Value,Status      Country,Status,2021,2022
//	Guadalajara;Jalisco;2021;20         Spain,2021,1.5,p               Spain,Employed,10,11

// findStatuses finds what such headings do not mean.
func (g *guess) findStatuses() {
	for _, c := range g.columns {
		plain := strings.Trim(c.words, "0123456789 ")
		if assemble.Means("status", plain) && !assemble.Means("flag", plain) && c.areStatuses() {
			c.words = strings.Replace(c.words, plain, "status", 1) // Stato 2023
		}
		if c.isEmpty() || c.isNumeric() || !assemble.Means("status", c.words) && !assemble.Means("status", c.subject()) {
			continue
		}
		areAreas := !c.areStatuses() && 2*g.areasIn(c) >= c.different
		if !areAreas {
			c.unfit = append(c.unfit, "area name")
		}
		if areAreas || !c.areStatuses() && !c.areMarks() {
			c.unfit = append(c.unfit, "flag")
		}
	}
}

// hasOnlyStatuses reports whether all cells of a column, whatever its heading is, are words for statuses, at least two
// different ones, and the period and the texts beside them decide each. Otherwise they tell rows apart, as scenarios do.
func (g *guess) hasOnlyStatuses(c *column) bool {
	if c.different < 2 || slices.ContainsFunc(c.cells, func(cell string) bool { return !office.AreStatuses(cell) }) {
		return false
	}
	key := newGroups(len(g.body))
	for _, other := range g.columns {
		isKey := isText(other) && !other.isCalled("note", "attribute") || other.isCodeByHeading()
		if other != c && (isKey || slices.Contains(g.times, other)) {
			key = key.with(other)
		}
	}
	return key.with(c).n == key.n
}

// areStatuses reports whether half of the distinct cells are known words or letters for the status of
// a value.
func (c *column) areStatuses() bool {
	known := 0
	for _, cell := range c.cells {
		if isStatus(cell) {
			known++
		}
	}
	return 2*known >= c.different
}

// areMarks reports whether all cells are so short that they may be letters of an unknown list. Those of
// Estado may be states as well.
func (c *column) areMarks() bool {
	if assemble.Means("area name", c.subject()) && c.isAll(twoOrThreeLetters) {
		return false
	}
	return !slices.ContainsFunc(c.cells, func(cell string) bool { return utf8.RuneCountInString(cell) > 3 && !isStatus(cell) })
}

// isStatus reports whether a cell is a letter or mark for the status of a value, a word for it, or
// begins with such a word: Estimated value.
func isStatus(cell string) bool {
	if utf8.RuneCountInString(cell) == 1 || isMissing(cell) || withheld.MatchString(cell) {
		return true
	}
	first, _, _ := strings.Cut(cell, " ")
	return isStatusWord(cell) || utf8.RuneCountInString(first) > 1 && isStatusWord(first)
}

func isStatusWord(text string) bool {
	text = strings.Trim(text, "()[]:,")
	_, isKnown := office.Status(office.Local.ID, "", text)
	return isKnown || office.IsStatus(text) || office.NoteFlags(text) != ""
}
