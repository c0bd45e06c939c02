package plain

import (
	"fmt"
	"regexp"
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
	if len(g.times) != 1 || g.isWide || g.times[0].years < g.times[0].filled {
		return
	}
	var columns []*column
	hasOthers := false
	for _, c := range g.free() {
		switch {
		case !c.isMostlyNumbers() && !c.isMarks():
		case isPart(g.headings[c.at]) || c.isCalled("whole year"):
			columns = append(columns, c)
		case !c.isCodeByHeading() && c.coded == "":
			hasOthers = true
		}
	}
	parts := partsIn(g.headings)
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
}

var romanPart = regexp.MustCompile(`^(?i)(I{1,3}|IV|VI{0,3}|IX|XI{0,2})\.?$`)

// isPart reports whether a heading may be a part of a year: Jan, Q1, H1, IV.
func isPart(heading string) bool {
	frequency, _, ok := table.ReadPart(heading)
	hasLetter := strings.ContainsFunc(heading, unicode.IsLetter)
	return hasLetter && (ok && frequency != 0 && frequency != stat.Annual || romanPart.MatchString(heading))
}

func partsIn(headings []string) (parts []string) {
	for _, h := range headings {
		if isPart(h) {
			parts = append(parts, h)
		}
	}
	return parts
}

// applyParts lets the headings that are parts of the year in the row, or the whole year,
// hold the values.
func applyParts(m *table.Mapping, headings []string) error {
	read, err := readParts(partsIn(headings))
	if err != nil {
		return mappingError("%v", err)
	}
	m.Period.Read = read
	m.Other = func(heading string) (table.Value, bool) {
		return table.Value{Code: "value", Part: heading}, isPart(heading) || assemble.Means("whole year", assemble.Fold(heading))
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
		if assemble.Means("whole year", assemble.Fold(part)) {
			return table.ReadPeriod(year)
		}
		p, _, err := style.Read(s)
		return p, err
	}, nil
}
