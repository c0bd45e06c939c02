package crosstab

import (
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format/table"
)

// boxhead is what stands above the numbers.
type boxhead struct {
	*body
	first  int // its first row
	below  int // the first row below it, which may be the heading of a section
	legend int // the first row below a small table above it
	heads  []*head

	hasStubRow bool              // the heading of the stub stands alone below that of the periods
	list       map[string]string // labels of the columns, from a list above the table
}

// head is a heading row.
type head struct {
	row   int
	name  string            // what the stub calls it; empty if it has none
	role  rowRole           // what it says
	cells []string          // for each column of values
	words map[string]string // the labels of cells that are codes

	areUnits bool // the cells are units, even if they tell columns apart
}

// findBoxhead finds the rows of the boxhead: those above the body with a text in the
// columns of values. A single cell far from the first column is a note.
func findBoxhead(of *body) *boxhead {
	b := &boxhead{body: of, first: of.top}
	b.legend = b.findLegend()
	for row := max(b.findList(), b.legend); row < b.top; row++ {
		isAgain := b.periodRow != noRow && slices.Equal(b.rows[b.periodRow], b.rows[row])
		if !isAgain && !b.isHeading(row) {
			continue
		}
		b.first, b.below = min(b.first, row), row+1
		if !isAgain {
			b.heads = append(b.heads, b.newHead(row))
		}
	}
	start := b.top
	if b.year != noYears {
		start = b.firstYear
	}
	switch {
	case len(b.stairs) > 0: // they begin above the first row of data
	case len(b.times) > 0:
		if b.below >= start || !isSection(b.rows[start-1]) || !b.hasSections() {
			b.below = start
		}
	case len(b.stub) == 1 && b.below == b.top-1 && isTimeName(b.stubName(b.stub[0])):
		b.below = b.top // the heading of the stub stands alone below that of the periods
		b.hasStubRow = b.stubName(b.stub[0]) != "" && !isTimeName(b.stubName(b.stub[0]))
	}
	b.clearStubName()
	b.repeatHeadings()
	b.guessRoles()
	b.findParts()
	return b
}

// newHead returns a heading row with what its name says.
func (b *boxhead) newHead(row int) *head {
	h := &head{row: row, name: b.nameOf(row)}
	for _, v := range b.values {
		h.cells = append(h.cells, b.headingOver(row, v.column))
	}
	role, isKnown := roleOf(h.name)
	h.role = role
	isOfStub := len(b.stub) > 0 && row == b.top-1 && !(role == roleUnit && b.periodRow != noRow && b.isUnitRow(row, b.values[0].column))
	switch {
	case b.periodRow == row+1 && isTimeName(h.cells[0]) && b.isOnlyPeriod(row+1, b.values[0].column):
		h.name, h.role = "", roleTime
	case b.periodRow != noRow && b.isPeriodRow(row, b.values[0].column): // see chooseRow
		if !isKnown {
			h.role = roleRemark
		}
	case b.mayNameRows(h):
		h.role = roleHeading
	case isOfStub || !isKnown && !b.isAreas(row) && (len(b.times) == 0 || isTimeName(h.name)):
		h.name, h.role = "", roleHeading // it is the heading of the stub
	}
	return h
}

// namesRows reports whether the stub names the heading rows and not its own column, as in
//
//	Year,2020,,2021,
//	Sex,Men,Women,Men,Women
func (b *boxhead) namesRows(h *head) bool { return h.role == roleHeading && b.mayNameRows(h) }

// mayNameRows is namesRows for a row that may describe the columns, as one of units does.
func (b *boxhead) mayNameRows(h *head) bool {
	return b.periodRow != noRow && len(b.stub) == 1 && isTimeName(b.nameOf(b.periodRow)) &&
		h.name != "" && !isTimeName(h.name) && !isAreaWord(h.name) && len(distinct(h.cells)) > 1
}

// isAreas reports whether a row holds the areas of the columns: it is named so, and the
// stub has its own name below, unless the texts tell (areanames.go).
func (b *body) isAreas(row int) bool {
	if is, isKnown := b.areaRows[row]; isKnown {
		return is
	}
	name := b.nameOf(row)
	isOther := row+1 < b.top && b.nameOf(row+1) != "" && b.nameOf(row+1) != name // a name over several rows is that of the stub
	return isAreaWord(name) && (len(b.times) > 0 || isOther)
}

// isSection reports whether a row has only a text that is not a heading of periods.
func isSection(row []string) bool {
	text := joinCells(row)
	return text != "" && text == clean(row[0]) && !isTimeName(text)
}

// hasSections reports whether the heading of a section stands between rows of data.
func (b *body) hasSections() bool {
	for i := b.top + 1; i+1 < len(b.rows); i++ {
		if isSection(b.rows[i]) && b.isData(b.rows[i-1]) && b.isData(b.rows[i+1]) {
			return true
		}
	}
	return false
}

// findList finds a list of the columns above the table: rows that begin with a heading of
// the row above the body, with a label beside it. It returns the first row below the list.
func (b *boxhead) findList() (below int) {
	if len(b.times) == 0 || b.top == 0 {
		return 0
	}
	headings := map[string]bool{}
	for _, v := range b.values {
		headings[at(b.rows[b.top-1], v.column)] = true
	}
	list := map[string]string{}
	for i, row := range b.rows[:b.top-1] {
		if id := at(row, 0); id != "" && headings[id] && at(row, 1) != "" {
			list[id] = clean(row[1])
			below = i + 1
		}
	}
	if 2*len(list) <= len(b.values) {
		return 0
	}
	b.list = list
	return below
}

// findLegend finds a small table above the headings, such as a list of abbreviations: rows
// with texts in the first columns only, most of which name nothing that describes series. It
// returns the first row below.
func (b *boxhead) findLegend() (below int) {
	known, others := 0, 0
	for i, row := range b.rows[:b.top] {
		filled := slices.DeleteFunc(slices.Clone(row), func(cell string) bool { return cell == "" })
		if 2*len(filled) > len(b.values) || !table.IsBlank(row[len(filled):]) || len(filled) > 1 && isAreaWord(row[0]) {
			break
		}
		if len(filled) < 2 {
			continue
		}
		if _, isKnown := roleOf(row[0]); isKnown {
			known++
		} else {
			others++
		}
		below = i + 1
	}
	if others < 2 || others < known {
		return 0
	}
	return below
}

func (b *boxhead) isHeading(row int) bool {
	filled, last := 0, 0
	for i, v := range b.values {
		if at(b.rows[row], v.column) != "" {
			filled++
			last = i
		}
	}
	isOfPeriod := b.periodRow != noRow && row > b.periodRow && isStatus(at(b.rows[row], b.values[last].column))
	isFar := filled == 1 && last > 0 && last == len(b.values)-1 && !isOfPeriod
	if filled == 1 && last == 0 && len(b.values) > 1 && !b.isAreas(row) && b.nameOf(row) != "" && b.nameOf(row+1) != "" {
		return false // a line such as PublishingDate;2023-01-05
	}
	if len(b.times) > 1 && filled == 0 { // a heading may begin above a column of periods
		return slices.ContainsFunc(b.times[1:], func(t int) bool { return at(b.rows[row], t) != "" })
	}
	return filled > 0 && !isFar && !(filled == 1 && len(b.values) > 2 && b.standsApart(row))
}

// standsApart reports whether a row is one of those with a single text that stand apart from the
// headings, above a blank row.
func (b *body) standsApart(row int) bool {
	for ; row < b.top && !table.IsBlank(b.rows[row]); row++ {
		if _, isAlone := onlyCell(b.rows[row]); !isAlone {
			return false
		}
	}
	return row < b.top
}

// nameOf returns what the stub says of a heading row.
func (b *body) nameOf(row int) string {
	if len(b.times) > 1 {
		return ""
	}
	end := b.values[0].column
	return strings.TrimSpace(joinCells(b.rows[row][:min(end, len(b.rows[row]))]))
}

// repeatHeadings fills empty headings with the one on their left, up to the end of the
// heading above. The last row with headings is complete, and rows with a name are. Merged
// headings cover what the sheet says.
func (b *boxhead) repeatHeadings() {
	var above *head
	for i, h := range b.heads {
		if h.name != "" && !b.isAreas(h.row) && !b.namesRows(h) {
			continue
		}
		isLast := (i == len(b.heads)-1 && b.periodRow == noRow) || coversOneEach(h.cells)
		text := ""
		isMerged := func(j int) bool { return b.spanOver(h.row, b.values[j].column).Left > 0 }
		if c := h.cells[0]; c != "" && joinCells(h.cells[1:]) == "" && len(h.cells) > 1 && !isLast && !isMerged(0) && (above == nil || isConstant(above.cells)) {
			for j := range h.cells {
				h.cells[j] = c
			}
			continue
		}
		for j, v := range b.values {
			if text2 := b.headingAbove(h.row, j); text2 != "" {
				text = text2
			} else if j > 0 && (b.values[j-1].time != v.time || isMerged(j-1) || above != nil && above.cells[j] != above.cells[j-1]) {
				text = ""
			}
			if !isLast || h.cells[j] != "" {
				h.cells[j] = text
			}
		}
		above = h
	}
}

// coversOneEach reports whether every heading of a row but the last, of which the end is
// not known, covers a single column. Then the last one does too.
func coversOneEach(cells []string) bool {
	first := slices.IndexFunc(cells, func(c string) bool { return c != "" })
	n := 0
	for n = max(first, 0); n < len(cells) && cells[n] != ""; n++ {
	}
	return n-first > 2 && !slices.ContainsFunc(cells[n:], func(c string) bool { return c != "" })
}

// headingAbove returns the heading of a column of values in a row, which may begin above
// the column of periods on its left if there are several of these.
func (b *body) headingAbove(row, j int) string {
	v := b.values[j]
	if cell := b.headingOver(row, v.column); cell != "" || len(b.times) < 2 || j > 0 && b.values[j-1].time == v.time {
		return cell
	}
	return clean(at(b.rows[row], v.time))
}

// guessRoles finds out what rows without a known name say: units in brackets, and
// identifiers below texts.
func (b *boxhead) guessRoles() {
	for i, h := range b.heads {
		role, _ := roleOf(h.name)
		h.areUnits = role == roleUnit && (h.role == roleUnit || h.role == roleHeading)
		if h.areUnits && b.areDistinctWithout(h) {
			h.role = roleUnit
		}
		if h.role == roleUnit && len(b.ofRole(roleID)) == 0 && !b.areDistinctWithout(h) {
			h.role = roleHeading // the columns differ in their units
		}
		if (h.role == roleHeading || h.role == roleRemark) && b.areStatuses(h) {
			h.role = roleStatus
			b.checkStatuses(h)
		}
		if h.role != roleHeading || h.name != "" {
			continue
		}
		switch {
		case len(h.cells) > 1 && allCells(h.cells, isBracketed) && isCounting(h.cells) && b.areDistinctWithout(h):
			h.role = roleRemark // the numbers of the columns
		case !slices.Contains(h.cells, "") && allCells(h.cells, isBracketed):
			h.role, h.areUnits = roleUnit, true
			for j, c := range h.cells {
				h.cells[j] = c[1 : len(c)-1]
			}
		case (i > 0 || b.periodRow != noRow) && b.areUnits(h):
			b.spreadUnit(h)
			if h.areUnits = true; b.areDistinctWithout(h) && b.haveUnits(h) {
				h.role = roleUnit
			}
		case len(b.times) > 0 && len(b.heads) > 1 && len(b.ofRole(roleID)) == 0 && isUnique(h.cells) && areIDs(h.cells):
			h.role = roleID
		}
	}
	if ids := b.ofRole(roleID); len(ids) > 0 && !isUnique(ids[0].cells) {
		ids[0].role = roleRemark
	}
}

// areUnits reports whether a row has units only. A column may have none beside the periods.
func (b *boxhead) areUnits(h *head) bool {
	return (b.periodRow != noRow || !slices.Contains(h.cells, "")) && AreUnits(h.cells)
}

// spreadUnit makes the only unit of a row below the periods that of all, if the columns differ in nothing else.
func (b *boxhead) spreadUnit(units *head) {
	isOther := func(h *head) bool { return h != units && h.role == roleHeading && !isConstant(h.cells) }
	if cells := distinct(units.cells); b.periodRow != noRow && len(cells) == 1 && b.areDistinctWithout(units) && !slices.ContainsFunc(b.heads, isOther) {
		for j := range units.cells {
			units.cells[j] = cells[0]
		}
	}
}

func (b *boxhead) ofRole(role rowRole) (found []*head) {
	for _, h := range b.heads {
		if h.role == role {
			found = append(found, h)
		}
	}
	return found
}

// allCells reports whether a row has cells, and all that are not empty are such.
func allCells(cells []string, is func(string) bool) bool {
	found := false
	for _, c := range cells {
		if c != "" && !is(c) {
			return false
		}
		found = found || c != ""
	}
	return found
}

func isBracketed(cell string) bool {
	isIn := func(from, to string) bool { return strings.HasPrefix(cell, from) && strings.HasSuffix(cell, to) }
	return len(cell) > 2 && (isIn("(", ")") || isIn("[", "]"))
}

// clearStubName removes the only name of a heading row that is not known: it is the
// heading of the column of periods.
func (b *boxhead) clearStubName() {
	var named []*head
	for _, h := range b.heads {
		if h.name != "" && h.role == roleHeading && !b.isAreas(h.row) && !b.namesRows(h) {
			named = append(named, h)
		}
	}
	if len(named) == 1 && len(b.values) > 1 {
		named[0].name = ""
	}
}

// areDistinctWithout reports whether the columns differ without a heading row.
func (b *boxhead) areDistinctWithout(without *head) bool {
	seen := map[string]bool{}
	for j, v := range b.values {
		key := v.text + strconv.Itoa(v.time)
		for _, h := range b.heads {
			if h != without && (h.role == roleHeading || h.role == roleTitle) {
				key += "\x00" + h.cells[j]
			}
		}
		if seen[key] {
			return false
		}
		seen[key] = true
	}
	return true
}

// haveUnits reports whether columns with the same headings have the same unit in a row. Else the unit is a part of what
// their numbers are.
func (b *boxhead) haveUnits(units *head) bool {
	of := map[string]string{}
	for j, unit := range units.cells {
		key := ""
		for _, h := range b.heads {
			if h != units && (h.role == roleHeading || h.role == roleTitle) {
				key += "\x00" + h.cells[j]
			}
		}
		if before, ok := of[key]; ok && before != unit {
			return false
		}
		of[key] = unit
	}
	return true
}

// isUnique reports whether the cells of a row are all filled and different.
func isUnique(cells []string) bool {
	seen := map[string]bool{"": true}
	for _, c := range cells {
		if seen[c] {
			return false
		}
		seen[c] = true
	}
	return len(cells) > 0
}

// areIDs reports whether texts are identifiers: single words, most of them with a digit, a
// point or an underscore, or without small letters.
func areIDs(cells []string) bool {
	typical := 0
	for _, c := range cells {
		if len(c) < 2 || len(c) > 64 || strings.ContainsAny(c, " ()%,") {
			return false
		}
		if strings.ContainsAny(c, "_.0123456789") || c[1:] == strings.ToUpper(c[1:]) && c != strings.ToLower(c) {
			typical++
		}
	}
	return typical*5 >= len(cells)*4
}

func isConstant(cells []string) bool {
	return !slices.ContainsFunc(cells, func(c string) bool { return c != cells[0] })
}
