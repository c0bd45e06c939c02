package plain

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"almanac/internal/format/assemble"
	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// findParts finds headings that are parts of the year in the row: Year, Jan, Feb, and so on
// to Annual.
func (g *guess) findParts() {
	if len(g.times) != 1 || g.isWide || g.times[0].years+g.times[0].early < g.times[0].filled {
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
	if _, err := readParts(parts); err != nil || hasOthers {
		g.doubt("the headings %s may be parts of the periods in the column %q; write each period in a row of its own", clipped(parts), g.times[0].name)
		g.isVain = true
		return
	}
	g.isWide = true
	for i := range g.items {
		if it := &g.items[i]; it.key == "period" {
			it.columns, it.between = append(it.columns, "*"), '+'
		}
	}
	for _, c := range columns {
		c.isTaken = true
		g.checkTexts(c)
	}
	for _, c := range seasons {
		g.checkTexts(c)
		g.takeValue(c)
	}
}

// isSeason reports whether a heading is a span of months: Jan-Feb.
func isSeason(heading string) bool {
	first, last, ok := strings.Cut(heading, "-")
	return ok && isMonth(strings.TrimSpace(first)) && isMonth(strings.TrimSpace(last))
}

func isMonth(heading string) bool {
	f, _, ok := table.ReadPart(heading)
	return ok && f == stat.Month
}

var romanPart = regexp.MustCompile(`^(?i)(I{1,3}|IV|VI{0,3}|IX|XI{0,2})\.?$`)

// isPart reports whether a heading may be a part of a year: Jan, Q1, H1, IV.
func isPart(heading string) bool {
	frequency, _, ok := table.ReadPart(heading)
	hasLetter := strings.ContainsFunc(heading, unicode.IsLetter)
	return hasLetter && (ok && frequency != 0 && frequency != stat.Annual || romanPart.MatchString(heading))
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
	read, err := readParts(parts)
	if err != nil {
		return mappingError("%v", err)
	}
	m.Period.Read = read
	m.Other = func(heading string) (table.Value, bool) {
		return table.Value{Code: "value", Part: heading}, slices.Contains(parts, heading) || assemble.Means("whole year", assemble.Fold(heading))
	}
	return nil
}

// readParts returns a parser of a year and a heading that is a part of it. The headings
// together decide which: I to IV are quarters, H1 and H2 half-years.
func readParts(headings []string) (func(string) (stat.Period, error), error) {
	finder := text.PeriodFinder{}
	if choice := map[int]string{2: "half-years", 4: "quarters", 12: "months"}[len(headings)]; choice != "" {
		finder.Choices = []string{choice}
	}
	frequencies, named := map[stat.Frequency]int{}, 0
	for _, h := range headings {
		finder.Add("2000 " + h)
	}
	style, err := finder.Find()
	if err != nil {
		return nil, err
	}
	for _, h := range headings {
		p, _, err := style.Read("2000 " + h)
		if err != nil {
			return nil, err
		}
		frequencies[p.Frequency()]++
		if p.Frequency() == stat.Month && !strings.ContainsAny(h, "0123456789") && !romanPart.MatchString(h) {
			named++
		}
	}
	isWhole := frequencies[stat.Quarter] == 4 || frequencies[stat.HalfYear] == 2 || frequencies[stat.Month] == 12
	if len(frequencies) != 1 || !isWhole && named < len(headings) {
		return nil, fmt.Errorf("the headings %s are not the parts of a year", clipped(headings))
	}
	return func(s string) (stat.Period, error) {
		year, part, _ := strings.Cut(s, " ")
		if part == "" || assemble.Means("whole year", assemble.Fold(part)) {
			return table.ReadPeriod(year)
		}
		p, _, err := style.Read(s)
		return p, err
	}, nil
}
