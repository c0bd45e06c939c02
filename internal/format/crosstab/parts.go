package crosstab

import (
	"maps"
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
	return parts >= 3 && parts*2 > filled, parts == filled
}

// partCode returns the code of a name in the dimension that distinguishes parts of the
// year from the rest.
func partCode(name string) stat.Code {
	if p, ok := partIn(anyYear, name); ok {
		name := p.Frequency().String()
		return stat.Code{ID: p.Frequency().Code(), Label: strings.ToUpper(name[:1]) + name[1:]}
	}
	return stat.Code{ID: name}
}

func (c *stubColumn) isPart() bool {
	most, _ := areParts(slices.Collect(maps.Keys(c.cells)))
	return most
}
func (c *stubColumn) isOnlyParts() bool {
	_, all := areParts(slices.Collect(maps.Keys(c.cells)))
	return all
}

// findParts finds the heading row of parts of a year in a table with years in the stub,
// and takes it from the headings.
func (l *Layout) findParts() {
	for i, h := range l.heads {
		if len(l.times) == 0 || h.role != roleHeading {
			continue
		}
		if most, all := areParts(h.cells); most {
			for j := range l.values {
				l.values[j].part = h.cells[j]
				if all {
					continue
				}
				l.heads[i].cells[j] = partCode(h.cells[j]).ID
			}
			if all {
				l.heads[i].role = roleParts
			}
			return
		}
	}
}
