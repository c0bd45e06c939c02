package crosstab

import (
	"cmp"
	"slices"
	"strings"

	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// bodyRows are the rows of data of a cross table as those of a plain one: cells of the stub
// that stand for several rows are repeated, headings of sections are a column, remarks are
// apart from the numbers, and tables that stand side by side have rows of their own.
type bodyRows struct {
	*reader
	rows   table.Rows
	row    []string
	stub   []string
	note   string // of the row
	cursor *cursor
	group  int   // the next of the tables side by side
	groups []int // their columns of periods, or inBoxhead

	hasOthers bool // periods in the boxhead than those with what may be a word for the year

	statuses map[int]bool // the columns beside values with such a heading

	cells []string
	from  []int // the columns of the file that the cells come from
}

// open opens the rows of the table.
func (r *reader) open() (table.Rows, error) {
	rows, err := r.from()
	if err != nil {
		return nil, err
	}
	b := &bodyRows{reader: r, rows: rows, cursor: r.newCursor(), groups: r.times, statuses: r.statusesBeside()}
	b.hasOthers = slices.ContainsFunc(r.values, func(v value) bool {
		period, _ := withoutRemark(v.text)
		_, remark := splitRemark(period)
		return remark == "" && isBarePeriod(period)
	})
	switch {
	case r.found.pages > 0:
		for _, v := range r.values {
			b.groups = append(b.groups, v.column)
		}
	case len(b.groups) == 0:
		b.groups = []int{inBoxhead}
	}
	b.group = len(b.groups)
	b.from = make([]int, r.valueAt(len(r.values)))
	for i, column := range r.stub {
		b.from[r.stubAt(i)] = column
	}
	for j, v := range r.values {
		for i := range 3 {
			b.from[r.valueAt(j)+i] = v.column
		}
	}
	return b, nil
}

// Next returns the next row, the headings first.
func (b *bodyRows) Next() ([]string, error) {
	if b.cells == nil {
		b.cells = make([]string, len(b.from))
		return b.headings(), nil
	}
	for {
		if b.group == len(b.groups) {
			if err := b.nextData(); err != nil {
				return nil, err
			}
			b.group = 0
		}
		time := b.groups[b.group]
		b.group++
		if isFilled, err := b.setPeriod(time); err != nil {
			return nil, err
		} else if isFilled {
			b.setValues(time)
			return b.cells, nil
		}
	}
}

// headings returns the headings of the columns: names of the stub, and the columns of the
// file that hold values.
func (b *bodyRows) headings() []string {
	headings := make([]string, len(b.from))
	for i, c := range b.found.stub {
		if b.isColumn(i) {
			headings[b.stubAt(i)] = cmp.Or(c.name, columnName(c.column))
		}
	}
	if len(b.times) > 0 {
		headings[b.periodAt()] = b.stubName(b.times[0])
	}
	for j, v := range b.values {
		headings[b.valueAt(j)] = columnName(v.column)
	}
	return headings
}

// isColumn reports whether the mapping uses a column of the stub.
func (r *reader) isColumn(i int) bool {
	return i == r.unitAt || slices.Contains(r.attributes, i) || slices.ContainsFunc(r.ofStub, func(a axis) bool { return i == a.codes || i == a.labels })
}

// At returns where a cell begins.
func (b *bodyRows) At(cell int) stat.Position {
	if cell < 0 || cell >= len(b.from) {
		return b.rows.At(0)
	}
	return b.rows.At(b.from[cell])
}

// IsNumber reports whether a cell is stored as a number.
func (b *bodyRows) IsNumber(cell int) bool { return table.IsStored(b.rows, b.from[cell]) }

// ShownAs returns the note about a cell that shows another number than it stores.
func (b *bodyRows) ShownAs(cell int) string {
	if shown, ok := b.rows.(table.ShownRows); ok {
		return shown.ShownAs(b.from[cell])
	}
	return ""
}

// Close closes the file.
func (b *bodyRows) Close() error { return b.rows.Close() }

// nextData reads up to the next row of data.
func (b *bodyRows) nextData() error {
	for {
		row, err := b.rows.Next()
		if err != nil {
			return err
		}
		b.noted.bracket(row)
		if b.cursor.read(row) == rowData {
			b.row, b.stub = row, b.cursor.fill(row)
			return b.setStub()
		}
	}
}

// setStub sets the cells of the stub. It refuses a text in a column that the layout does not
// use.
func (b *bodyRows) setStub() error {
	for i, cell := range b.row {
		if cell != "" && (i >= len(b.used) || !b.used[i]) {
			return stat.BadFile(b.rows.At(i), "column %s contains %q, but the first rows do not say what it is", columnName(i), text.Clip(cell))
		}
	}
	b.note = b.noteOfRow(b.row)
	if b.found.isSectioned {
		b.cells[0] = b.cursor.section
		if b.found.outside[b.cursor.n] {
			b.cells[0] = ""
		}
	}
	if b.hasUnitRows() {
		b.cells[rowUnitAt] = b.cursor.unit
	}
	for i, cell := range b.stub {
		if !b.isColumn(i) {
			continue
		}
		cell = b.found.stub[i].bare(cell)
		if slices.ContainsFunc(b.ofStub, func(a axis) bool { return a.codes == i }) {
			isOther := func(bare string) bool { return b.found.stub[i].cells[bare] > 0 }
			bare, note := b.explain(cell, isOther)
			cell, b.note = bare, table.JoinNotes(b.note, note)
		}
		b.cells[b.stubAt(i)] = cell
	}
	return nil
}

// setPeriod sets the period of the row in one of the tables side by side. It reports whether
// this table has the row.
func (b *bodyRows) setPeriod(time int) (isFilled bool, err error) {
	period := &b.cells[b.periodAt()]
	if time == inBoxhead {
		if b.partAt >= 0 {
			*period = partOf(b.stub[b.partAt])
		}
		return true, nil
	}
	b.from[b.periodAt()] = time
	when := b.cursor.periodCell(b.row, time, b.found.pages > 0)
	if when == "" {
		for _, v := range b.values {
			if cell := at(b.row, v.column); v.time == time && cell != "" {
				return false, stat.BadFile(b.rows.At(v.column), "the number %q has no period in column %s", text.Clip(cell), columnName(time))
			}
		}
		return false, nil
	}
	if *period = periodText(when); b.year != noYears {
		p, ok := b.periodIn(&b.cursor.current, when)
		if *period = p.String(); !ok {
			return false, stat.BadFile(b.rows.At(time), "%q is not a part of the year %s, such as a month or a quarter", text.Clip(when), b.cursor.current.year)
		}
		if b.hasWhole && !b.isAnnual {
			b.cells[wholeAt] = when
		}
	}
	return true, nil
}

// setValues sets the values of one of the tables side by side, with their flags and notes.
func (b *bodyRows) setValues(time int) {
	for j, v := range b.values {
		cells := b.cells[b.valueAt(j):][:3]
		if clear(cells); v.time != time {
			cells[0] = table.NoCell
			continue
		}
		to := remark{note: table.JoinNotes(b.note, b.headNotes[j])}
		b.addStatusOf(j, &to)
		cells[0] = b.number(at(b.row, v.column), &to)
		when := v.text
		if time != inBoxhead {
			when = b.cursor.periodCell(b.row, time, b.found.pages > 0)
		}
		for _, period := range []string{when, v.part, b.partInStub()} {
			b.addBeside(b.remarkOf(period), &to)
			to.note = table.JoinNotes(to.note, b.noteOfWhole(period))
		}
		for _, column := range v.beside {
			cell := at(b.row, column)
			if note := b.comments[when]; note != "" && office.IsPeriodComment(cell) {
				cell, b.usedNotes[[2]string{when, note}] = note, true
			}
			if b.statuses[column] && len(cell) > maxLetters && isStatus(cell) {
				to.flags = joinLetters(to.flags, strings.ToLower(cell))
				continue
			}
			b.addBeside(cell, &to)
		}
		cells[1], cells[2] = to.flags, to.note
	}
}

// partInStub returns the part of the year in the stub of a table with years above; empty for others.
func (b *bodyRows) partInStub() string {
	if b.partAt < 0 {
		return ""
	}
	return b.stub[b.partAt]
}

// remarkOf returns the remark behind a period or a part of one. "2021 r" has one beside periods without a letter, or with another.
func (b *bodyRows) remarkOf(period string) string {
	if _, remark := splitPart(period); remark != "" {
		return remark
	}
	if _, remark := withoutRemark(period); remark != "" || !b.hasOthers {
		return remark
	}
	if bare, remark := splitRemark(period); isBarePeriod(bare) && bare[len(bare)-1] <= '9' {
		return remark
	}
	return ""
}

// number returns a cell without the remark behind its number.
func (b *bodyRows) number(cell string, to *remark) string {
	bare, behind := splitRemark(cell)
	if behind == "" || isMark(cell) || text.IsDigits(behind) && b.footnotes[behind] == "" { // 12 (3) may be two numbers
		bare, behind = cell, ""
	}
	b.addBeside(behind, to)
	if isMark(bare) || b.isNoNumber(bare) {
		to.note = table.JoinNotes(to.note, b.footnote(bare))
	}
	return bare
}
