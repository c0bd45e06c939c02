package crosstab

import (
	"maps"
	"slices"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/lazyregexp"
	"almanac/internal/stat"
)

// Rows among those of the months or quarters may be about the whole year:
//
//	Year,Month,Food
//	2023,January,1.5
//	,February,1.6
//	,Annual average,1.55
//
// They are annual values, or a dimension distinguishes them, as in a table with years in one direction and months in
// the other.

// yearBehind matches the name of a row about the whole year, and the year behind it: "Average 2023".
var yearBehind = lazyregexp.New(`^(.*\pL.*?) \(?([12][0-9]{3})\)?$`)

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
	return assemble.Means("whole year", wholeYearWord(name))
}

func wholeYearWord(name string) string { return strings.TrimRight(assemble.Fold(name), " :") }

// wholeCode returns the code of a row about the whole year, or of a part of it, and the label.
func (b *body) wholeCode(name string) (code, label string) {
	if p, ok := b.partIn(anyYear, name); ok {
		return codeOf(p.Frequency())
	}
	code, _ = cutYear(name)
	return code, ""
}

// areAnnual reports whether what is none of the parts of a year among some names is the annual value of what these are
// values of: they are all parts of a year, and it has one word for the year. Beside some of them only, it may be theirs.
func (y *years) areAnnual(names []string) bool {
	parts, words := map[stat.Period]bool{}, map[string]bool{}
	for _, name := range names {
		if p, ok := y.partIn(anyYear, name); ok {
			parts[p] = true
		} else if words[name] = true; !isWholeYear(name) {
			return false
		}
	}
	frequencies := map[stat.Frequency]int{}
	for p := range parts {
		frequencies[p.Frequency()]++
	}
	for f, n := range frequencies {
		if n != map[stat.Frequency]int{stat.Month: 12, stat.Quarter: 4, stat.HalfYear: 2}[f] {
			return false
		}
	}
	return len(parts) > 0 && len(words) == 1
}

// haveAllParts reports whether, in the first rows, each year with numbers for the whole year and for parts has some for
// all parts. nameOf returns the name of what a number in a row is about: a part of the year, or the whole year.
func (b *body) haveAllParts(nameOf func(row []string, j int) string) bool {
	ofYear := map[string][]string{}
	var c calendar
	first := b.top
	if b.year != noYears {
		first = min(b.firstYear, b.top)
	}
	for _, row := range b.rows[first:] {
		b.readYear(row, &c)
		for j, v := range b.values {
			if !hasNumber(at(row, v.column)) {
				continue
			}
			year := periodText(v.text)
			if b.year != noYears {
				year = c.year.String()
			} else if v.time != inBoxhead {
				year = at(row, v.time)
			}
			ofYear[year] = append(ofYear[year], nameOf(row, j))
		}
	}
	for _, names := range ofYear {
		if slices.ContainsFunc(names, isWholeYear) && !allCells(names, isWholeYear) && !b.areAnnual(names) {
			return false
		}
	}
	return true
}

// findAnnualRows finds out whether the rows about the whole year are annual values.
func (r *reader) findAnnualRows() {
	if !r.hasWhole {
		return
	}
	nameOf := func(row []string, j int) string {
		name, _ := cutYear(at(row, r.values[j].time))
		return name
	}
	r.isAnnual = r.areAnnual(slices.Collect(maps.Keys(r.found.parts))) && r.haveAllParts(nameOf)
}

// noteOfWhole returns the note on an annual value among those of the parts of the year.
func (b *body) noteOfWhole(name string) string {
	if !b.isAnnual || !isWholeYear(name) {
		return ""
	}
	name, _ = cutYear(name)
	return WholeYearNote(name)
}

// WholeYearNote returns a word for the whole year as a note on its value, if it says more than that it is one: Total,
// Annual average.
func WholeYearNote(name string) string {
	if assemble.Means("year alone", wholeYearWord(name)) {
		return ""
	}
	return clean(name)
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
