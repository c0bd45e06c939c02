package crosstab

import (
	"slices"
	"strconv"
	"strings"
)

// findHeads finds the rows of the boxhead: those above the body with a text in the
// columns of values. A single cell far from the first column is a note.
func (l *Layout) findHeads() {
	l.first, l.below = l.body, 0
	for row := l.findList(); row < l.body; row++ {
		isAgain := slices.ContainsFunc(l.periodRows, func(p int) bool { return slices.Equal(l.rows[p], l.rows[row]) })
		if isAgain || slices.Contains(l.periodRows, row) {
			l.first, l.below = min(l.first, row), row+1
			continue
		}
		if !l.isHeading(row) {
			continue
		}
		l.first, l.below = min(l.first, row), row+1
		h := &head{row: row, name: l.nameOf(row)}
		for _, v := range l.values {
			h.cells = append(h.cells, l.headingOver(row, v.column))
		}
		role, isKnown := roleOf(h.name)
		h.role = role
		isOfStub := len(l.stub) > 0 && row == l.body-1
		switch {
		case slices.Contains(l.periodRows, row+1) && l.isNamedPeriod(row+1, l.values[0].column):
			h.name, h.role = "", roleTime
		case len(l.periodRows) > 0 && l.isPeriodRow(row, l.values[0].column): // see chooseRow
			if !isKnown {
				h.role = roleRemark
			}
		case isOfStub || !isKnown && !l.isAreas(row) && (len(l.times) == 0 || isTimeName(h.name)):
			h.name, h.role = "", roleHeading // it is the heading of the stub
		}
		l.heads = append(l.heads, h)
	}
	start := l.body
	if l.year != noYears {
		start = l.top
	}
	switch {
	case len(l.times) > 0:
		if l.below >= start || !l.isSection(l.rows[start-1]) || !l.hasSections() {
			l.below = start
		}
	case len(l.stub) == 1 && l.below == l.body-1 && isTimeName(l.stubName(l.stub[0])):
		l.below = l.body // the heading of the stub stands alone below that of the periods
	}
	l.clearStubName()
	l.repeatHeadings()
	l.guessRoles()
	l.findParts()
}

// isAreas reports whether a row holds the areas of the columns: it is named so, and the
// stub has its own name below.
func (l *Layout) isAreas(row int) bool {
	return len(l.times) == 0 && isAreaWord(l.nameOf(row)) && row+1 < l.body && l.nameOf(row+1) != ""
}

// isSection reports whether a row has only a text that is not a heading of periods.
func (l *Layout) isSection(row []string) bool {
	text := joinCells(row)
	return text != "" && text == clean(row[0]) && !isTimeName(text)
}

// hasSections reports whether the heading of a section stands between rows of data.
func (l *Layout) hasSections() bool {
	for i := l.body + 1; i+1 < len(l.rows); i++ {
		if l.isSection(l.rows[i]) && l.isData(l.rows[i-1]) && l.isData(l.rows[i+1]) {
			return true
		}
	}
	return false
}

// findList finds a list of the columns above the table: rows that begin with a heading of
// the row above the body, with a label beside it. It returns the first row below the list.
func (l *Layout) findList() (below int) {
	if len(l.times) == 0 || l.body == 0 {
		return 0
	}
	headings := map[string]bool{}
	for _, v := range l.values {
		headings[at(l.rows[l.body-1], v.column)] = true
	}
	list := map[string]string{}
	for i, row := range l.rows[:l.body-1] {
		if id := at(row, 0); id != "" && headings[id] && at(row, 1) != "" {
			list[id] = clean(row[1])
			below = i + 1
		}
	}
	if 2*len(list) <= len(l.values) {
		return 0
	}
	l.list = list
	return below
}

func (l *Layout) isHeading(row int) bool {
	filled, last := 0, 0
	for i, v := range l.values {
		if at(l.rows[row], v.column) != "" {
			filled++
			last = i
		}
	}
	isFar := filled == 1 && last > 0 && last == len(l.values)-1
	if filled == 1 && last == 0 && len(l.values) > 1 && !l.isAreas(row) && l.nameOf(row) != "" && l.nameOf(row+1) != "" {
		return false // a line such as PublishingDate;2023-01-05
	}
	if len(l.times) > 1 && filled == 0 { // a heading may begin above a column of periods
		return slices.ContainsFunc(l.times[1:], func(t int) bool { return at(l.rows[row], t) != "" })
	}
	return filled > 0 && !isFar
}

// nameOf returns what the stub says of a heading row.
func (l *Layout) nameOf(row int) string {
	if len(l.times) > 1 {
		return ""
	}
	end := l.values[0].column
	return strings.TrimSpace(joinCells(l.rows[row][:min(end, len(l.rows[row]))]))
}

// repeatHeadings fills empty headings with the one on their left, up to the end of the
// heading above. The last row with headings is complete, and rows with a name are. Merged
// headings cover what the sheet says.
func (l *Layout) repeatHeadings() {
	var above *head
	for i, h := range l.heads {
		if h.name != "" && !l.isAreas(h.row) {
			continue
		}
		isLast := (i == len(l.heads)-1 && len(l.periodRows) == 0) || coversOneEach(h.cells)
		text := ""
		isMerged := func(j int) bool { return l.spanOver(h.row, l.values[j].column).Left > 0 }
		if c := h.cells[0]; onlyFirst(h.cells) && len(h.cells) > 1 && !isLast && !isMerged(0) && (above == nil || isConstant(above.cells)) {
			for j := range h.cells {
				h.cells[j] = c
			}
			continue
		}
		for j, v := range l.values {
			if text2 := l.headingAbove(h.row, j); text2 != "" {
				text = text2
			} else if j > 0 && (l.values[j-1].time != v.time || isMerged(j-1) || above != nil && above.cells[j] != above.cells[j-1]) {
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
func (l *Layout) headingAbove(row, j int) string {
	v := l.values[j]
	if cell := l.headingOver(row, v.column); cell != "" || len(l.times) < 2 || j > 0 && l.values[j-1].time == v.time {
		return cell
	}
	return clean(at(l.rows[row], v.time))
}

// guessRoles finds out what rows without a known name say: units in brackets, and
// identifiers below texts.
func (l *Layout) guessRoles() {
	for i, h := range l.heads {
		if h.role != roleHeading || h.name != "" {
			continue
		}
		switch {
		case len(h.cells) > 1 && allCells(h.cells, isBracketed) && isCounting(h.cells) && l.areDistinctWithout(h):
			h.role = roleRemark // the numbers of the columns
		case !slices.Contains(h.cells, "") && allCells(h.cells, isBracketed):
			h.role = roleUnit
			for j, c := range h.cells {
				h.cells[j] = c[1 : len(c)-1]
			}
		case i+len(l.periodRows) > 0 && !slices.Contains(h.cells, "") && allCells(h.cells, unitForm.MatchString) && l.areDistinctWithout(h):
			h.role = roleUnit
		case len(l.times) > 0 && len(l.heads) > 1 && !l.hasRole(roleID) && isUnique(h.cells) && areIDs(h.cells):
			h.role = roleID
		}
	}
	if ids := l.ofRole(roleID); len(ids) > 0 && !isUnique(ids[0].cells) {
		ids[0].role = roleRemark
	}
}

func (l *Layout) hasRole(role rowRole) bool { return len(l.ofRole(role)) > 0 }

func (l *Layout) ofRole(role rowRole) (found []*head) {
	for _, h := range l.heads {
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
func (l *Layout) clearStubName() {
	var named []*head
	for _, h := range l.heads {
		if h.name != "" && h.role == roleHeading && !l.isAreas(h.row) {
			named = append(named, h)
		}
	}
	if len(named) == 1 && len(l.values) > 1 {
		named[0].name = ""
	}
}

// areDistinctWithout reports whether the columns differ without a heading row.
func (l *Layout) areDistinctWithout(without *head) bool {
	seen := map[string]bool{}
	for j, v := range l.values {
		key := v.text + strconv.Itoa(v.time)
		for _, h := range l.heads {
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

// onlyFirst reports whether only the first cell of a row is filled.
func onlyFirst(cells []string) bool {
	return cells[0] != "" && !slices.ContainsFunc(cells[1:], func(c string) bool { return c != "" })
}
