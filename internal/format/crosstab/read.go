package crosstab

import (
	"cmp"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

type reader struct {
	*assemble.Table
	*Layout
	in      format.Input
	current stat.Period // the year of rows that have only a part of it
	from    func() (table.Rows, error)
	style   text.Style
	found   *survey
	periods map[int]*table.Periods // by their column, or inBoxhead

	footnotes   map[string]string // by their letters
	comments    map[string]string // by the period that they explain
	hasOwnFlags bool              // the letters beside values are no common flags
	headNotes   []string          // the footnotes of the headings of each column of values
	notes       text.Interner

	ofStub  []axis    // the dimensions that the stub makes
	axes    []axis    // with that of the sections
	used    []bool    // the columns of the stub and the body
	columns [][]int32 // for each column of values, the codes of the boxhead
	at      []int     // their positions in the key

	frequencies []stat.Frequency // that the boxhead states for the columns of values
	partAt      int              // the column of the stub with parts of the years in the boxhead; -1
	unitAt      int              // the column of the stub with units, by its number; -1
}

// axis is a dimension that the stub makes.
type axis struct {
	*assemble.Axis
	codes, labels int // numbers of columns of the stub; -1: none
	isSection     bool
}

func read(t *assemble.Table, in format.Input, l *Layout, from func() (table.Rows, error)) iter.Seq2[*stat.Table, error] {
	return func(yield func(*stat.Table, error) bool) {
		r := &reader{Table: t, Layout: l, in: in, from: from, unitAt: -1, partAt: -1, notes: text.Interner{}}
		yield(r.open())
	}
}

func (r *reader) open() (*stat.Table, error) {
	if len(r.doubts) > 0 {
		return nil, stat.BadFile(stat.Position{Line: 1}, "the layout of the table is not clear: %s", strings.Join(r.doubts, "; "))
	}
	rows, err := r.from()
	if err != nil {
		return nil, err
	}
	r.found, err = r.survey(rows)
	if err == nil {
		table.NoteOpenEnd(rows, r.Report)
	}
	if closing := rows.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return nil, err
	}
	if err := r.settleStyle(); err != nil {
		return nil, err
	}
	r.footnotes, r.comments = footnotesOf(r.found.footer), commentsOf(r.found.footer)
	r.explainHeads()
	r.ofStub = r.stubAxes()
	r.describe()
	r.hasOwnFlags = !r.areFlags(r.found.words)
	if err := r.setDimensions(); err != nil {
		return nil, err
	}
	r.IgnorePeriod(r.in.Period)
	r.indexColumns()
	if err := r.settlePeriods(); err != nil {
		return nil, err
	}
	if err := r.checkColumns(); err != nil {
		return nil, err
	}
	return r.Reading(r.readRows), nil
}

// indexColumns keeps what is the same for all cells of a column.
func (r *reader) indexColumns() {
	for column := range r.width() {
		r.used = append(r.used, r.isUsed(column))
	}
	for j := range r.values {
		r.frequencies = append(r.frequencies, r.frequency(j))
	}
}

func (r *reader) settleStyle() (err error) {
	r.found.style.Usual = office.Decimal(r.publisher(slices.Concat(r.titles(), r.found.footer)).ID)
	if r.style, err = r.found.style.Style(r.in.Decimal); err == nil && r.style != table.DecimalPoint {
		r.Report.Add(stat.NoteNumberStyle, 1, table.StyleText(r.style))
	}
	return err
}

// setDimensions makes the dimensions: the sections, the stub, the boxhead.
func (r *reader) setDimensions() error {
	var dims []stat.Dimension
	if r.found.isSectioned {
		dims = append(dims, stat.Dimension{ID: "SECTION", Label: "Section", Role: stat.RoleOther})
		r.axes = append(r.axes, axis{codes: -1, labels: -1, isSection: true})
	}
	for _, a := range r.ofStub {
		name, code := r.found.stub[cmp.Or(a.labels+1, a.codes+1)-1].name, r.found.stub[a.codes].name
		if isAreaWord(code) && !isAreaWord(name) {
			name = code
		}
		dim := stat.Dimension{ID: cmp.Or(name, "CATEGORY"), Label: cmp.Or(name, "Category")}
		if isAreaWord(name) {
			dim.Role = stat.RoleGeo
		}
		dims, r.axes = append(dims, dim), append(r.axes, a)
	}
	ofColumns, keys := r.columnDims()
	dims = uniqueIDs(append(dims, ofColumns...))
	axes, err := r.SetDimensions(dims, r.in.Geo)
	if err != nil {
		return err
	}
	for i := range r.axes {
		r.axes[i].Axis = axes[i]
	}
	for _, a := range axes[len(r.axes):] {
		r.at = append(r.at, a.At)
	}
	r.columns = keys
	return nil
}

// uniqueIDs numbers dimensions with the same name.
func uniqueIDs(dims []stat.Dimension) []stat.Dimension {
	seen := map[string]int{}
	for i := range dims {
		id := strings.ToLower(dims[i].ID)
		if seen[id]++; seen[id] > 1 {
			dims[i].ID += itoa(seen[id])
		}
	}
	return dims
}

// checkColumns refuses columns that nothing distinguishes.
func (r *reader) checkColumns() error {
	seen := map[string]int{}
	for j, v := range r.values {
		for i, at := range r.at {
			if r.Dataset.Axes()[at].Codes[r.columns[j][i]].ID == "" {
				return stat.BadFile(stat.Position{Line: r.first + 1}, "column %s has no heading that says what its numbers are", columnName(v.column))
			}
		}
		key := fmt.Sprint(r.columns[j], v.period, v.time, r.inPart(anyYear, v.part))
		if before, ok := seen[key]; ok {
			return stat.BadFile(stat.Position{Line: r.first + 1}, "the headings of the columns %s and %s are the same, so that their values cannot be told apart",
				columnName(r.values[before].column), columnName(v.column))
		}
		seen[key] = j
	}
	return nil
}

func (r *reader) readRows() error {
	rows, err := r.from()
	if err != nil {
		return err
	}
	defer rows.Close()
	var carried carrier
	section := ""
	for n := 0; ; n++ {
		row, err := rows.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		isAgain, _ := r.repeatsHeading(row)
		switch {
		case n < r.below || isBlank(row) || r.readYear(row):
		case isAgain:
			r.Report.Add(stat.NoteNotRead, 1, text.Clip(joinCells(row)))
		case n > r.found.last || !r.isData(row):
			section = joinCells(row)
			if !r.found.isSectioned || n > r.found.last {
				r.Report.Add(stat.NoteNotRead, 1, text.Clip(section))
			}
			if err := r.checkText(row, rows, n); err != nil {
				return err
			}
		default:
			if err := r.readRow(row, rows, carried.fill(row, r.Layout), section); err != nil {
				return err
			}
		}
	}
}

// checkText refuses a text in a column of values between rows of data.
func (r *reader) checkText(row []string, rows table.Rows, n int) error {
	if n > r.found.last {
		return nil
	}
	for _, v := range r.values {
		if cell := at(row, v.column); cell != "" && len(r.times) > 0 {
			return stat.BadFile(rows.At(v.column), "%q is in a column of values, but the row has no period", text.Clip(cell))
		}
	}
	return nil
}

func (r *reader) readRow(row []string, rows table.Rows, stub []string, section string) error {
	if err := r.checkColumnsOf(row, rows); err != nil {
		return err
	}
	o := stat.Observation{Key: r.Key}
	for _, a := range r.axes {
		code := stat.Code{ID: section}
		if !a.isSection {
			isOther := func(bare string) bool { return r.found.stub[a.codes].cells[bare] > 0 }
			bare, note := r.explain(stub[a.codes], isOther)
			code.ID, o.Note = bare, joinNotes(o.Note, note)
			switch {
			case a.codes == r.partAt:
				code = partCode(code.ID)
			case a.labels >= 0:
				code.ID, code.Label = cmp.Or(code.ID, stub[a.labels]), stub[a.labels]
			}
		}
		if code.ID == "" {
			return stat.BadFile(rows.At(0), "the row has numbers but no text in %s", strings.Join(r.stubNames(), ", "))
		}
		r.Key[a.At] = a.Add(code)
	}
	if r.unitAt >= 0 {
		o.Unit = stub[r.unitAt]
	}
	note := o.Note
	for j := range r.values {
		o.Note = r.notes.Keep(joinNotes(note, r.headNotes[j]))
		if r.partAt >= 0 {
			o.Period = r.inPart(r.values[j].period, stub[r.partAt])
		} else {
			o.Period = r.values[j].period
		}
		if err := r.readCell(j, row, rows, o); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) stubNames() (names []string) {
	for _, c := range r.found.stub {
		names = append(names, cmp.Or(c.name, columnName(c.column)))
	}
	return names
}

// checkColumnsOf refuses a text in a column that the layout does not use.
func (r *reader) checkColumnsOf(row []string, rows table.Rows) error {
	for i, cell := range row {
		if cell != "" && (i >= len(r.used) || !r.used[i]) {
			return stat.BadFile(rows.At(i), "column %s contains %q, but the first rows do not say what it is", columnName(i), text.Clip(cell))
		}
	}
	return nil
}

func (r *reader) readCell(j int, row []string, rows table.Rows, o stat.Observation) (err error) {
	v := r.values[j]
	cell := at(row, v.column)
	o.At = rows.At(v.column)
	if v.time >= 0 {
		when := at(row, v.time)
		switch {
		case when == "" && cell == "":
			return nil // the other table on its side is longer
		case when == "":
			return stat.BadFile(o.At, "the number %q has no period in column %s", text.Clip(cell), columnName(v.time))
		}
		if r.year != noYears {
			o.Period, err = r.partOfCurrent(when, rows.At(v.time))
		} else if o.Period, err = r.periods[v.time].Read(periodText(when)); err != nil {
			err = stat.BadFile(rows.At(v.time), "%v", err)
		}
		if err != nil {
			return err
		}
		o.Period = r.inPart(o.Period, v.part)
	}
	o.Frequency = r.frequencies[j]
	for i, code := range r.columns[j] {
		r.Key[r.at[i]] = code
	}
	style := table.StyleOf(rows, v.column, r.style, cell, r.Report)
	if err := r.readValue(cell, style, &o); err != nil {
		return err
	}
	_, remark := withoutRemark(cmp.Or(v.text, at(row, v.time)))
	r.addBeside(remark, &o)
	for _, column := range v.beside {
		cell := at(row, column)
		if note := r.comments[at(row, v.time)]; note != "" && isComment(cell) {
			cell = note
		}
		r.addBeside(cell, &o)
	}
	return r.YieldCell(&o, "")
}

// inPart returns the part of a year with a name, or the year for any other name.
func (r *reader) inPart(year stat.Period, name string) stat.Period {
	if p, ok := partIn(year, name); ok {
		return p
	}
	return year
}

func (r *reader) readValue(cell string, style text.Style, o *stat.Observation) error {
	o.Value = math.NaN()
	switch {
	case cell == "" || cell == ":":
		return nil
	case slices.Contains(r.Stated.Zero, cell):
		o.Value, o.Flags = 0, office.OwnFlag(r.Dataset.Source.ID, cell)
		return nil
	case isMark(cell) || slices.Contains(r.Stated.Missing, cell):
		o.Flags = office.OwnFlag(r.Dataset.Source.ID, cell)
		return nil
	}
	value, exact, ok := style.Number([]byte(strings.Replace(cell, "−", "-", 1)))
	if bare, remark := splitRemark(cell); !ok && (!isDigits(remark) || r.footnotes[remark] != "") { // else 12 (3) may be two numbers
		value, exact, ok = style.Number([]byte(bare))
		defer r.addBeside(remark, o)
	}
	if !ok {
		return stat.BadFile(o.At, "the cell %q is neither a number nor a mark for a missing value", text.Clip(cell))
	}
	if !exact {
		r.Report.Add(stat.NoteRounded, 1, strings.Clone(cell))
	}
	o.Value = value
	return nil
}
