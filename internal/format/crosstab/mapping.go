package crosstab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// reader turns a cross table into rows of a plain one (rows.go) and a mapping of them.
type reader struct {
	*Layout
	in      format.Input
	from    func() (table.Rows, error)
	dataset stat.Dataset
	report  stat.Report
	found   *survey

	footnotes   map[string]string  // by their letters
	usedNotes   map[[2]string]bool // signs or periods with their texts, which are notes on values
	comments    map[string]string  // by the period that they explain
	hasOwnFlags bool               // the letters beside values are no common flags
	headNotes   []string           // the footnotes of the headings of each column of values
	columnNames []string           // of the dimensions that the boxhead makes, if the title lists them

	ofStub []axis // the dimensions that the stub makes
	// attributes are the columns of the stub that describe another one in words.
	attributes []int
	used       []bool // the columns of the stub and the body
	partAt     int    // the column of the stub with parts of the years in the boxhead; -1
	unitAt     int    // the column of the stub with units, by its number; -1
}

// axis is a dimension that the stub makes.
type axis struct{ codes, labels int } // numbers of columns of the stub; -1: none

// inBoxhead stands for the number of a column of periods where these are in the boxhead.
const inBoxhead = -1

func (r *reader) read(ctx context.Context) iter.Seq2[*stat.Table, error] {
	return func(yield func(*stat.Table, error) bool) {
		m, err := r.mapping()
		if err != nil {
			yield(nil, err)
			return
		}
		m.Suggest = r.suggestMissing
		table.ReadRows(ctx, r.in, r.open, m)(yield)
	}
}

// mapping returns the mapping of the rows that bodyRows yields, after a pass over the file.
func (r *reader) mapping() (m table.Mapping, err error) {
	if len(r.doubts) > 0 {
		return m, stat.BadFile(stat.Position{Line: 1}, "the layout of the table is not clear: %s", strings.Join(r.doubts, "; "))
	}
	rows, err := r.from()
	if err != nil {
		return m, err
	}
	r.found, err = r.survey(rows)
	if err == nil {
		table.NoteOpenEnd(rows, &r.report)
	}
	if closing := rows.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return m, err
	}
	r.footnotes, r.comments, r.usedNotes = Footnotes(r.found.footer), office.PeriodComments(r.found.footer), map[[2]string]bool{}
	r.findAnnualRows()
	r.explainHeads()
	r.explainBeside()
	r.ofStub = r.stubAxes()
	if err = r.splitPages(); err != nil {
		return m, err
	}
	r.placeUnitBelow()
	r.placeOnlyArea()
	r.describe()
	if err = r.describeUnitRows(); err != nil {
		return m, err
	}
	if err = r.placeAreas(); err != nil {
		return m, err
	}
	r.hasOwnFlags = !r.areFlags(r.found.words)
	for column := range r.width() {
		r.used = append(r.used, r.isUsed(column))
	}
	m = table.Mapping{
		Dataset: r.dataset,
		Period:  r.period(),
		Flags:   []table.Flag{{Means: r.flagsOf}},
		Marks:   r.marks(),
		Observe: r.addStatus,
		Preamble: func(_ [][]string, t *stat.Table) error {
			t.Report.Merge(&r.report)
			return nil
		},
		End: func(t *stat.Table) { r.noteUnread(t.Report) },
	}
	m.Unit = r.unitColumn()
	for _, i := range r.attributes {
		m.Attributes = append(m.Attributes, columnName(r.stubAt(i)))
	}
	m.Axes = r.axes()
	err = r.addValues(&m)
	uniqueIDs(&m)
	return m, err
}

// unitColumn returns the column with the unit of each row; empty if there is none.
func (r *reader) unitColumn() string {
	switch {
	case r.unitAt >= 0:
		return columnName(r.stubAt(r.unitAt))
	case r.hasUnitRows() && !r.found.units.areKeys:
		return columnName(rowUnitAt)
	}
	return ""
}

// The rows that bodyRows yields have these columns: the section, the unit of a row above, what tells values of the year
// from those of its parts, the stub, the period, and for each column of values the value, its flags and its notes.
const (
	rowUnitAt = 1
	wholeAt   = 2
)

func (r *reader) stubAt(i int) int  { return 3 + i }
func (r *reader) periodAt() int     { return 3 + len(r.stub) }
func (r *reader) valueAt(j int) int { return 4 + len(r.stub) + 3*j }

// axes returns the dimensions that the sections and the stub make.
func (r *reader) axes() (axes []table.Axis) {
	if r.found.isSectioned {
		axes = append(axes, table.Axis{Codes: columnName(0), ID: "SECTION", Label: "Section", Role: stat.RoleOther, Split: sectionCode})
	}
	if r.found.units.areKeys {
		axes = append(axes, table.Axis{Codes: columnName(rowUnitAt), ID: "UNIT", Label: "Unit", Role: stat.RoleUnit, Split: unitCode})
	}
	if r.hasWhole && !r.isAnnual {
		name := cmp.Or(r.stubName(r.times[0]), "Period")
		axes = append(axes, table.Axis{Codes: columnName(wholeAt), ID: name, Label: name, Role: stat.RoleOther, Split: r.wholeCode})
	}
	for _, a := range r.ofStub {
		name, code := r.found.stub[cmp.Or(a.labels+1, a.codes+1)-1].name, r.found.stub[a.codes].name
		if isAreaWord(code) && !isAreaWord(name) {
			name = code
		}
		if len(r.times) == 0 && a.codes != r.partAt && isTimeName(name) {
			name = "" // of the periods on its right
		}
		axis := table.Axis{Codes: columnName(r.stubAt(a.codes)), ID: cmp.Or(name, "CATEGORY"), Label: cmp.Or(name, "Category")}
		if a.labels >= 0 {
			axis.Labels = columnName(r.stubAt(a.labels))
		}
		if isAreaWord(name) {
			axis.Role = stat.RoleGeo
		}
		if a.codes == r.partAt {
			axis.Split = partCode
		}
		axes = append(axes, axis)
	}
	return axes
}

// period returns where the periods are and how they are read.
func (r *reader) period() table.Period {
	p := table.Period{Choices: r.Stated.Dates}
	if len(r.times) > 0 || r.partAt >= 0 || r.found.pages > 0 {
		p.Columns = []string{columnName(r.periodAt())}
	}
	if r.hasParts || r.year != noYears {
		p.Read = table.ReadPeriod
	}
	for j := range r.values {
		if f := r.frequency(j); j == 0 {
			p.Frequency = f
		} else if f != p.Frequency {
			p.Frequency = 0
		}
	}
	return p
}

// marks returns what texts in place of numbers mean, in capital letters too.
func (r *reader) marks() map[string]table.Mark {
	means := map[string]table.Mark{}
	add := func(isZero bool, marks ...string) {
		for _, mark := range marks {
			means[mark] = table.Mark{Zero: isZero, Flags: office.OwnFlag(r.dataset.Source.ID, mark)}
		}
	}
	for _, mark := range marks {
		add(false, mark, strings.ToUpper(mark), strings.ToUpper(mark[:1])+mark[1:])
	}
	for sign := range r.footnotes {
		if r.isNoNumber(sign) && !text.IsMissing(sign) {
			add(false, sign)
		}
	}
	add(true, Zeros(r.footnotes)...)
	add(false, r.Stated.Missing...)
	add(true, r.Stated.Zero...)
	return means
}

// suggestMissing adds to the error of a text among numbers the heading of its column, and that it may be stated as missing,
// unless it may be a number.
func (r *reader) suggestMissing(err error, mark string) error {
	var at *stat.FileError
	if errors.As(err, &at) {
		for _, v := range r.values {
			if v.text != "" {
				at.Message = strings.Replace(at.Message, "the column "+strconv.Quote(columnName(v.column))+" ", "the column "+strconv.Quote(v.text)+" ", 1)
			}
		}
	}
	if strings.ContainsAny(mark, "0123456789,") {
		return err
	}
	return stat.Suggest(err, stat.Suggestion{Option: "mapping", Value: strings.TrimPrefix(r.in.Mapping+", missing="+mark, ", ")})
}

// addValues adds the columns of values, with the dimensions that the boxhead makes. It
// refuses columns that nothing distinguishes.
func (r *reader) addValues(m *table.Mapping) error {
	dims, codes := r.columnDims()
	m.Columns = dims
	hasUnits := slices.ContainsFunc(dims, func(d stat.Dimension) bool { return d.Role == stat.RoleUnit })
	values := map[string]table.Value{}
	seen := map[string]int{}
	for j, v := range r.values {
		value := table.Value{Codes: codes[j], Frequency: r.frequency(j), Flag: columnName(r.valueAt(j) + 1), Note: columnName(r.valueAt(j) + 2)}
		value.Remark = r.sourceOf(j)
		if isStated := func(c stat.Code) bool { return c.Unit != "" }; !hasUnits && !slices.ContainsFunc(codes[j], isStated) && r.unit(j) != r.dataset.Unit {
			value.Unit = r.unit(j)
		}
		value.Period, value.Part = r.periodOf(v)
		key := fmt.Sprint(value.Period, value.Part, v.time)
		for _, c := range codes[j] {
			if c.ID == "" {
				return stat.BadFile(stat.Position{Line: r.first + 1}, "column %s has no heading that says what its numbers are", columnName(v.column))
			}
			key += "\x00" + c.ID
		}
		if before, ok := seen[key]; ok {
			return stat.BadFile(stat.Position{Line: r.first + 1}, "the headings of the columns %s and %s are the same, so that their values cannot be told apart",
				columnName(r.values[before].column), columnName(v.column))
		}
		seen[key] = j
		values[columnName(v.column)] = value
	}
	m.Other = func(heading string) (table.Value, bool) {
		v, ok := values[heading]
		return v, ok
	}
	return nil
}

// periodOf returns the period that the boxhead states for a column of values, or the part of
// it that the row does not say: a year, or a part of the year.
func (r *reader) periodOf(v value) (period, part string) {
	switch {
	case v.time != inBoxhead:
		return "", partOf(v.part)
	case r.partAt >= 0:
		return "", periodText(v.text)
	}
	return strings.TrimSpace(periodText(v.text) + " " + partOf(v.part)), ""
}

// uniqueIDs numbers dimensions with the same name.
func uniqueIDs(m *table.Mapping) {
	seen := map[string]int{}
	number := func(id *string) {
		name := strings.ToLower(*id)
		if seen[name]++; seen[name] > 1 {
			*id += strconv.Itoa(seen[name])
		}
	}
	for i := range m.Axes {
		number(&m.Axes[i].ID)
	}
	for i := range m.Columns {
		number(&m.Columns[i].ID)
	}
}

// splitPages gives each column of values of a table with pages its own rows, whose period is that
// of the page.
func (r *reader) splitPages() error {
	if r.found.pages == 0 {
		return nil
	}
	if r.partAt >= 0 {
		return stat.BadFile(stat.Position{Line: r.first + 1}, "another heading row begins below; a file can have only one table")
	}
	r.values = slices.Clone(r.values)
	for j := range r.values {
		r.values[j].time = r.values[j].column
	}
	return nil
}
