package table

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/format/office"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// Row is a row of the table for a function of a mapping, valid until it returns.
type Row struct {
	Cells    []string
	Table    *stat.Table
	Heading  string // for Observe, that of the value
	Column   int    // for Observe, that of the value
	headings headings
	rows     Rows
}

// Cell returns the cell in a column that is named as in a mapping. It is empty if
// there is no such column.
func (r *Row) Cell(name string) string {
	if at, err := r.headings.find(name); err == nil && at >= 0 && at < len(r.Cells) {
		return r.Cells[at]
	}
	return ""
}

// At returns where the row begins.
func (r *Row) At() stat.Position { return r.rows.At(0) }

// Note adds a note that drops nothing to the report.
func (r *Row) Note(kind, example string) { r.Table.Report.Add(kind, 1, example) }

func (r *reader) readRows() error {
	for {
		if err := r.readRow(); err != nil {
			return err
		}
		if err := r.next(); err == io.EOF {
			NoteOpenEnd(r.rows, r.Report)
			r.describePercentages()
			if r.plan.End != nil {
				r.plan.End(r.row.Table)
			}
			return nil
		} else if err != nil {
			return err
		}
	}
}

func (r *reader) readRow() error {
	for i, column := range []int{r.plan.code, r.plan.name} {
		if column >= 0 && r.cell(column) != r.named[i] {
			return stat.BadFile(r.rows.At(column), "the dataset is %q here and %q in the first row; a table must have one dataset", r.cell(column), r.named[i])
		}
	}
	unit := r.units.Keep(r.cell(r.plan.unit))
	r.observation = stat.Observation{Key: r.Key}
	o := &r.observation
	badFrequency, err := r.readKey(o)
	if err != nil {
		return err
	}
	var rowPeriod stat.Period
	if r.plan.hasRowPeriod() {
		if rowPeriod, err = r.rowPeriod(); err != nil {
			return err
		}
	}
	var flags stat.Flags
	for _, f := range r.plan.flags {
		flags = joinFlags(flags, r.flags(r.cell(f.column), f.means))
	}
	note := JoinNotes(r.rowNote(), r.span)
	for i := range r.plan.cells {
		c := &r.plan.cells[i]
		if r.cell(c.column) == NoCell {
			continue
		}
		o.Flags, o.Note, o.Unit = flags, note, unit
		o.Period = rowPeriod
		if r.plan.Period.Wide || !c.period.IsZero() {
			o.Period = c.period
		}
		if c.part != "" {
			if o.Period, err = r.periods.Read(r.cell(r.plan.periods[0]) + " " + c.part); err != nil {
				return r.bad(c.column, err)
			}
		}
		isInside := r.setSeriesPeriod(c, o)
		if err := r.readCell(c, o); err != nil {
			return err
		}
		if isInside && math.IsNaN(o.Value) {
			o.Flags, o.Note = "", "" // a row of another series
		}
		if !math.IsNaN(o.Value) && badFrequency != nil {
			return badFrequency
		}
		undated := ""
		if o.Period.IsZero() {
			undated = r.Dataset.Undated[0]
		}
		if err := r.Table.YieldCell(o, undated); err != nil {
			return err
		}
	}
	return nil
}

// setSeriesPeriod sets the period that a date stands for in its series. It reports whether
// the date is neither the first nor the last day of that period.
func (r *reader) setSeriesPeriod(c *cell, o *stat.Observation) (isInside bool) {
	if r.ofSeries == nil || o.Period.Frequency() != stat.Day {
		return false
	}
	f := r.ofSeries[r.seriesOf(r.row.Cells, c.column)]
	if f == 0 {
		return false
	}
	day, p := o.Period, o.Period.In(f)
	o.Period = p
	return !day.Start().Equal(p.Start()) && !day.End().Equal(p.End())
}

func (r *reader) readCell(c *cell, o *stat.Observation) (err error) {
	o.At = r.rows.At(c.column)
	if r.plan.unitsDiffer {
		if err := r.readUnit(c, o); err != nil {
			return err
		}
	}
	if c.unit != "" {
		o.Unit = c.unit
	}
	if r.plan.measure >= 0 {
		r.Key[r.axes[r.plan.measure].At] = c.measure
	}
	for i, position := range c.positions {
		r.Key[r.axes[r.plan.columnsAt+i].At] = position
	}
	if r.plan.estimate >= 0 {
		r.Key[r.axes[r.plan.estimate].At] = c.estimate
	}
	o.Frequency = cmp.Or(c.frequency, o.Frequency)
	if r.plan.ofPeriod >= 0 && !o.Period.IsZero() {
		axis := r.axes[r.plan.ofPeriod]
		r.Key[axis.At] = axis.Add(stat.Code{ID: o.Period.Frequency().Code()})
	}
	if c.flag >= 0 {
		o.Flags = joinFlags(o.Flags, r.flags(r.cell(c.flag), r.plan.means))
	}
	if c.note >= 0 {
		o.Note = strings.Clone(JoinNotes(o.Note, r.cell(c.note)))
	}
	if o.Value, err = r.value(c, o); err != nil {
		return err
	}
	if r.plan.Observe != nil && (r.cell(c.column) != "" || o.Flags != "" || o.Note != "") {
		r.row.Heading, r.row.Column = r.plan.headings.name(c.column), c.column
		if err := r.plan.Observe(&r.row, o); err != nil {
			return r.bad(c.column, err)
		}
	}
	o.Flags = joinFlags(o.Flags, office.NoteFlags(o.Note))
	if !math.IsNaN(o.Value) && o.Flags.Missing() {
		r.Report.Add(stat.NoteNumberUnderMissing, 1, fmt.Sprintf("line %d: %s with status %s", o.At.Line, r.cell(c.column), o.Flags))
		o.Value = math.NaN()
	}
	switch {
	case !math.IsNaN(o.Value):
		o.Note = JoinNotes(JoinNotes(o.Note, r.rowAttributes()), c.remark)
	case c.isBound:
		o.Flags, o.Note = "", ""
	}
	return nil
}

// value reads the number of a cell; NaN if it is missing.
func (r *reader) value(c *cell, o *stat.Observation) (float64, error) {
	content := r.cell(c.column)
	if content == "" {
		return math.NaN(), nil
	}
	if mark, ok := r.plan.Marks[content]; ok {
		o.Flags = joinFlags(o.Flags, mark.Flags)
		if mark.Zero {
			return 0, nil
		}
		return math.NaN(), nil
	}
	style := StyleOf(r.rows, c.column, r.style, content, r.Report)
	v, exact, ok := style.Number([]byte(content))
	if !ok {
		if text.IsMissing(content) {
			o.Flags = joinFlags(o.Flags, r.flags(content, r.markFlags))
			return math.NaN(), nil
		}
		if r.isEarly {
			if err := r.settleAgain(); err != nil {
				return 0, err
			}
			return r.value(c, o)
		}
		err := stat.BadFile(o.At, "%q in the column %q is neither a number (%s) nor a mark for a missing value",
			text.Clip(content), r.plan.headings.name(c.column), StyleText(r.style))
		if r.plan.Suggest != nil {
			return 0, r.plan.Suggest(err, content)
		}
		return 0, err
	}
	r.percentages.count(r, c, o, v)
	if !exact {
		r.Report.Add(stat.NoteRounded, 1, strings.Clone(content))
	}
	return v, nil
}

// markFlag keeps marks for missing values as flags, because ".." and "n/a" may mean
// different things. A colon means only that the value is missing.
func (r *reader) markFlag(mark string) (stat.Flags, bool) {
	if mark == ":" {
		return "", true
	}
	return office.OwnFlag(r.Dataset.Source.ID, mark), true
}

// readKey sets the codes of the row, and the frequency if one of them states it.
// badFrequency is an error only if the row has a value.
func (r *reader) readKey(o *stat.Observation) (badFrequency, err error) {
	for i := range r.plan.axes {
		a, axis := &r.plan.axes[i], r.axes[i]
		if i == r.plan.ofPeriod || r.plan.unitsDiffer && a.Role == stat.RoleUnit {
			continue // readCell sets the code
		}
		if err := r.readCode(i, ""); err != nil {
			return nil, err
		}
		if axis.Dim.Role == stat.RoleFrequency {
			o.Frequency, badFrequency = r.frequency(a, axis, r.Key[axis.At])
		}
	}
	return badFrequency, nil
}

// readUnit sets the unit of a value whose heading may state a multiplier.
func (r *reader) readUnit(c *cell, o *stat.Observation) error {
	o.Unit = r.units.Keep(multiplied(r.cell(r.plan.unit), c.multiplier))
	for i := range r.plan.axes {
		if r.plan.axes[i].Role == stat.RoleUnit {
			if err := r.readCode(i, c.multiplier); err != nil {
				return err
			}
		}
	}
	return nil
}

// readCode sets the code of the row in a dimension; multiplier is that of units.
func (r *reader) readCode(i int, multiplier string) error {
	a, axis := &r.plan.axes[i], r.axes[i]
	label := r.cell(a.labels)
	id := r.cell(a.codes)
	for _, other := range a.others {
		id = cmp.Or(id, r.cell(other))
	}
	if id == "" {
		id = label
	}
	if a.Split != nil {
		var within string
		id, within = a.Split(id)
		label = cmp.Or(within, label)
	}
	if id == "" {
		return stat.BadFile(r.rows.At(a.codes), "the column %q is empty; every row needs a code there", r.plan.headings.name(a.codes))
	}
	if multiplied(id, multiplier) != id && (label == "" || multiplied(label, multiplier) != label) {
		id, label = multiplied(id, multiplier), multiplied(label, multiplier)
	}
	at, known := axis.Find(id)
	if !known {
		at = axis.Add(stat.Code{ID: id, Label: strings.Clone(label)})
	}
	switch code := &axis.Dim.Codes[at]; {
	case label == "" || code.Label == label:
	case code.Label == "":
		code.Label = strings.Clone(label)
	default:
		r.Report.Add(NoteOtherLabel, 1, fmt.Sprintf("line %d: %s %s is %q here and %q before", r.rows.At(0).Line, axis.Dim.ID, code.ID, label, code.Label))
	}
	r.Key[axis.At] = at
	return nil
}

func (r *reader) frequency(a *axisColumns, axis *assemble.Axis, at int32) (stat.Frequency, error) {
	if f, ok := r.frequencies[at]; ok {
		return f, nil
	}
	code := axis.Dim.Codes[at]
	f, ok := office.Frequency(r.Dataset.Source.ID, code.ID)
	if !ok {
		f, ok = frequencyNames[strings.ToLower(code.ID)]
	}
	if !ok {
		return 0, stat.BadFile(r.rows.At(a.codes), "the frequency %q (%s) cannot be stored; it must be annual, half-yearly, quarterly, monthly, weekly or daily",
			code.ID, cmp.Or(code.Label, "without a label"))
	}
	r.frequencies[at] = f
	return f, nil
}

// frequencyNames are frequencies in words, for tables without codes.
var frequencyNames = map[string]stat.Frequency{
	"annual": stat.Annual, "annually": stat.Annual, "yearly": stat.Annual, "half-yearly": stat.HalfYear, "semiannual": stat.HalfYear,
	"quarterly": stat.Quarter, "monthly": stat.Month, "weekly": stat.Week, "daily": stat.Day,
}

func (r *reader) rowPeriod() (stat.Period, error) {
	columns := r.plan.periods
	if len(columns) == 0 {
		return r.stated, nil
	}
	text := r.cell(columns[0])
	for _, c := range columns[1:] {
		text += " " + r.cell(c)
	}
	p, err := r.periods.Read(text)
	if err != nil {
		return p, r.bad(columns[0], err)
	}
	r.span = ""
	if r.periods.noted[text] {
		r.span = strings.Clone(text)
	}
	return p, nil
}

// remember returns a function that calls means once for each text.
func remember(means func(string) (stat.Flags, bool)) func(string) (stat.Flags, bool) {
	type meaning struct {
		flags   stat.Flags
		isKnown bool
	}
	meanings := map[string]meaning{}
	return func(text string) (stat.Flags, bool) {
		m, ok := meanings[text]
		if !ok {
			m.flags, m.isKnown = means(text)
			meanings[strings.Clone(text)] = m
		}
		return m.flags, m.isKnown
	}
}

func (r *reader) flags(text string, means func(string) (stat.Flags, bool)) stat.Flags {
	if text == "" {
		return ""
	}
	flags, isKnown := means(text)
	if !isKnown {
		r.Report.Add(stat.NoteUnknownFlag, 1, strings.Clone(text))
	}
	return flags
}

// joinFlags is [stat.NewFlags] for two flags of which one is usually empty.
func joinFlags(a, b stat.Flags) stat.Flags {
	if a == "" || b == "" {
		return a + b
	}
	return stat.NewFlags(string(a), string(b))
}

// rowNote joins the notes of the row, which are often those of the row before.
func (r *reader) rowNote() string {
	note := ""
	for _, column := range r.plan.notes {
		if cell := r.cell(column); !text.IsMissing(cell) {
			note = JoinNotes(note, cell)
		}
	}
	if note != r.note {
		r.note = strings.Clone(note)
	}
	return r.note
}

// rowAttributes returns the attributes of the row as a note: "currency: Euro".
func (r *reader) rowAttributes() string {
	all := ""
	for _, column := range r.plan.attributes {
		if cell := r.cell(column); !text.IsMissing(cell) {
			all = JoinNotes(all, r.plan.headings.name(column)+": "+cell)
		}
	}
	if all != r.attributes {
		r.attributes = strings.Clone(all)
	}
	return r.attributes
}

// JoinNotes joins two notes, of which one may be empty.
func JoinNotes(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}
