package plain

import (
	"slices"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/format/crosstab"
	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// The first row below the headings may hold the units of the columns of numbers:
//
//	Country,Sex,Year,Population,Rate
//	,,,thousand,%
//	Germany,F,2022,42.2,3.1

// isUnitRow reports whether the first of the rows below the headings holds units: nothing else, and each above numbers.
// The first column may say so.
func isUnitRow(rows [][]string) bool {
	if len(rows) < 2 || len(rows[0]) == 0 {
		return false
	}
	first := slices.Clone(rows[0])
	if assemble.Means("unit", strings.TrimRight(assemble.Fold(first[0]), " :")) {
		first[0] = ""
	}
	if first[0] != "" || !crosstab.AreUnits(first) {
		return false
	}
	for at, cell := range first {
		isOther := func(row []string) bool {
			return at < len(row) && row[at] != "" && !text.IsNumber(row[at]) && !isMissing(row[at])
		}
		if cell != "" && slices.ContainsFunc(rows[1:min(len(rows), maxSample)], isOther) {
			return false
		}
	}
	return true
}

// applyUnitRow gives the columns of values their units. Columns of periods have one unit, because each row is a series.
func (r *rowRules) applyUnitRow(m *table.Mapping) error {
	l := r.layout
	if l.units == nil {
		return nil
	}
	unitOf := func(heading string) string {
		if at := l.indexOf(heading); at >= 0 && at < len(l.units) {
			return l.units[at]
		}
		return ""
	}
	for i, v := range m.Values {
		m.Values[i].Unit = unitOf(v.Column)
	}
	if other := m.Other; other != nil {
		m.Other = func(heading string) (table.Value, bool) {
			v, ok := other(heading)
			v.Unit = unitOf(heading)
			return v, ok
		}
	}
	if !m.Period.Wide {
		return nil
	}
	for at, heading := range l.headings {
		unit := unitOf(heading)
		switch isValue := isPeriod(heading) && !slices.Contains(m.Ignore, heading); {
		case !isValue || unit == "":
		case m.Dataset.Unit == "":
			m.Dataset.Unit = unit
		case m.Dataset.Unit != unit:
			return stat.BadFile(stat.Position{Line: l.line + 1, Column: at + 1}, "the periods have different units below them, %q and %q", m.Dataset.Unit, unit)
		}
	}
	return nil
}

// areItems reports whether the columns of values are items of one dimension, and none has a unit of its own.
func (r *rowRules) areItems(m *table.Mapping) bool {
	var headings []string
	for _, v := range m.Values {
		if headings = append(headings, v.Column); v.Unit != "" {
			return false
		}
	}
	count := func(names []string) int {
		if r.layout.countAreas == nil {
			return 0
		}
		return r.layout.countAreas(m.Dataset.Source.ID, "geo", names)
	}
	return len(headings) > 1 && crosstab.AreItems(headings, count)
}

// findUnitAbove sets the unit that a line above a table of one measure states.
func (r *rowRules) findUnitAbove(m *table.Mapping) {
	hasUnit := m.Unit != "" || m.Dataset.Unit != "" || slices.ContainsFunc(m.Axes, func(a table.Axis) bool { return a.Role == stat.RoleUnit })
	isOne := m.Period.Wide && m.Other == nil || r.measure != "" && len(m.Values) == 0 || len(m.Values) == 1 && m.Values[0].Unit == "" || r.areItems(m)
	if hasUnit || !isOne {
		return
	}
	var lines, names []string
	for _, row := range r.layout.above {
		lines = append(lines, table.JoinCells(row))
	}
	for _, c := range newGuess(r.layout).columns {
		if names = append(names, c.name); !c.isMostlyNumbers() {
			names = append(names, c.cells...)
		}
	}
	m.Dataset.Unit = crosstab.UnitAbove(lines, names)
}

// mayBeUnits reports whether the cells of a column may be units: texts, and numbers by which others are to be multiplied.
func (c *column) mayBeUnits() bool {
	isOther := func(cell string) bool { return text.IsNumber(cell) && !crosstab.IsMultiple(cell) }
	return isText(c) || !c.isEmpty() && !slices.ContainsFunc(c.cells, isOther)
}

// isUnits reports whether a row is that of the units.
func (l *layout) isUnits(row []string) bool {
	return l.units != nil && slices.Equal(assemble.OneLines(row), l.units)
}
