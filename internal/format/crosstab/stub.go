package crosstab

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/format/text"
	"almanac/internal/lazyregexp"
)

// stubColumn is a column of the stub that holds no periods.
type stubColumn struct {
	column  int
	name    string
	cells   map[string]int
	isCodes bool                // all cells have the form of codes
	hasDots bool                // dots in front of cells only say how deep these are
	of      []map[string]string // its cell for each cell of the other columns; nil: there are several
}

// codeForm matches texts that have the form of codes.
var codeForm = lazyregexp.New(`^[A-Z0-9][A-Z0-9._/-]*$`)

// findDots finds out whether dots in front of texts only indent them: ".Alabama" below
// "South". Without them, all texts still differ.
func (c *stubColumn) findDots() {
	seen := map[string]bool{}
	for cell := range c.cells {
		bare := indented.ReplaceAllString(cell, "$1")
		if seen[bare] {
			c.hasDots = false
			return
		}
		seen[bare] = true
		c.hasDots = c.hasDots || bare != cell
	}
}

// bare returns a cell without such dots.
func (c *stubColumn) bare(cell string) string {
	if !c.hasDots {
		return cell
	}
	return indented.ReplaceAllString(cell, "$1")
}

// indented matches dots in front of a word.
var indented = lazyregexp.New(`^\.+(\pL)`)

// isSeriesKey reports whether a column of the stub, on the left of that with the headings of
// sections, has a different cell in each row.
func (r *reader) isSeriesKey(i int) bool {
	isRepeated := func(n int) bool { return n > 1 }
	return r.found.isSectioned && i < r.found.within && !slices.ContainsFunc(slices.Collect(maps.Values(r.found.stub[i].cells)), isRepeated)
}

// newStub returns what is not known yet of the columns of the stub.
func (l *Layout) newStub() (stub []*stubColumn) {
	for _, column := range l.stub {
		c := &stubColumn{column: column, name: l.stubName(column), cells: map[string]int{}, isCodes: true}
		if l.block != "" && column == l.stub[0] {
			c.name = ""
		}
		for range l.stub {
			c.of = append(c.of, map[string]string{})
		}
		stub = append(stub, c)
	}
	return stub
}

// stubName returns the heading of a column of the stub: the lowest cell of the boxhead. A
// row below the periods that describes the columns has a name of its own.
func (b *boxhead) stubName(column int) string {
	if slices.ContainsFunc(b.heads, b.namesRows) {
		return ""
	}
	for row := b.below - 1; row >= b.first; row-- {
		isNamed := func(h *head) bool {
			_, isKnown := roleOf(h.name)
			return h.row == row && (isKnown || h.role == roleStatus && !isAreaWord(at(b.rows[row], column)))
		}
		if len(b.times) == 0 && slices.ContainsFunc(b.heads, isNamed) {
			continue
		}
		if cell := clean(at(b.rows[row], column)); cell != "" {
			return cell
		}
	}
	return ""
}

// findRepeated finds out which columns of the stub are repeated downwards. An empty cell in
// a column of codes only says that there is no code, if no text on its right is repeated.
// A column that writes a text again in the next row leaves nothing out.
func (l *Layout) findRepeated() {
	l.isComplete = make([]bool, len(l.stub))
	for i := range l.stub {
		l.isComplete[i] = l.isWrittenAgain(i)
		if i+1 < len(l.stub) && !l.isComplete[i] {
			codes, labels := l.cellsOf(l.stub[i]), l.cellsOf(l.stub[i+1])
			l.isComplete[i] = allCells(codes, codeForm.MatchString) && !allCells(labels, codeForm.MatchString) && isUnique(labels)
		}
	}
	seen := map[string]bool{}
	c := l.newCursor()
	for _, row := range l.rows {
		if c.read(row) != rowData {
			continue
		}
		key := ""
		for _, column := range slices.Concat(l.stub, l.times) {
			key += at(row, column) + "\x00"
		}
		full := strings.Join(c.fill(row), "\x00")
		l.isFilled = l.isFilled || seen[key] && !seen[key+full]
		seen[key], seen[key+full] = true, true
	}
}

// isWrittenAgain reports whether a row repeats the text of the row above in a column of the
// stub, and in those on its left.
func (l *Layout) isWrittenAgain(i int) bool {
	var above []string
	for _, row := range l.dataRows() {
		var cells []string
		for _, column := range l.stub[:i+1] {
			cells = append(cells, at(row, column))
		}
		if cells[i] != "" && slices.Equal(cells, above) {
			return true
		}
		above = cells
	}
	return false
}

// stubAxes decides what the columns of the stub are: dimensions, codes or labels of
// one, units, or descriptions of another column, of which texts are attributes.
func (r *reader) stubAxes() (axes []axis) {
	stub := r.found.stub
	isUsed := map[int]bool{}
	for i, c := range stub {
		if role, _ := roleOf(c.name); role == roleUnit && c.name != "" {
			r.unitAt, isUsed[i] = i, true
		}
	}
	for i, c := range stub {
		if isUsed[i] {
			continue
		}
		isUsed[i] = true
		if r.isSeriesKey(i) {
			r.noteLeftOut(c)
			continue
		}
		a := axis{i, -1}
		if c.isPart() && len(r.times) == 0 {
			r.partAt = i
			if _, areAll := areParts(c.names()); !areAll {
				if r.isAnnual = r.areAnnual(c.names()) && r.haveAllParts(func(row []string, _ int) string { return at(row, c.column) }); !r.isAnnual {
					axes = append(axes, a)
				}
			}
			continue
		}
		for j, other := range stub {
			isLabel, isCode := other.of[i] != nil && c.isCodes, c.of[j] != nil && other.isCodes // one for each cell
			if isUsed[j] || a.labels >= 0 || r.isSeriesKey(j) || len(c.cells) < 2 || c.isCodes == other.isCodes || !isLabel && !isCode {
				continue
			}
			isUsed[j] = true
			if a.labels = j; isCode {
				a.codes, a.labels = j, i
			}
		}
		if a.labels < 0 && r.isDescription(i) {
			if c.name != "" && !c.isCodes && !c.areNumbers() {
				r.attributes = append(r.attributes, i)
				continue
			}
			r.noteLeftOut(c)
			continue
		}
		axes = append(axes, a)
	}
	return axes
}

// noteLeftOut notes a column that has no place in a dataset, and how many numbers it has: ranks, or the
// numbers of lines.
func (r *reader) noteLeftOut(c *stubColumn) {
	name, numbers := cmp.Or(c.name, columnName(c.column)), 0
	for cell, n := range c.cells {
		if text.IsNumber(cell) {
			numbers += n
		}
	}
	if numbers > 0 {
		name += fmt.Sprintf(" (%d numbers)", numbers)
	}
	r.report.Add(assemble.NoteAttributeNotKept, 1, name)
}

// areNumbers reports whether most cells of a column are numbers, as ranks are.
func (c *stubColumn) areNumbers() bool {
	n := 0
	for cell := range c.cells {
		if text.IsNumber(cell) {
			n++
		}
	}
	return 2*n > len(c.cells)
}

// isDescription reports whether a column of the stub only describes another one: each
// cell of the other has one, and the other one is repeated or holds areas.
func (r *reader) isDescription(i int) bool {
	c := r.found.stub[i]
	for j, other := range r.found.stub {
		isMutual := other.of[i] != nil && i < j // the other one describes this column
		if j == i || c.of[j] == nil || isMutual || r.isSeriesKey(j) || len(other.cells) <= 1 || len(other.cells) < len(c.cells) {
			continue
		}
		isRepeated := len(r.found.keys) > 0 && r.found.isSectioned
		if isRepeated || isAreaWord(other.name) && !isAreaWord(c.name) {
			return true
		}
	}
	return false
}
