package jsonstat

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
	"almanac/internal/format/jsonscan"
	"almanac/internal/format/office"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// table is the dataset that a cube becomes.
type table struct {
	*assemble.Table
	cube     *cube
	time     timeline
	sizes    []int64
	axes     []*assemble.Axis // by dimension of the file; nil: time
	notes    [][]string       // by dimension, then by category; nil: it has none
	meanings []meaning        // by text of a status
	texts    text.Interner    // of several notes together

	frequency   stat.Frequency   // of the whole dataset
	frequencies []stat.Frequency // of the codes of the dimension at frequencyAt
	frequencyAt int              // -1: there is none
	added       *assemble.Axis   // a dimension of frequencies that the file does not have; nil: none was added
	addedCodes  []int32          // of that, by period

	cell  int64   // that index is of
	index []int64 // of the cell in each dimension
	near  int     // see statuses.of
}

// newTable prepares a dataset for reading. noted holds what was noted of the
// whole file.
func newTable(ctx context.Context, c *cube, in format.Input, noted *stat.Report) (*table, error) {
	t := &table{Table: assemble.New(ctx, in.Name), cube: c, texts: text.Interner{}}
	t.Report.Merge(noted)
	if err := t.setTime(in); err != nil {
		return nil, err
	}
	t.describe(in)
	if words := c.selection(); words != "" {
		t.Selection(words, c.code(), in.Code)
	}
	source := t.Dataset.Source.ID
	if source == "" {
		return nil, stat.BadFile(c.at, "the dataset %q does not say whose it is: state the office with --source", text.Clip(c.title()))
	}
	if err := t.setDimensions(in.Geo); err != nil {
		return nil, err
	}
	for _, status := range c.status.texts {
		m := meaningOf(source, status)
		if !m.known {
			m.note = c.status.labels[status]
		}
		t.meanings = append(t.meanings, m)
	}
	for _, id := range c.ids {
		d := c.dims[id]
		var notes []string
		if len(d.notes) > 0 {
			notes = make([]string, len(d.codes))
			for i, code := range d.codes {
				notes[i] = strings.Join(d.notes[code], " ")
			}
		}
		t.sizes, t.notes = append(t.sizes, int64(len(d.codes))), append(t.notes, notes)
	}
	t.index = make([]int64, len(c.ids))
	return t, nil
}

// setDimensions makes the dimensions of the dataset, all but time, and finds out
// which series come how often.
func (t *table) setDimensions(statedGeo string) error {
	c, source := t.cube, t.Dataset.Source.ID
	t.frequencyAt = -1
	if t.time.at >= 0 {
		t.frequency, _ = office.Frequency(source, c.dims[c.ids[t.time.at]].frequency)
	}
	var dims []stat.Dimension
	for i, id := range c.ids {
		if i == t.time.at {
			continue
		}
		dim := c.dimension(id)
		if assemble.RoleOf(id) == stat.RoleFrequency {
			if all := frequencies(source, &dim); all != nil {
				t.frequencies, t.frequencyAt = all, i
			} else {
				dim.Role = stat.RoleOther
			}
		}
		dims = append(dims, dim)
	}
	for _, id := range c.roles["geo"] { // in this order, which need not be that of the dimensions
		if at := slices.IndexFunc(dims, func(d stat.Dimension) bool { return d.ID == id }); at >= 0 {
			dims[at].Role = stat.RoleGeo
			break
		}
	}
	// Eurostat's service of 2016 has no dimension of frequencies. It gets the
	// one that the office's other files have.
	addFrequency := t.frequencyAt < 0 && source == eurostat
	if addFrequency {
		dims = slices.Insert(dims, 0, stat.Dimension{ID: "freq", Role: stat.RoleFrequency})
	}
	axes, err := t.SetDimensions(dims, statedGeo)
	if err != nil {
		return err
	}
	if addFrequency {
		t.added, axes = axes[0], axes[1:]
		for _, p := range t.time.periods {
			code := int32(0)
			if !p.IsZero() {
				code = t.added.Add(stat.Code{ID: p.Frequency().Code()})
			}
			t.addedCodes = append(t.addedCodes, code)
		}
	}
	if t.time.at >= 0 {
		axes = slices.Insert(axes, t.time.at, nil)
	}
	t.axes = axes
	return nil
}

// read yields the cells with a value, a status or both.
func (t *table) read(values *jsonscan.File) error {
	c := t.cube
	if c.value.kind != 0 {
		j, err := values.From(c.value.at)
		if err != nil {
			return err
		}
		if _, err := j.Next(); err != nil { // the [ or {
			return err
		}
		if err := eachCell(j, t.newEntry(), nil); err != nil {
			return err
		}
	}
	if c.value.kind != jsonscan.Array {
		// Cells may have a status and no entry among numbered values.
		for i := range c.status.entries {
			if e := &c.status.entries[i]; !e.used {
				t.near = i
				if err := t.observe(e.cell, jsonscan.Token{Kind: jsonscan.Null, At: e.position()}); err != nil {
					return err
				}
			}
		}
	}
	assemble.NoteUnlabelled(t.Dataset, t.Report)
	return nil
}

// newEntry returns what reads an entry among the values, none of which may come
// twice.
func (t *table) newEntry() func(cell int64, at stat.Position, value jsonscan.Token) error {
	var seen map[int64]struct{} // only where the cells are not in order
	if !t.cube.value.ascending {
		seen = map[int64]struct{}{}
	}
	return func(cell int64, at stat.Position, value jsonscan.Token) error {
		if cell >= t.cube.cells {
			return stat.BadFile(at, "there is a value of the cell %d, and the cells are 0 to %d", cell, t.cube.cells-1)
		}
		if seen != nil {
			if _, twice := seen[cell]; twice {
				return stat.BadFile(at, "the cell %d has two values", cell)
			}
			seen[cell] = struct{}{}
		}
		return t.observe(cell, value)
	}
}

// observe accounts for a cell and yields it, unless it says nothing.
func (t *table) observe(cell int64, token jsonscan.Token) error {
	o := stat.Observation{Key: t.Key, At: token.At, Frequency: t.frequency}
	var mark string
	var err error
	if o.Value, mark, err = t.value(token); err != nil {
		return err
	}
	t.setFlags(&o, cell, mark)
	t.goTo(cell)
	time := int64(0)
	if t.time.at >= 0 {
		time = t.index[t.time.at]
	}
	if o.Period = t.time.periods[time]; o.Period.IsZero() {
		d := t.cube.dims[t.cube.ids[t.time.at]]
		return t.Cell(&o, fmt.Sprintf("line %d: %s", o.At.Line, text.Clip(d.codes[time])))
	}
	if math.IsNaN(o.Value) && o.Flags == "" && o.Note == "" {
		return t.Cell(&o, "")
	}
	if err := t.setKey(&o, time); err != nil {
		return err
	}
	t.addNotes(&o)
	return t.Cell(&o, "")
}

// setKey gives an observation its key and its frequency.
func (t *table) setKey(o *stat.Observation, time int64) error {
	for i, axis := range t.axes {
		if axis != nil {
			t.Key[axis.At] = int32(t.index[i])
		}
	}
	if t.added != nil {
		t.Key[t.added.At] = t.addedCodes[time]
	}
	if t.frequencyAt >= 0 {
		code := t.index[t.frequencyAt]
		if o.Frequency = t.frequencies[code]; o.Frequency == 0 && !math.IsNaN(o.Value) {
			return badFrequency(o.At, t.axes[t.frequencyAt].Dim.Codes[code])
		}
	}
	return nil
}

// addNotes adds the notes on the observation's categories.
func (t *table) addNotes(o *stat.Observation) {
	for i, notes := range t.notes {
		if notes == nil || notes[t.index[i]] == "" {
			continue
		}
		if o.Note == "" {
			o.Note = notes[t.index[i]]
		} else {
			o.Note = t.texts.Keep(o.Note + " " + notes[t.index[i]])
		}
	}
}

// value reads what stands in the place of a value: a number, null, a number
// as text, or a mark that there is none.
func (t *table) value(token jsonscan.Token) (value float64, mark string, err error) {
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
		t.Report.Add(stat.NoteRounded, 1, fmt.Sprintf("line %d: %s", token.At.Line, text.Clip(string(token.Text))))
	}
	return value, "", nil
}

// setFlags gives an observation its flags. mark is one that stands in the place
// of the value.
func (t *table) setFlags(o *stat.Observation, cell int64, mark string) {
	var m meaning
	status := t.cube.status.of(cell, &t.near)
	switch {
	case status > 0:
		m = t.meanings[status-1]
		o.Note = m.note
	case mark != "":
		m = meaningOf(t.Dataset.Source.ID, mark)
	default:
		return
	}
	if !m.known {
		t.Report.Add(stat.NoteUnknownFlag, 1, fmt.Sprintf("line %d: %s", o.At.Line, text.Clip(string(m.flags))))
	}
	if math.IsNaN(o.Value) {
		o.Flags = m.alone
		return
	}
	o.Flags = m.flags
	if m.missing {
		t.Report.Add(stat.NoteNumberUnderMissing, 1, fmt.Sprintf("line %d: %v with status %s", o.At.Line, o.Value, text.Clip(t.cube.status.texts[status-1])))
		o.Value, o.Flags = math.NaN(), m.alone
	}
}

// goTo sets the position in each dimension for a cell. Mostly it is the one
// after the last.
func (t *table) goTo(cell int64) {
	if cell == t.cell+1 {
		for i := len(t.index) - 1; i >= 0; i-- {
			if t.index[i]++; t.index[i] < t.sizes[i] {
				break
			}
			t.index[i] = 0
		}
	} else if cell != t.cell {
		rest := cell
		for i := len(t.index) - 1; i >= 0; i-- {
			t.index[i] = rest % t.sizes[i]
			rest /= t.sizes[i]
		}
	}
	t.cell = cell
}
