package crosstab

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/stat"
)

// Some tables have years in one direction and months or quarters in the other:
//
//	Mes,2023,2024
//	Enero,1.8,0.9
//	Febrero,1.7,1.1
//	En año corrido,9.3,5.2
//
// What stands among the months and is none is a value of the whole year. Then a
// dimension distinguishes it from the months.

// partIn returns the part of a year with a name, such as a month.
func partIn(year stat.Period, name string) (stat.Period, bool) {
	if name == "" || year.Frequency() != stat.Annual || isPeriod(name) || isNumber(name) {
		return stat.Period{}, false
	}
	p, ok := readPeriod(name + " " + year.String())
	if !ok {
		p, ok = readPeriod(year.String() + " " + name)
	}
	return p, ok && p.Frequency() > stat.Annual && year.OverlapsSpan(p, p)
}

var anyYear = stat.NewPeriod(stat.Annual, 2000, 1)

// areParts reports whether most of some names are parts of a year, and whether all are.
func areParts(names []string) (most, all bool) {
	parts, filled := 0, 0
	for _, name := range names {
		if name == "" {
			continue
		}
		filled++
		if _, ok := partIn(anyYear, name); ok {
			parts++
		}
	}
	return parts > 1 && parts*2 > filled, parts == filled
}

// sectors are codes of institutional sectors, and of half-years.
var sectors = regexp.MustCompile(`^S\.?[12]$`)

// partCode returns the code of a name in the dimension that distinguishes parts of the
// year from the rest.
func partCode(name string) stat.Code {
	if p, ok := partIn(anyYear, name); ok {
		name := p.Frequency().String()
		return stat.Code{ID: p.Frequency().Code(), Label: strings.ToUpper(name[:1]) + name[1:]}
	}
	return stat.Code{ID: name}
}

func (c *stubColumn) names() []string { return slices.Collect(maps.Keys(c.cells)) }

func (c *stubColumn) isPart() bool {
	most, _ := areParts(c.names())
	return most
}

func (c *stubColumn) isOnlyParts() bool {
	_, all := areParts(c.names())
	return all
}

// checkStubParts doubts a layout with years in a column of the stub and their months or
// quarters in another one: the two form one period, which a plain table says.
func (l *Layout) checkStubParts(stub []*stubColumn) {
	if len(l.times) == 0 || l.year != noYears {
		return
	}
	for _, c := range stub {
		if isTimeName(c.name) && allCells(c.names(), isYear) { // with "June 30" beside them
			l.doubts = append(l.doubts, "the column "+c.name+" holds years, and another column periods")
		}
		if l.hasYears() && c.isPart() && (isTimeName(c.name) || c.isMonths()) {
			l.doubts = append(l.doubts, "the column "+c.name+" holds parts of the years in another column")
		}
	}
}

// isMonths reports whether three or more texts of a column are names of months.
func (c *stubColumn) isMonths() bool {
	months := 0
	for name := range c.cells {
		if p, ok := partIn(anyYear, name); ok && p.Frequency() == stat.Month && !strings.ContainsAny(name, "0123456789") {
			months++
		}
	}
	return months >= 3
}

// findParts finds the heading row of parts of the years that stand in the stub or in
// another heading row.
func (l *Layout) findParts() {
	for i := range l.heads {
		h := &l.heads[i]
		most, all := areParts(h.cells)
		switch {
		case h.role != roleHeading || !most || !l.hasYears():
			continue
		case allCells(h.cells, sectors.MatchString):
			l.doubts = append(l.doubts, "the heading "+h.cells[0]+" may be a half-year or a code")
			return
		}
		for j := range l.values {
			l.values[j].part = h.cells[j]
			if p, ok := partIn(anyYear, h.cells[j]); ok && !all {
				h.cells[j] = p.Frequency().Code()
			}
		}
		if all {
			h.role = roleParts
		}
		return
	}
}

// hasYears reports whether the periods of the sample are years.
func (l *Layout) hasYears() bool {
	isOther := func(text string) bool { return isPeriod(text) && !isYear(text) }
	for _, v := range l.values {
		if isOther(v.text) {
			return false
		}
	}
	for _, row := range l.rows[l.body:] {
		if slices.ContainsFunc(l.times, func(t int) bool { return isOther(at(row, t)) }) {
			return false
		}
	}
	return true
}
