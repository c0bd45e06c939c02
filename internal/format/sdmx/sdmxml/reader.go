package sdmxml

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/format/sdmx"
	"almanac/internal/stat"
)

// maxDimensions bounds the dimensions of a data set, for each of which the reader has
// a bit.
const maxDimensions = 64

// reader yields the observations of a table.
type reader struct {
	*sdmx.Table
	w    *walker
	sets []*dataSet // not yet read
	set  *dataSet

	all           uint64 // the bits of all dimensions
	seriesContent content
	period        stat.Period // stated by the caller for a file without times
	numbers       [1]sdmx.Number
}

// newReader returns the reader of a table, which consists of data sets of one
// structure.
func (v *surveyor) newReader(w *walker, sets []*dataSet) (*reader, error) {
	first := sets[0]
	if len(first.dimensions) > maxDimensions {
		return nil, stat.BadFile(first.at, "the data set has %d dimensions; at most %d are supported", len(first.dimensions), maxDimensions)
	}
	if first.source.ID == "" {
		err := stat.BadFile(first.at, "the message does not name the office whose data it holds: state it")
		return nil, stat.Suggest(err, stat.Suggestion{Option: "source", Value: stat.AnyText})
	}
	t := assemble.New(v.ctx, v.in.Name)
	t.Prepared, t.Partial = sdmx.ParseTime(v.header.Prepared), v.partial
	d := t.Dataset
	d.Source, d.Updated = first.source, sdmx.ParseTime(v.header.Extracted)
	for _, s := range sets {
		s.dimensions = first.dimensions // in the same order
	}
	t.SetCode(first.code, v.in.Code)
	r := &reader{w: w, sets: sets, all: 1<<len(first.dimensions) - 1}
	d.Name = v.datasetName(d, first)
	dims, err := first.statDimensions()
	if err != nil {
		return nil, err
	}
	if r.Table, err = sdmx.NewTable(t, &v.in, first.structure, dims, nil); err != nil {
		return nil, err
	}
	r.ShortNotes = true
	if first.isGuess {
		r.NoteGuess(first.dimensions)
	}
	isTimed := slices.ContainsFunc(sets, func(d *dataSet) bool { return d.isTimed })
	r.period, err = r.FilePeriod(isTimed, v.in.Period, stat.BadFile(first.at, "the observations have no time: state their period"))
	return r, err
}

// datasetName returns the name of the message, or that of the structure if the
// message has none, only repeats a code, or has several datasets.
func (v *surveyor) datasetName(d *stat.Dataset, first *dataSet) string {
	h := &v.header
	name := sdmx.Best(h.Names, "")
	if slices.ContainsFunc([]string{d.Code, h.ID, h.dataSet, h.KeyFamily, "none", "unknown"}, func(no string) bool { return strings.EqualFold(name, no) }) {
		name = ""
	}
	name = cmp.Or(name, v.in.Known(d.Source.ID).About(d.Code).Title)
	if first.structure == nil {
		return name
	}
	if len(v.tables) > 1 {
		return cmp.Or(first.structure.Title, name)
	}
	return cmp.Or(name, first.structure.Title)
}

func (d *dataSet) statDimensions() ([]stat.Dimension, error) {
	dims := make([]stat.Dimension, len(d.dimensions))
	for i, id := range d.dimensions {
		if d.hasDimension(id) {
			dims[i].Role = d.structure.Dimension(id).Role
		}
		if d.source.ID == "eurostat" {
			id = strings.ToLower(id) // as in its other formats
		}
		if slices.ContainsFunc(dims[:i], func(d stat.Dimension) bool { return d.ID == id }) {
			return nil, stat.BadFile(d.at, "dimension %s occurs twice in the data set", id)
		}
		dims[i].ID = id
	}
	return dims, nil
}

func (r *reader) read() error {
	for len(r.sets) > 0 {
		err := r.w.nextDataSet()
		switch {
		case errors.Is(err, io.EOF):
			err = stat.BadFile(stat.Position{}, "the file became shorter while it was read")
		case err != nil:
		case r.w.at != r.sets[0].at: // it has no observations
			err = r.w.skip()
		default:
			r.set, r.sets = r.sets[0], r.sets[1:]
			if err = r.beginDataSet(); err == nil {
				err = r.w.readDataSet(r.take)
			}
		}
		if err != nil {
			return err
		}
	}
	r.Finish()
	return nil
}

// beginDataSet sets the attributes of the data set and its groups.
func (r *reader) beginDataSet() error {
	d := r.set
	r.Whole.Clear()
	r.setLevel(d.whole.fields, &r.Whole)
	r.AttributesNotKept.Merge(d.skippedAttributes)
	r.ClearGroups()
	for _, fields := range d.partials {
		var values sdmx.Values
		group := r.Group(r.setLevel(fields, &values))
		if group == nil {
			return stat.BadFile(d.at, sdmx.TooManyGroups)
		}
		group.Overlay(values)
	}
	r.w.setObsDimension(d)
	r.endSeries()
	return nil
}

// setLevel sets the attributes of a data set or a group, and returns the codes that
// its series have, by dimension.
func (r *reader) setLevel(fields []field, values *sdmx.Values) (codes []string) {
	codes = make([]string, len(r.set.dimensions))
	for i := range fields {
		f := &fields[i]
		switch c := r.set.component(f); c.use {
		case useDimension:
			codes[c.dimension] = string(f.value)
		case useUpdate:
			r.SetUpdated(f.value)
		case useAttribute:
			values.Set(c.attribute, f.value, nil)
		case useNoPlace:
			r.AttributesNotKept.Add(c.name)
		}
	}
	return codes
}

// take handles the series and their observations. The survey has kept the rest.
func (r *reader) take(e element, fields []field) (err error) {
	switch e {
	case series:
		r.seriesContent, err = r.readFields(e, fields)
	case seriesEnd:
		r.endSeries()
	case observation:
		err = r.observation(fields)
	}
	return err
}

// endSeries forgets the key and the attributes of the series.
func (r *reader) endSeries() {
	r.seriesContent = content{}
	r.Own.Clear()
	r.Inherit()
}

func (r *reader) observation(fields []field) error {
	r.Here.Clear()
	c, err := r.readFields(observation, fields)
	if err != nil {
		return err
	}
	if key := c.key | r.seriesContent.key; key != r.all {
		return r.missingDimensions(key)
	}
	if c.time == nil {
		c.time = r.seriesContent.time
	}
	switch {
	case c.time != nil:
		err = r.SetPeriod(c.time)
	case r.period.IsZero():
		err = errors.New("the observation has no time")
	default:
		r.Observation.Period, r.UndatedMark = r.period, ""
	}
	if err != nil {
		return r.bad("%v", err)
	}
	n, ok := sdmx.ReadNumber(c.number, sdmx.PlainStyle)
	if !ok {
		return r.bad("invalid value %.40q: want a number such as -1234.5", c.number)
	}
	n.At, r.Observation.At = r.w.at, r.w.at
	r.numbers[0] = n
	return r.YieldNumbers(r.numbers[:])
}

// content is the content of a series or an observation besides codes and attributes.
type content struct {
	key          uint64 // a bit for each dimension that has a code
	time, number []byte
}

// readFields sets the codes and attributes of a series or an observation.
func (r *reader) readFields(e element, fields []field) (content content, err error) {
	for i := range fields {
		f := &fields[i]
		c := r.set.componentOf(e, i, f)
		switch {
		case c.use == useDimension:
			err = r.setKey(c, f.value, &content.key)
		case c.use == useTime:
			content.time = f.value
		case c.use == useValue:
			content.number = f.value
		case f.part == partKey && c.use >= useNoPlace && !sdmx.IsScale(r.Dataset.Source.ID, c.name):
			err = r.bad("%s is part of this key, but not of other keys", c.name)
		case c.use == useNoPlace && len(f.value) > 0:
			r.AttributesNotKept.Add(c.name)
		case c.use == useAttribute && e == series:
			r.Own.Set(c.attribute, f.value, nil)
		case c.use == useAttribute:
			r.Here.Set(c.attribute, f.value, nil)
		case c.use == useUpdate && e == series:
			r.SetUpdated(f.value)
		}
		if err != nil {
			return content, err
		}
	}
	return content, nil
}

// setKey sets a code and its bit in the key.
func (r *reader) setKey(c *component, code []byte, key *uint64) error {
	bit := uint64(1) << c.dimension
	if *key&bit != 0 {
		return r.bad("the dimension %s occurs twice", r.Axis(c.dimension).Dim.ID)
	}
	*key |= bit
	if code = bytes.TrimSpace(code); len(code) == 0 {
		return r.bad("the dimension %s has no code", r.Axis(c.dimension).Dim.ID)
	}
	r.SetCode(c.dimension, code)
	return nil
}

func (r *reader) missingDimensions(key uint64) error {
	var missing []string
	for i := range r.set.dimensions {
		if key&(1<<i) == 0 {
			missing = append(missing, r.Axis(i).Dim.ID)
		}
	}
	return r.bad("no code for %s; the data set has this dimension in other keys", strings.Join(missing, ", "))
}

func (r *reader) bad(message string, args ...any) error {
	return stat.BadFile(r.w.at, message, args...)
}
