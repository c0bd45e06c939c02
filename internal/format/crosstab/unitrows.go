package crosstab

import (
	"slices"
	"strings"

	"almanac/internal/format/text"
	"almanac/internal/lazyregexp"
	"almanac/internal/stat"
)

// Some tables with periods above the columns have rows with the unit of the rows below:
//
//	,2021,2022
//	EUR million,,
//	GDP,3601750,3876810
//	% of GDP,,
//	Debt,69.0,66.1
//
// A unit holds up to the next one, and up to the next heading of a section below its rows, which may begin rows in
// another unit. The only unit of a table, above all its rows, holds for all.

// NoteNoUnit counts the rows below which no unit stands, although others have one.
const NoteNoUnit = "rows-without-unit"

// unitRows are the rows of units that a survey finds.
type unitRows struct {
	count   int
	first   string            // the first of them
	isAbove bool              // the first stands above all rows of data
	open    []string          // those with no row of data below
	of      map[string]string // the units of the first rows, by their section and stub
	areKeys bool              // rows differ only in their unit
	without int               // rows of data without one
	example string            // the stub of the first
}

// isWhole reports whether the only unit is that of the whole table.
func (u *unitRows) isWhole() bool { return u.count == 1 && u.isAbove }

// readUnit keeps the unit that a row without data states, and reports whether it does. Other rows end the unit.
func (c *cursor) readUnit(row []string) bool {
	if c.periodRow == noRow || len(c.stairs) > 0 {
		return false
	}
	unit := c.unitAcross(row)
	if column, isAlone := onlyCell(row); isAlone && slices.Contains(c.stub, column) {
		unit = unitAlone(row[column])
	}
	if unit != "" {
		c.unit, c.isUnitNew = strings.Clone(unit), true
		return true
	}
	if !c.isUnitNew {
		c.unit = ""
	}
	return false
}

// unitAcross returns the only unit that stands in the columns of values of a row without a text in the stub; empty if
// there is none.
func (b *body) unitAcross(row []string) string {
	var cells []string
	for _, v := range b.values {
		cells = append(cells, at(row, v.column))
	}
	units := distinct(cells)
	if isFilled := func(column int) bool { return at(row, column) != "" }; len(units) != 1 || slices.ContainsFunc(b.stub, isFilled) {
		return ""
	}
	return unitAlone(units[0])
}

// unitBelowPeriods returns the unit that stands between the periods and the first row, if that is one for all columns.
func (b *boxhead) unitBelowPeriods() string {
	for _, h := range b.heads {
		if h.areUnits && h.row > b.periodRow && isConstant(h.cells) {
			return h.cells[0]
		}
	}
	return ""
}

// placeUnitBelow makes the unit between the periods and the first row that of the rows down to the next unit, if other
// units stand between the rows.
func (r *reader) placeUnitBelow() {
	if r.found.units.count == 0 || r.found.units.isWhole() || r.periodRow == noRow || r.unitBelowPeriods() == "" {
		return
	}
	for _, h := range r.heads {
		if h.areUnits && h.row > r.periodRow {
			h.areUnits = false
		}
	}
}

// UnitAbove returns the unit of a whole table that the lines above it state; empty if these are several, or if a name in
// the table tells that some of its numbers have another. Names of rates are no others of "Unit: percent".
func UnitAbove(lines, names []string) (unit string) {
	hasOther, inTitles := slices.ContainsFunc(names, hasOwnUnit), []string(nil)
	for _, line := range lines {
		alone := unitAlone(line)
		isOfRates := unitLine.MatchString(clean(line)) && share.MatchString(alone) && !slices.ContainsFunc(names, noShare.MatchString)
		switch _, bracketed := unitInTitle(line); {
		case alone == "" && bracketed != "":
			inTitles = append(inTitles, bareUnit(bracketed))
		case alone == "":
		case unit != "" || hasOther && !isOfRates:
			return ""
		default:
			unit = alone
		}
	}
	if unit == "" && !hasOther && len(inTitles) == 1 {
		return inTitles[0]
	}
	return unit
}

// noShare matches names of numbers that are no percentages.
var noShare = lazyregexp.New(`(?i)\b(index|ratio|indice|índice)\b`)

// unitAlone returns the unit that a text states which may also be the heading of a section; empty if it states none.
func unitAlone(line string) string {
	line = strings.TrimRight(clean(line), " :")
	if m := unitLine.FindStringSubmatch(line); m != nil {
		return m[1]
	}
	if text.IsNumber(line) || !isAmount(line) {
		return ""
	}
	return bareUnit(line)
}

// add adds a row of a unit.
func (u *unitRows) add(unit string, isAbove bool) {
	if u.count++; u.count == 1 {
		u.first, u.isAbove = unit, isAbove
	}
	u.open = append(u.open, unit)
}

// addRow adds a row of data with the unit above it. It returns what distinguishes the row from others with another
// unit.
func (u *unitRows) addRow(within, unit string) string {
	if u.open = nil; unit == "" {
		if u.without++; u.example == "" {
			_, u.example, _ = strings.Cut(within, "\x00\x00")
		}
	}
	if u.of == nil {
		u.of = map[string]string{}
	}
	before, ok := u.of[within]
	switch {
	case !ok && len(u.of) < maxKeys:
		u.of[within] = unit
	case ok && before != unit:
		u.areKeys = true
		return "\x00" + unit
	}
	return ""
}

// describeUnitRows sets the unit of the whole table, or says that each row has its own.
func (r *reader) describeUnitRows() error {
	u := &r.found.units
	if u.count == 0 {
		return nil
	}
	if r.unitAt >= 0 || slices.ContainsFunc(r.heads, func(h *head) bool { return h.areUnits }) {
		return stat.BadFile(stat.Position{Line: r.first + 1}, "the table states units in its headings or columns, and others (%s) in rows of their own: leave only those that hold", u.first)
	}
	if u.isWhole() {
		r.dataset.Unit = u.first
		return nil
	}
	if u.without > 0 && r.dataset.Unit == "" {
		r.report.Add(NoteNoUnit, u.without, strings.TrimSpace(strings.ReplaceAll(u.example, "\x00", " ")))
	}
	return nil
}

// hasUnitRows reports whether rows have different units.
func (r *reader) hasUnitRows() bool { return r.found.units.count > 0 && !r.found.units.isWhole() }

// unitCode returns the code of a unit; rows without one have that for what is not stated.
func unitCode(unit string) (code, label string) {
	if unit == "" {
		return "_X", "Not stated"
	}
	return unit, ""
}
