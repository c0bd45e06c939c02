package jsonstat

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
	"almanac/internal/format/jsonscan"
	"almanac/internal/format/office"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// run reads the values of one dataset.
type run struct {
	cube    *cube
	dataset *stat.Dataset
	report  *stat.Report
	values  *jsonscan.File

	clock    *clock
	partial  string // see [stat.Table]
	sizes    []int64
	axes     []*assemble.Axis // by dimension of the file; nil: time
	notes    [][]string       // by dimension, then by category; nil: it has none
	joined   map[string]string
	meanings []meaning

	frequencies []stat.Frequency // of the codes of dimension frequencyAt
	frequencyAt int              // -1: there is none
	stated      stat.Frequency   // of the whole dataset
	made        []int32          // by period: the code of a dimension of frequencies that was made first of all; nil: none was

	cell  int64   // that position is of
	index []int64 // of the cell in each dimension
	near  int     // see statuses.of
	key   []int32
}

// newRun prepares a dataset for reading. noted holds what was noted of the
// whole file.
func newRun(c *cube, in format.Input, noted *stat.Report) (*run, error) {
	r := &run{cube: c, report: &stat.Report{}, frequencyAt: -1, joined: map[string]string{}}
	for _, n := range noted.Notes() {
		r.report.Add(n.Kind, n.Count, n.Example)
	}
	var err error
	if r.clock, err = c.readClock(in, r.report); err != nil {
		return nil, err
	}
	r.dataset = c.describe(in, r.report)
	if words := c.selection(); words != "" {
		table := assemble.New(context.Background(), in.Name)
		table.Report = r.report
		table.Selection(words, c.code(), in.Code)
		r.partial = table.Partial
	}
	if r.dataset.Source.ID == "" {
		return nil, stat.BadFile(c.at, "the dataset %q does not say whose it is: state the office with --source", text.Clip(c.title()))
	}
	r.dataset.Undated, r.dataset.PeriodLabels = r.clock.undated, r.clock.spans
	if r.axes, err = c.axes(r.dataset, r.clock.at, in.Geo); err != nil {
		return nil, err
	}
	r.meanings = c.status.meanings(r.dataset.Source.ID)
	r.settleFrequency()
	for _, id := range c.ids {
		r.sizes = append(r.sizes, int64(len(c.dims[id].codes)))
		r.notes = append(r.notes, c.dims[id].notesByCategory())
	}
	r.index = make([]int64, len(c.ids))
	r.key = assemble.Key(r.dataset)
	return r, nil
}

// settleFrequency finds out which series come how often.
func (r *run) settleFrequency() {
	if r.clock.at >= 0 {
		r.stated, _ = office.Frequency(r.dataset.Source.ID, r.cube.dims[r.cube.ids[r.clock.at]].frequency)
	}
	named := false
	for i, axis := range r.axes {
		if axis == nil || axis.Dim.Role != stat.RoleFrequency {
			continue
		}
		all := frequencies(r.dataset.Source.ID, axis.Dim)
		if all == nil {
			axis.Dim.Role = stat.RoleOther
			continue
		}
		named = true
		r.frequencies, r.frequencyAt = all, i
	}
	if named || r.dataset.Source.ID != eurostat {
		return
	}
	// Eurostat's service of 2016 has no dimension of frequencies. It gets the
	// one that the office's other files have.
	r.dataset.Dimensions = slices.Insert(r.dataset.Dimensions, 0, stat.Dimension{ID: "freq", Role: stat.RoleFrequency})
	if r.dataset.Geography.ID != "" {
		r.dataset.GeographyAt++
	}
	for _, p := range r.clock.periods {
		r.made = append(r.made, r.frequencyCode(p))
	}
}

// frequencyCode is the code of a period's frequency in the dimension that was
// made.
func (r *run) frequencyCode(p stat.Period) int32 {
	if p.IsZero() {
		return 0
	}
	dim := &r.dataset.Dimensions[0]
	id := p.Frequency().Code()
	at := slices.IndexFunc(dim.Codes, func(c stat.Code) bool { return c.ID == id })
	if at < 0 {
		at = len(dim.Codes)
		dim.Codes = append(dim.Codes, stat.Code{ID: id})
	}
	return int32(at)
}

// notesByCategory are the notes on the categories in their order; nil if
// there are none.
func (d *dimension) notesByCategory() []string {
	if len(d.notes) == 0 {
		return nil
	}
	all := make([]string, len(d.codes))
	for i, code := range d.codes {
		all[i] = strings.Join(d.notes[code], " ")
	}
	return all
}

// observations yields the cells with a value, a status or both.
func (r *run) observations(yield func(stat.Observation, error) bool) {
	var err error
	goOn := true
	switch r.cube.value.kind {
	case jsonscan.Array:
		goOn, err = r.array(yield)
	case jsonscan.Object:
		goOn, err = r.object(yield)
	}
	if err == nil && goOn && r.cube.value.kind != jsonscan.Array {
		err = r.onlyStatus(yield)
	}
	if err != nil {
		yield(stat.Observation{}, err)
	} else if goOn {
		assemble.NoteUnlabelled(r.dataset, r.report)
	}
}

// array reads values that stand one for each cell.
func (r *run) array(yield func(stat.Observation, error) bool) (goOn bool, err error) {
	j, err := r.values.From(r.cube.value.at)
	if err != nil {
		return false, err
	}
	if _, err := j.Next(); err != nil { // the [
		return false, err
	}
	for cell := int64(0); ; cell++ {
		token, err := j.Next()
		if err != nil {
			return false, err
		}
		if token.Kind == jsonscan.ArrayEnd {
			return true, nil
		}
		if cell >= r.cube.cells {
			return false, stat.BadFile(token.At, "the file became longer while it was read")
		}
		if goOn, err := r.entry(cell, token, yield); err != nil || !goOn {
			return false, err
		}
	}
}

// object reads values with the numbers of their cells.
func (r *run) object(yield func(stat.Observation, error) bool) (goOn bool, err error) {
	j, err := r.values.From(r.cube.value.at)
	if err != nil {
		return false, err
	}
	if _, err := j.Next(); err != nil { // the {
		return false, err
	}
	var seen map[int64]struct{} // only where the cells are not in order
	if !r.cube.value.ascending {
		seen = map[int64]struct{}{}
	}
	for {
		name, err := j.Next()
		if err != nil {
			return false, err
		}
		if name.Kind == jsonscan.ObjectEnd {
			return true, nil
		}
		cell, err := cellNumber(name)
		if err != nil {
			return false, err
		}
		if cell >= r.cube.cells {
			return false, stat.BadFile(name.At, "there is a value of the cell %d, and the cells are 0 to %d", cell, r.cube.cells-1)
		}
		if seen != nil {
			if _, twice := seen[cell]; twice {
				return false, stat.BadFile(name.At, "the cell %d has two values", cell)
			}
			seen[cell] = struct{}{}
		}
		token, err := j.Next()
		if err != nil {
			return false, err
		}
		if goOn, err := r.entry(cell, token, yield); err != nil || !goOn {
			return false, err
		}
	}
}

// onlyStatus yields the cells that have a status and no entry among values
// that stand with their numbers.
func (r *run) onlyStatus(yield func(stat.Observation, error) bool) error {
	for i := range r.cube.status.entries {
		e := &r.cube.status.entries[i]
		if e.used {
			continue
		}
		at := stat.Position{Line: int(e.line), Column: int(e.column)}
		r.near = i
		if goOn, err := r.entry(e.cell, jsonscan.Token{Kind: jsonscan.Null, At: at}, yield); err != nil || !goOn {
			return err
		}
	}
	return nil
}

// entry accounts for a cell and yields it, unless it says nothing.
func (r *run) entry(cell int64, token jsonscan.Token, yield func(stat.Observation, error) bool) (goOn bool, err error) {
	r.report.Read++
	o := stat.Observation{Key: r.key, At: token.At, Frequency: r.stated}
	var mark string
	if o.Value, mark, err = r.value(token); err != nil {
		return false, err
	}
	r.remark(&o, cell, mark)
	missing := math.IsNaN(o.Value)
	if missing {
		r.report.Missing++
		if o.Flags == "" && o.Note == "" {
			return true, nil
		}
	}
	r.goTo(cell)
	at := r.index
	time := int64(0)
	if r.clock.at >= 0 {
		time = at[r.clock.at]
	}
	if o.Period = r.clock.periods[time]; o.Period.IsZero() {
		if !missing {
			d := r.cube.dims[r.cube.ids[r.clock.at]]
			r.report.Add(stat.NoteUndated, 1, fmt.Sprintf("line %d: %s", token.At.Line, text.Clip(d.codes[time])))
		}
		return true, nil
	}
	if err := r.fill(&o, time); err != nil {
		return false, err
	}
	return yield(o, nil), nil
}

// fill gives an observation its key, its frequency, and the notes on its
// categories.
func (r *run) fill(o *stat.Observation, time int64) error {
	shift := 0
	if r.made != nil {
		r.key[0] = r.made[time]
		shift = 1
	}
	for i, axis := range r.axes {
		if axis != nil {
			r.key[axis.At+shift] = int32(r.index[i])
		}
	}
	if r.frequencyAt >= 0 {
		code := r.index[r.frequencyAt]
		if o.Frequency = r.frequencies[code]; o.Frequency == 0 && !math.IsNaN(o.Value) {
			return badFrequency(o.At, r.axes[r.frequencyAt].Dim.Codes[code])
		}
	}
	var first string
	var more []string
	for i, notes := range r.notes {
		if notes == nil || notes[r.index[i]] == "" {
			continue
		}
		if first == "" {
			first = notes[r.index[i]]
			continue
		}
		more = append(more, notes[r.index[i]])
	}
	if first == "" {
		return nil
	}
	if o.Note == "" && more == nil {
		o.Note = first
		return nil
	}
	parts := append([]string{first}, more...)
	if o.Note != "" {
		parts = append([]string{o.Note}, parts...)
	}
	o.Note = r.once(strings.Join(parts, " "))
	return nil
}

// maxJoined bounds the memory for notes that were put together.
const maxJoined = 4096

// once is a text in the memory of an equal one that came before.
func (r *run) once(text string) string {
	if known, ok := r.joined[text]; ok {
		return known
	}
	if len(r.joined) < maxJoined {
		r.joined[text] = text
	}
	return text
}

// value reads what stands in the place of a value: a number, null, a number
// as text, or a mark that there is none.
func (r *run) value(token jsonscan.Token) (value float64, mark string, err error) {
	switch token.Kind {
	case jsonscan.Null:
		return math.NaN(), "", nil
	case jsonscan.String:
		content := strings.TrimSpace(string(token.Text))
		if text.IsMissing(content) {
			return math.NaN(), content, nil
		}
	case jsonscan.Number:
	default:
		return 0, "", stat.BadFile(token.At, "a value is a number, or null where there is none")
	}
	value, size, exact := text.Number(token.Text)
	switch {
	case size == 0 && token.Kind == jsonscan.Number:
		return 0, "", stat.BadFile(token.At, "%s is a number that cannot be stored (64-bit floating point)", text.Clip(string(token.Text)))
	case size != len(token.Text):
		return 0, "", stat.BadFile(token.At, "%q is no number; a value is written like -1234.5, and null where there is none", text.Clip(string(token.Text)))
	case !exact:
		r.report.Add(stat.NoteRounded, 1, "line "+strconv.Itoa(token.At.Line)+": "+text.Clip(string(token.Text)))
	}
	return value, "", nil
}

// remark gives an observation its flags. mark is one that stands in the place
// of the value.
func (r *run) remark(o *stat.Observation, cell int64, mark string) {
	var m meaning
	said := r.cube.status.of(cell, &r.near)
	switch {
	case said > 0:
		m = r.meanings[said-1]
		o.Note = m.note
	case mark != "":
		m = meaningOf(r.dataset.Source.ID, mark)
	default:
		return
	}
	if !m.known {
		r.report.Add(stat.NoteUnknownFlag, 1, fmt.Sprintf("line %d: %s", o.At.Line, text.Clip(string(m.flags))))
	}
	if math.IsNaN(o.Value) {
		o.Flags = m.alone
		return
	}
	o.Flags = m.flags
	if m.missing {
		r.report.Add(stat.NoteNumberUnderMissing, 1, fmt.Sprintf("line %d: %v with status %s", o.At.Line, o.Value, text.Clip(r.cube.status.texts[said-1])))
		o.Value, o.Flags = math.NaN(), m.alone
	}
}

// goTo sets the position in each dimension for a cell. Mostly it is the one
// after the last.
func (r *run) goTo(cell int64) {
	if cell == r.cell+1 {
		for i := len(r.index) - 1; i >= 0; i-- {
			if r.index[i]++; r.index[i] < r.sizes[i] {
				break
			}
			r.index[i] = 0
		}
	} else if cell != r.cell {
		rest := cell
		for i := len(r.index) - 1; i >= 0; i-- {
			r.index[i] = rest % r.sizes[i]
			rest /= r.sizes[i]
		}
	}
	r.cell = cell
}
