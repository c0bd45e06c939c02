package table

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"math"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/format/office"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// Row is a row of the table as the functions of a mapping see it. It is good
// until they return.
type Row struct {
	Cells    []string
	Dataset  *stat.Dataset
	headings headings
	rows     Rows
	report   *stat.Report
}

// Cell is the cell in the column that is named as in a mapping; empty where
// there is none.
func (r *Row) Cell(name string) string {
	if at, _, err := r.headings.find(name); err == nil && at >= 0 && at < len(r.Cells) {
		return r.Cells[at]
	}
	return ""
}

// At is where the row begins.
func (r *Row) At() stat.Position { return r.rows.At(0) }

// IsSheet reports whether the row is one of a workbook, whose rows are filled
// up to one width.
func (r *Row) IsSheet() bool {
	_, ok := r.rows.(*sheetRows)
	return ok
}

// Note adds a note to the report that drops nothing.
func (r *Row) Note(kind, example string) { r.report.Add(kind, 1, example) }

// checkEvery is the number of rows between looks at whether to stop.
const checkEvery = 1024

// observations yields the cells that hold a value, a flag or a note.
func (r *reader) observations(ctx context.Context) iter.Seq2[stat.Observation, error] {
	return func(yield func(stat.Observation, error) bool) {
		stopped := false
		emit := func(o stat.Observation) bool {
			stopped = !yield(o, nil)
			return !stopped
		}
		for n := 0; ; n++ {
			err := error(nil)
			if n%checkEvery == 0 {
				err = ctx.Err()
			}
			if n > 0 && err == nil { // the first row was read already
				_, err = r.next()
			}
			if err == io.EOF {
				r.finish()
				return
			}
			if err == nil {
				err = r.readRow(emit)
			}
			if stopped {
				return
			}
			if err != nil {
				yield(stat.Observation{}, err)
				return
			}
		}
	}
}

// finish completes the dataset when all rows are read.
func (r *reader) finish() {
	r.dataset.Undated = r.caches.undated
	if len(r.caches.labels) > 0 {
		r.dataset.PeriodLabels = r.caches.labels
	}
	NoteOpenEnd(r.rows, r.report)
}

// NoteOpenEnd notes that rows that were read to their end are those of a text
// without a line break at its end: it may have been cut off within its last
// cell.
func NoteOpenEnd(rows Rows, report *stat.Report) {
	if t, ok := rows.(*textRows); ok && t.openEnd() {
		report.Add(stat.NoteOpenEnd, 1, fmt.Sprintf("line %d ends without a line break; the file may be cut off", rows.At(0).Line))
	}
}

// readRow yields the observations of the row being read.
func (r *reader) readRow(emit func(stat.Observation) bool) error {
	if err := r.checkNames(); err != nil {
		return err
	}
	o := stat.Observation{Key: r.key, Unit: r.caches.texts.Keep(r.cell(r.plan.unit))}
	r.noFrequency = nil
	if err := r.readKey(&o); err != nil {
		return err
	}
	undated := false
	if !r.mapping.Period.Wide {
		var err error
		if o.Period, undated, err = r.rowPeriod(); err != nil {
			return err
		}
	}
	var flags stat.Flags
	for _, f := range r.plan.flags {
		flags = together(flags, r.flags(f.column, f.means))
	}
	note := r.rowNote()
	for i := range r.plan.cells {
		c := &r.plan.cells[i]
		o.Flags, o.Note = flags, note
		if r.mapping.Period.Wide {
			o.Period, undated = c.period, c.undated
		}
		if keep, err := r.readCell(c, &o, undated); err != nil {
			return err
		} else if keep && !emit(o) {
			return nil
		}
	}
	return nil
}

// readCell completes the observation of a cell; keep is false where there is
// nothing to yield.
func (r *reader) readCell(c *cell, o *stat.Observation, undated bool) (keep bool, err error) {
	r.report.Read++
	o.At = r.rows.At(c.column)
	if r.plan.measure >= 0 {
		r.key[r.axes[r.plan.measure].At] = c.measure
	}
	if r.plan.estimate >= 0 {
		r.key[r.axes[r.plan.estimate].At] = c.estimate
	}
	if r.plan.ofPeriod >= 0 && !undated {
		axis := r.axes[r.plan.ofPeriod]
		r.key[axis.At] = axis.Add(stat.Code{ID: o.Period.Frequency().Code()})
	}
	if c.flag >= 0 {
		o.Flags = together(o.Flags, r.flags(c.flag, r.plan.means))
	}
	if c.note >= 0 {
		o.Note = strings.Clone(joinNotes(o.Note, r.cell(c.note)))
	}
	if o.Value, err = r.value(c, o); err != nil {
		return false, err
	}
	if r.mapping.Observe != nil && (r.cell(c.column) != "" || o.Flags != "" || o.Note != "") {
		if err := r.mapping.Observe(&r.row, o); err != nil {
			return false, r.bad(c.column, err)
		}
	}
	missing := math.IsNaN(o.Value)
	if !missing && o.Flags.Missing() {
		r.report.Add(stat.NoteNumberUnderMissing, 1, fmt.Sprintf("line %d: %s with status %s", o.At.Line, r.cell(c.column), o.Flags))
		o.Value, missing = math.NaN(), true
	}
	if missing {
		r.report.Missing++
		return !undated && !c.bound && (o.Flags != "" || o.Note != ""), nil
	}
	if r.noFrequency != nil {
		return false, r.noFrequency // it matters where there is a value
	}
	if undated {
		r.report.Add(stat.NoteUndated, 1, r.caches.undated[0])
		return false, nil
	}
	return true, nil
}

// value reads a cell: NaN is a missing one.
func (r *reader) value(c *cell, o *stat.Observation) (float64, error) {
	content := r.cell(c.column)
	if content == "" {
		return math.NaN(), nil
	}
	if mark, ok := r.mapping.Marks[content]; ok {
		o.Flags = together(o.Flags, mark.Flags)
		if mark.Zero {
			return 0, nil
		}
		return math.NaN(), nil
	}
	v, exact, ok := r.style.Number([]byte(content))
	if !ok {
		if text.IsMissing(content) {
			o.Flags = together(o.Flags, r.caches.markOf(r.dataset.Source.ID, content))
			return math.NaN(), nil
		}
		return 0, stat.BadFile(o.At, "%q is no number (%s), and no mark for a missing one, in the column %q",
			text.Clip(content), styleText(r.style), r.found.headings.name(c.column))
	}
	if !exact {
		r.report.Add(stat.NoteRounded, 1, strings.Clone(content))
	}
	return v, nil
}

// readKey fills in the codes of the row, and the frequency that one of them
// may state.
func (r *reader) readKey(o *stat.Observation) error {
	for i := range r.plan.axes {
		a, axis := &r.plan.axes[i], r.axes[i]
		if i == r.plan.ofPeriod {
			continue // the cells say it
		}
		id, label := r.cell(a.codes), r.cell(a.labels)
		switch {
		case a.codes < 0:
			id = a.Constant
		case id == "" && label != "":
			id = label
		case id == "":
			id = a.Empty
		}
		if a.Split != nil {
			var within string
			id, within = a.Split(id)
			label = cmp.Or(within, label)
		}
		if id == "" {
			return stat.BadFile(r.rows.At(max(a.codes, 0)), "the column %q is empty; every row needs a code there", r.found.headings.name(a.codes))
		}
		at, known := axis.Find(id)
		if !known {
			at = axis.Add(stat.Code{ID: id, Label: strings.Clone(label), Unit: strings.Clone(r.cell(a.units))})
		} else if code := &axis.Dim.Codes[at]; label != "" && code.Label != label {
			r.relabel(axis, code, label)
		}
		if err := r.checkUnit(a, &axis.Dim.Codes[at]); err != nil {
			return err
		}
		r.key[axis.At] = at
		if axis.Dim.Role == stat.RoleFrequency {
			o.Frequency, r.noFrequency = r.frequency(a, axis, at)
		}
	}
	return nil
}

// relabel weighs a second label of a code: the first that is not empty stays.
func (r *reader) relabel(axis *assemble.Axis, code *stat.Code, label string) {
	if code.Label == "" {
		code.Label = strings.Clone(label)
		return
	}
	r.report.Add(NoteOtherLabel, 1, fmt.Sprintf("line %d: %s %s is %q here and %q before", r.rows.At(0).Line, axis.Dim.ID, code.ID, label, code.Label))
}

// checkUnit holds a code to one unit.
func (r *reader) checkUnit(a *axisColumns, code *stat.Code) error {
	unit := r.cell(a.units)
	if unit == "" || unit == code.Unit {
		return nil
	}
	if code.Unit != "" {
		return stat.BadFile(r.rows.At(a.units), "the unit of %q is %q here and %q before; map the column of units as the unit of each value instead", code.ID, unit, code.Unit)
	}
	code.Unit = strings.Clone(unit)
	return nil
}

// frequency is what the code of the frequency dimension means.
func (r *reader) frequency(a *axisColumns, axis *assemble.Axis, at int32) (stat.Frequency, error) {
	if f, ok := r.freq[at]; ok {
		return f, nil
	}
	code := axis.Dim.Codes[at]
	f, ok := office.Frequency(r.dataset.Source.ID, code.ID)
	if !ok {
		f, ok = frequencyNames[strings.ToLower(code.ID)]
	}
	if !ok {
		return 0, stat.BadFile(r.rows.At(max(a.codes, 0)), "the frequency %q (%s) is none that can be stored: annual, half-yearly, quarterly, monthly, weekly or daily",
			code.ID, cmp.Or(code.Label, "without a label"))
	}
	r.freq[at] = f
	return f, nil
}

// frequencyNames are frequencies in words, where a table has no codes.
var frequencyNames = map[string]stat.Frequency{
	"annual": stat.Annual, "annually": stat.Annual, "yearly": stat.Annual, "half-yearly": stat.HalfYear, "semiannual": stat.HalfYear,
	"quarterly": stat.Quarter, "monthly": stat.Month, "weekly": stat.Week, "daily": stat.Day,
}

// checkNames holds the file to one dataset.
func (r *reader) checkNames() error {
	for i, column := range []int{r.plan.code, r.plan.name} {
		if column >= 0 && r.cell(column) != r.named[i] {
			return stat.BadFile(r.rows.At(column), "the dataset is %q here and %q in the first row; a table holds one dataset", r.cell(column), r.named[i])
		}
	}
	return nil
}

// rowPeriod reads the period of the row.
func (r *reader) rowPeriod() (stat.Period, bool, error) {
	if r.plan.period < 0 && len(r.plan.parts) == 0 {
		return r.stated, false, nil
	}
	at, text := r.plan.period, r.cell(r.plan.period)
	if at < 0 {
		var parts []string
		for _, p := range r.plan.parts {
			parts = append(parts, r.cell(p))
		}
		at, text = r.plan.parts[0], strings.Join(parts, " ")
	}
	p, undated, err := r.caches.period(r.mapping, text)
	if err != nil {
		return p, false, r.bad(at, err)
	}
	return p, undated, nil
}

// flags reads a cell of remarks.
func (r *reader) flags(column int, means func(string) (stat.Flags, bool)) stat.Flags {
	text := r.cell(column)
	if text == "" {
		return ""
	}
	f, ok := r.caches.flags[flagText{column, text}]
	if !ok {
		f.flags, f.known = means(text)
		r.caches.flags[flagText{column, strings.Clone(text)}] = f
	}
	if !f.known {
		r.report.Add(stat.NoteUnknownFlag, 1, strings.Clone(text))
	}
	return f.flags
}

// together are both flags; most cells have none.
func together(a, b stat.Flags) stat.Flags {
	if a == "" || b == "" {
		return a + b
	}
	return stat.NewFlags(string(a), string(b))
}

// rowNote joins the row's notes; rows often repeat the one before.
func (r *reader) rowNote() string {
	note := ""
	for _, column := range r.plan.notes {
		note = joinNotes(note, r.cell(column))
	}
	if note != r.note {
		r.note = strings.Clone(note)
	}
	return r.note
}

func joinNotes(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}
