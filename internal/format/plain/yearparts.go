package plain

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"almanac/internal/format/assemble"
	"almanac/internal/format/crosstab"
	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// findParts finds headings that are parts of the year in the row: Year, Jan, Feb, and so on
// to Annual.
func (g *guess) findParts() {
	isYearStated := len(g.times) == 0 && g.year != "" && arePartsInOrder(partsIn(g.headings))
	hasYears := len(g.times) == 1 && g.times[0].years+g.times[0].early == g.times[0].filled
	if g.isWide || !isYearStated && !hasYears {
		return
	}
	var columns, seasons []*column
	hasOthers, parts := false, partsIn(g.headings)
	for _, c := range g.free() {
		switch heading := g.headings[c.at]; {
		case !c.isMostlyNumbers() && !c.isMarks():
		case slices.Contains(parts, heading) || c.isCalled("whole year"):
			columns = append(columns, c)
		case isSeason(heading):
			seasons = append(seasons, c)
		case !c.isCodeByHeading() && c.coded == "":
			hasOthers = true
		}
	}
	if len(parts) < 2 || len(columns) < len(parts) {
		return
	}
	_, isWhole, err := readParts(parts)
	if isYearStated && (err != nil || hasOthers) {
		return
	} else if err != nil || hasOthers {
		g.doubt("the headings %s may be parts of the periods in the column %q; write each period in a row of its own", clipped(parts), g.times[0].name)
		g.isVain = true
		return
	}
	if !isWhole {
		columns = g.leaveTotals(columns, parts)
	}
	g.isWide = true
	if isYearStated {
		g.hasPeriods = true
		g.items = append(g.items, item{key: "period", columns: []string{"*"}})
	}
	for i := range g.items {
		if it := &g.items[i]; it.key == "period" && hasYears {
			it.columns, it.between = append(it.columns, "*"), '+'
		}
	}
	for _, c := range columns {
		g.takeDated(c)
	}
	for _, c := range seasons {
		g.checkTexts(c)
		g.takeValue(c)
	}
}

// leaveTotals proposes to leave out the columns that are called the whole year beside some of its parts, because they may
// be totals of these only. It returns the other columns.
func (g *guess) leaveTotals(columns []*column, parts []string) []*column {
	return slices.DeleteFunc(columns, func(c *column) bool {
		isTotal := !slices.Contains(parts, g.headings[c.at])
		if isTotal {
			g.doubt("the column %q may be about the year or only about %s", c.name, clipped(parts))
			g.take("ignore", c)
		}
		return isTotal
	})
}

// arePartsInOrder reports whether each part of a year is after the one before it, so that they
// may be of one calendar year.
func arePartsInOrder(parts []string) bool {
	var last stat.Period
	for _, part := range parts {
		p := partOf(part)
		if !p.IsZero() && !last.IsZero() && !p.Start().After(last.Start()) {
			return false
		}
		last = p
	}
	return len(parts) > 1
}

// applyYear lets parts of the year that is stated for the whole file be the periods: the cells of
// a column, or headings.
func (r *rowRules) applyYear(m *table.Mapping) error {
	if r.year == "" || m.Period.Read != nil {
		return nil
	}
	if len(m.Period.Columns) == 1 {
		if c := r.column(m.Period.Columns[0]); c != nil && !c.isPeriods() && c.isParts() {
			read := r.partReader(c.name, false)
			m.Period.IsOfStated = true
			m.Period.Read = func(part string) (stat.Period, error) { return read(r.year + " " + part) }
		}
		return nil
	}
	if parts := partsIn(r.layout.headings); m.Period.Wide && arePartsInOrder(parts) && !slices.ContainsFunc(r.layout.headings, isPeriod) {
		m.Period = table.Period{IsOfStated: true}
		if err := applyParts(m, r.layout.headings); err != nil {
			return err
		}
		other := m.Other
		m.Other = func(heading string) (table.Value, bool) {
			v, ok := other(heading)
			v.Part, v.Period = "", r.year+" "+heading
			return v, ok
		}
	}
	return nil
}

// parts returns how the cells of a column are read as parts of years.
func (c *column) parts() *text.YearParts {
	if c.yearParts == nil {
		p, err := text.FindYearParts(text.HeadingFrequency(c.words), c.cells)
		if err != nil { // each cell for itself
			p, _ = text.FindYearParts(text.HeadingFrequency(c.words), nil)
		}
		c.yearParts = &p
	}
	return c.yearParts
}

// partBesideYears returns the column of parts of the years, by its heading or because its cells
// are the names of months; nil if there is none. Months come first.
func (g *guess) partBesideYears() *column {
	fits := func(c *column) bool { return !c.isEmpty() && len(c.notParts()) == 0 && g.hasGapsInTotals(c) }
	isOf := func(f stat.Frequency) func(*column) bool {
		return func(c *column) bool {
			return len(strings.Fields(c.words)) == 1 && text.HeadingFrequency(c.words) == f && fits(c)
		}
	}
	return cmp.Or(g.named("part of year", fits), g.first(isOf(stat.Month)), g.first(isOf(stat.Quarter)), g.first(isOf(stat.HalfYear)),
		g.first(func(c *column) bool { return c.areMonthNames() && fits(c) }))
}

// areMonthNames reports whether the cells of a column are names of months.
func (c *column) areMonthNames() bool {
	isOther := func(cell string) bool {
		p, err := c.parts().Read(2020, cell)
		return err != nil || p.Frequency() != stat.Month || strings.ContainsAny(cell, "0123456789") || romanPart.MatchString(cell)
	}
	return c.different >= 3 && c.different <= 12 && !slices.ContainsFunc(c.cells, isOther)
}

// partReader returns a parser of a year, a part of it that stands in a column, and a day.
func (g *guess) partReader(name string, hasDay bool) func(string) (stat.Period, error) {
	c := g.column(name)
	if c == nil {
		c = &column{words: assemble.Fold(name)}
	}
	return periodReader(c.parts(), hasDay)
}

// periodReader returns a parser of a year, perhaps a part of it, and a day; or of the two days
// between which a period lies.
func periodReader(parts *text.YearParts, hasDay bool) func(string) (stat.Period, error) {
	return func(cells string) (stat.Period, error) {
		year, part, hasPart := strings.Cut(cells, " ")
		y, err := text.ReadYear(year)
		if p := between(year, part); err != nil && !p.IsZero() {
			return p, nil
		} else if err != nil {
			return p, err
		}
		if !hasPart || assemble.Means("whole year", assemble.Fold(part)) {
			return stat.NewPeriod(stat.Annual, y, 1), nil
		}
		n := 0
		if at := strings.LastIndexByte(part, ' '); hasDay && at >= 0 {
			n, _ = strconv.Atoi(part[at+1:])
			part = part[:at]
		}
		p, err := parts.Read(y, strings.TrimSpace(part))
		if err != nil || !hasDay {
			return p, err
		}
		if p = stat.NewDay(y, int(p.Start().Month()), n); p.IsZero() {
			return p, fmt.Errorf("%q is not a day", cells)
		}
		return p, nil
	}
}

// between returns the period that begins and ends with two days; zero if there is none.
func between(first, last string) (p stat.Period) {
	from, err := text.ReadPeriod(first)
	to, err2 := text.ReadPeriod(last)
	if err != nil || err2 != nil || from.Frequency() != stat.Day || to.Frequency() != stat.Day {
		return p
	}
	for _, f := range []stat.Frequency{stat.Annual, stat.HalfYear, stat.Quarter, stat.Month, stat.Week, stat.Day} {
		if p = from.In(f); p.Start().Equal(from.Start()) && p.End().Equal(to.End()) {
			return p
		}
	}
	return stat.Period{}
}

// isSeason reports whether a heading is a span of months: Jan-Feb.
func isSeason(heading string) bool {
	first, last, ok := strings.Cut(heading, "-")
	return ok && isMonth(strings.TrimSpace(first)) && isMonth(strings.TrimSpace(last))
}

func isMonth(heading string) bool { return partOf(heading).Frequency() == stat.Month }

var romanPart = regexp.MustCompile(`^(?i)(I{1,3}|IV|VI{0,3}|IX|XI{0,2})\.?$`)

// isPart reports whether a heading may be a part of a year: Jan, Q1, H1, IV.
func isPart(heading string) bool { return !partOf(heading).IsZero() || romanPart.MatchString(heading) }

// numberedPart matches the parts of years with their numbers: Q1.
var numberedPart = regexp.MustCompile(`(?:^|[^\pL0-9])([QTSHKqtshk])([0-9])(?:$|[^\pL0-9])`)

// otherPart returns a heading with a number that no part of a year has, although others have it in
// the same place: Q5 2019 beside Q1 2019; empty: there is none.
func otherPart(headings []string) string {
	isOfYear := map[string]bool{}
	for _, h := range headings {
		if found := numberedPart.FindStringSubmatch(h); found != nil && isPart(found[1]+found[2]) {
			isOfYear[found[1]] = true
		}
	}
	for _, h := range headings {
		if found := numberedPart.FindStringSubmatch(h); found != nil && isOfYear[found[1]] && !isPart(found[1]+found[2]) {
			return h
		}
	}
	return ""
}

// partOf returns the part of a year that a heading is without others; zero if there is none.
func partOf(heading string) (part stat.Period) {
	if strings.ContainsFunc(heading, unicode.IsLetter) {
		alone, _ := text.FindYearParts(0, []string{heading}) // what it leaves open cannot be read
		part, _ = alone.Read(2000, heading)
	}
	if part.Frequency() == stat.Annual {
		return stat.Period{}
	}
	return part
}

// partsIn returns the headings that are parts of a year. Beside months, spans of months are
// measures of the year.
func partsIn(headings []string) (parts []string) {
	hasMonths := slices.ContainsFunc(headings, isMonth)
	for _, h := range headings {
		if isPart(h) && !(hasMonths && isSeason(h)) {
			parts = append(parts, h)
		}
	}
	return parts
}

// applyParts lets the headings that are parts of the year in the row, or the whole year,
// hold the values.
func applyParts(m *table.Mapping, headings []string) error {
	parts := partsIn(headings)
	read, _, err := readParts(parts)
	if err != nil {
		return mappingError("%v", err)
	}
	m.Period.Read = read
	m.Other = func(heading string) (table.Value, bool) {
		v := table.Value{Code: "value", Part: heading}
		isWhole := assemble.Means("whole year", assemble.Fold(heading))
		if isWhole {
			v.Remark = crosstab.WholeYearNote(heading)
		}
		return v, isWhole || slices.Contains(parts, heading)
	}
	return nil
}

// readParts returns a parser of a year and a heading that is a part of it. The headings
// together decide which: I to IV are quarters. isWhole reports that they are all parts of the year.
func readParts(headings []string) (read func(string) (stat.Period, error), isWhole bool, err error) {
	frequency := map[int]stat.Frequency{2: stat.HalfYear, 4: stat.Quarter, 12: stat.Month}[len(headings)]
	if !slices.ContainsFunc(headings, romanPart.MatchString) {
		frequency = 0
	}
	parts, err := text.FindYearParts(frequency, headings)
	frequencies, named := map[stat.Frequency]int{}, 0
	for _, h := range headings {
		p, wrong := parts.Read(2000, h)
		err = cmp.Or(err, wrong)
		frequencies[p.Frequency()]++
		if p.Frequency() == stat.Month && !strings.ContainsAny(h, "0123456789") && !romanPart.MatchString(h) {
			named++
		}
	}
	isWhole = frequencies[stat.Quarter] == 4 || frequencies[stat.HalfYear] == 2 || frequencies[stat.Month] == 12
	if err == nil && (len(frequencies) != 1 || !isWhole && named < len(headings)) {
		err = fmt.Errorf("the headings %s are not the parts of a year", clipped(headings))
	}
	return periodReader(&parts, false), isWhole, err
}
