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

// section is the place of the values in the file, and what the first reading found.
type section struct {
	at        stat.Position
	kind      jsonscan.Kind // array, object, or 0: there are none
	entries   int
	notNull   int // entries that are not null
	ascending bool
}

func (s *section) count(j *jsonscan.Scanner, open jsonscan.Token) error {
	*s = section{at: open.At, kind: open.Kind, ascending: true}
	before := int64(-1)
	return eachCell(j, open.Kind, func(cell int64, _ stat.Position, value jsonscan.Token) error {
		switch value.Kind {
		case jsonscan.Object, jsonscan.Array, jsonscan.True, jsonscan.False:
			return stat.BadFile(value.At, "a value must be a number, or null for none")
		case jsonscan.Null:
		default:
			s.notNull++
		}
		s.entries++
		s.ascending = s.ascending && cell > before
		before = cell
		return nil
	}, nil)
}

// reader reads the values of a cube.
type reader struct {
	*assemble.Table
	cube     *cube
	time     timeline
	meanings []meaning     // by text of a status
	texts    text.Interner // of several notes together

	frequency      stat.Frequency   // of the whole dataset
	frequencies    []stat.Frequency // by code of frequencyOf
	frequencyOf    *dimension       // nil: there is none
	addedFrequency *assemble.Axis   // a dimension of frequencies that the file lacks; nil if none is added

	cell int64 // the current cell of the dimensions
	near int   // see statuses.find
}

// newReader prepares a dataset for reading. report has the notes on the whole file.
func newReader(ctx context.Context, c *cube, in format.Input, report *stat.Report) (*reader, error) {
	t := &reader{Table: assemble.New(ctx, in.Name), cube: c, texts: text.Interner{}}
	t.Report.Merge(report)
	if err := t.setTime(in); err != nil {
		return nil, err
	}
	t.describe(in)
	source := t.Dataset.Source.ID
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
	for _, d := range c.order {
		if len(d.notes) == 0 {
			continue
		}
		for _, code := range d.codes {
			d.noteOf = append(d.noteOf, strings.Join(d.notes[code], " "))
		}
	}
	return t, nil
}

// setDimensions gives the dataset all dimensions but the time, and finds the
// frequency of its series.
func (t *reader) setDimensions(statedGeo string) error {
	c, source := t.cube, t.Dataset.Source.ID
	if t.time.dim != nil {
		t.frequency, _ = office.Frequency(source, t.time.dim.frequency)
	}
	var dims []stat.Dimension
	var from []*dimension
	for _, d := range c.order {
		if d == t.time.dim {
			continue
		}
		dim := d.stat(c.totals[d.id])
		if assemble.RoleOf(d.id) == stat.RoleFrequency {
			if all := frequencies(source, &dim); all != nil {
				t.frequencies, t.frequencyOf = all, d
			} else {
				dim.Role = stat.RoleOther
			}
		}
		dims, from = append(dims, dim), append(from, d)
	}
	for _, id := range c.roles["geo"] { // the first in the order of roles
		if at := slices.IndexFunc(dims, func(d stat.Dimension) bool { return d.ID == id }); at >= 0 {
			dims[at].Role = stat.RoleGeo
			break
		}
	}
	// Eurostat's service of 2016 has no dimension of frequencies; its other files
	// have one.
	addFrequency := t.frequencyOf == nil && source == eurostat
	if addFrequency {
		dims = slices.Insert(dims, 0, stat.Dimension{ID: "freq", Role: stat.RoleFrequency})
	}
	axes, err := t.SetDimensions(dims, statedGeo)
	if err != nil {
		return err
	}
	if addFrequency {
		t.addedFrequency, axes = axes[0], axes[1:]
		for _, p := range t.time.Periods {
			if !p.IsZero() {
				t.addedFrequency.Code([]byte(p.Frequency().Code()))
			}
		}
	}
	for i, d := range from {
		d.axis = axes[i]
	}
	return nil
}

// read yields the cells with a value, a status or both.
func (t *reader) read(file *jsonscan.File) error {
	c := t.cube
	if c.values.kind != 0 {
		j, _, err := file.From(c.values.at)
		if err != nil {
			return err
		}
		seen := cellSet{} // only where the cells are not in order
		if err := eachCell(j, c.values.kind, func(cell int64, at stat.Position, value jsonscan.Token) error {
			if cell >= c.cells {
				return stat.BadFile(at, "there is a value of the cell %d, but the cells are 0 to %d", cell, c.cells-1)
			}
			if !c.values.ascending && !seen.add(cell) {
				return stat.BadFile(at, "the cell %d has two values", cell)
			}
			return t.observe(cell, value)
		}, nil); err != nil {
			return err
		}
	}
	if c.values.kind != jsonscan.Array {
		// A cell may have a status and no numbered value.
		for i := range c.status.entries {
			if e := &c.status.entries[i]; !e.used {
				t.near = i
				if err := t.observe(e.cell, jsonscan.Token{Kind: jsonscan.Null, At: e.at()}); err != nil {
					return err
				}
			}
		}
	}
	assemble.NoteUnlabelled(t.Dataset, t.Report)
	return nil
}

// cellSet is a set of cells: for each 64 cells their bits.
type cellSet map[int64]uint64

// add adds a cell; false if it is there already.
func (s cellSet) add(cell int64) bool {
	bits := s[cell/64]
	s[cell/64] = bits | 1<<(cell%64)
	return bits&(1<<(cell%64)) == 0
}

// observe counts a cell and yields it, unless it is empty.
func (t *reader) observe(cell int64, token jsonscan.Token) error {
	o := stat.Observation{Key: t.Key, At: token.At, Frequency: t.frequency}
	var mark string
	var err error
	if o.Value, mark, err = t.value(token); err != nil {
		return err
	}
	t.setFlags(&o, cell, mark)
	t.goTo(cell)
	time := int64(0)
	if t.time.dim != nil {
		time = t.time.dim.current
	}
	if o.Period = t.time.Periods[time]; o.Period.IsZero() {
		return t.YieldCell(&o, fmt.Sprintf("line %d: %s", o.At.Line, text.Clip(t.time.dim.codes[time])))
	}
	if math.IsNaN(o.Value) && o.Flags == "" && o.Note == "" {
		return t.YieldCell(&o, "")
	}
	if err := t.setKey(&o); err != nil {
		return err
	}
	return t.YieldCell(&o, "")
}

// setKey sets the key, the frequency and the notes of an observation.
func (t *reader) setKey(o *stat.Observation) error {
	for _, d := range t.cube.order {
		if d.axis != nil {
			t.Key[d.axis.At] = int32(d.current)
		}
	}
	if t.addedFrequency != nil {
		t.Key[t.addedFrequency.At] = t.addedFrequency.Code([]byte(o.Period.Frequency().Code()))
	}
	if d := t.frequencyOf; d != nil {
		if o.Frequency = t.frequencies[d.current]; o.Frequency == 0 && !math.IsNaN(o.Value) {
			return badFrequency(o.At, d.axis.Dim.Codes[d.current])
		}
	}
	for _, d := range t.cube.order {
		switch {
		case d.noteOf == nil || d.noteOf[d.current] == "":
		case o.Note == "":
			o.Note = d.noteOf[d.current]
		default:
			o.Note = t.texts.Keep(o.Note + " " + d.noteOf[d.current])
		}
	}
	return nil
}

// value reads a value: a number, null, a number as text, or a mark that there is
// none.
func (t *reader) value(token jsonscan.Token) (value float64, mark string, err error) {
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
		return 0, "", stat.BadFile(token.At, "a value must be a number, or null for none")
	}
	value, size, exact := text.Number(token.Text)
	switch {
	case size == 0 && token.Kind == jsonscan.Number:
		return 0, "", stat.BadFile(token.At, "the number %s cannot be stored in 64-bit floating point", text.Clip(string(token.Text)))
	case size != len(token.Text):
		return 0, "", stat.BadFile(token.At, "%q is not a number; a value must be written like -1234.5, or null for none", text.Clip(string(token.Text)))
	case !exact:
		t.Report.Add(stat.NoteRounded, 1, fmt.Sprintf("line %d: %s", token.At.Line, text.Clip(string(token.Text))))
	}
	return value, "", nil
}

// setFlags sets the flags of an observation. mark stands in place of the value.
func (t *reader) setFlags(o *stat.Observation, cell int64, mark string) {
	var m meaning
	status := t.cube.status.find(cell, &t.near)
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

// goTo moves all dimensions to a cell, which mostly follows the last one.
func (t *reader) goTo(cell int64) {
	rest, isNext := cell, cell == t.cell+1
	for _, d := range slices.Backward(t.cube.order) {
		size := int64(len(d.codes))
		if !isNext {
			d.current, rest = rest%size, rest/size
			continue
		}
		if d.current++; d.current < size {
			break
		}
		d.current = 0
	}
	t.cell = cell
}
