package sdmxml

import (
	"bytes"
	"cmp"
	"math/bits"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
	"almanac/internal/stat"
)

// maxDimensions bounds the dimensions of a data set: the reader keeps a bit
// for each.
const maxDimensions = 64

// use is what becomes of a field.
type use uint8

const (
	useNone use = iota // it says nothing of the data
	useLost            // it has no place
	useKey
	useTime
	useValue
	useStatus
	useConfidentiality
	useNote
	usePreBreak
	useUnit
	useMultiplier
)

// slot is what a name stands for.
type slot struct {
	name string
	use  use
	axis int    // of a dimension: its place in the reader's axes
	list string // of a status: its code list
}

// reader yields the observations of a table.
type reader struct {
	m      *message
	w      *walker
	in     *format.Input
	sets   []*dataSet // the parts of the table that are still to come
	set    *dataSet
	table  *stat.Table
	report *stat.Report
	done   bool

	axes    []*assemble.Axis
	dims    []string
	freq    int                   // axis of the frequency, -1 if there is none
	freqs   []frequency           // by code of that axis
	slots   map[string]*slot      // by name, of fields that may be anything
	named   map[string]*slot      // by name, of attributes in generic data
	guess   [2][]*slot            // of series and of observations: what the last one had
	partial map[uint64]partialKey // what groups say, by which dimensions they name
	order   []uint64              // the keys of partial, those that name few first
	whole   values                // what the data set says

	own       values // what the series itself says
	series    values // what holds for it
	all       uint64 // a bit for each dimension
	seriesSet uint64 // those that the series sets
	period    place  // of the series, where it bears the time

	key     []int32
	reading reading
	units   map[string]string // by code, attribute and multiplier, a zero byte between
	notKept notKept
	only    stat.Period // of a file without times
}

// partialKey is what groups that name the same dimensions say, by the codes
// they name.
type partialKey map[string]*values

// values are the attributes that a data set, a group or a series gives to all
// its observations.
type values struct {
	status, list, confidentiality string
	note, preBreak                string
	unit, multiplier              string
	unitName                      string // the attribute that has the unit
}

// frequency is what a code of frequency means.
type frequency struct {
	known bool // it has been looked up
	ok    bool
	is    stat.Frequency
}

// newReader makes the table of data sets that have the same structure.
func (m *message) newReader(w *walker, sets []*dataSet) (*reader, error) {
	first := sets[0]
	if len(first.dims) > maxDimensions {
		return nil, stat.BadFile(first.at, "the data set has %d dimensions; at most %d are read", len(first.dims), maxDimensions)
	}
	if first.source.ID == "" {
		return nil, stat.BadFile(first.at, "the message does not say whose data it holds: state the office with --source")
	}
	d := &stat.Dataset{Source: first.source, Code: first.code, Updated: m.header.updated}
	r := &reader{
		m: m, w: w, in: &m.in, sets: sets, report: &stat.Report{},
		units: map[string]string{},
		freq:  -1, dims: first.dims, all: 1<<len(first.dims) - 1,
	}
	r.table = &stat.Table{Dataset: d, Report: r.report, Prepared: m.header.prepared, Partial: m.header.cut, Observations: r.observations}
	if err := r.makeAxes(); err != nil {
		return nil, err
	}
	for _, s := range sets {
		if s.updated.After(d.Updated) {
			d.Updated = s.updated
		}
	}
	if d.Code == "" {
		d.Code = cmp.Or(m.in.Code, assemble.CodeFromName(m.in.Name, r.report))
	}
	r.nameDataset()
	if first.unknown {
		r.report.Add(stat.NoteNoStructure, 1, "taken for dimensions: "+strings.Join(first.dims, ", "))
	}
	return r, r.settlePeriod()
}

// nameDataset gives the dataset the message's name, if it is one, else that of
// its structure.
func (r *reader) nameDataset() {
	d, h := r.table.Dataset, &r.m.header
	name := h.name
	for _, none := range []string{d.Code, h.id, h.dataSet, h.keyFamily, "none", "unknown"} {
		if strings.EqualFold(name, none) {
			name = ""
		}
	}
	d.Name = cmp.Or(name, r.in.Known(d.Source.ID).About(d.Code).Title)
	if s := r.sets[0].structure; s != nil {
		d.Name = cmp.Or(d.Name, s.Title)
	}
}

// makeAxes makes the dimensions.
func (r *reader) makeAxes() error {
	first := r.sets[0]
	dims := make([]stat.Dimension, len(r.dims))
	for i, id := range r.dims {
		if first.source.ID == "eurostat" {
			id = strings.ToLower(id) // so that all its formats give one structure
		}
		dims[i].ID = id
		if first.structure == nil {
			continue
		}
		for _, c := range first.structure.Dimensions {
			if strings.EqualFold(c.ID, id) {
				dims[i].Role = c.Role
			}
		}
	}
	geo, err := assemble.Geography(dims, r.in.Geo)
	if err != nil {
		return err
	}
	for i := range dims {
		if dims[i].Role == "" || dims[i].Role == stat.RoleOther {
			dims[i].Role = assemble.RoleOf(dims[i].ID)
		}
		if dims[i].Role == stat.RoleFrequency && r.freq < 0 {
			r.freq = i
		}
		if slices.ContainsFunc(dims[:i], func(d stat.Dimension) bool { return d.ID == dims[i].ID }) {
			return stat.BadFile(first.at, "the data set has the dimension %s twice", dims[i].ID)
		}
	}
	r.axes = assemble.Arrange(r.table.Dataset, dims, geo)
	r.key = assemble.Key(r.table.Dataset)
	return nil
}

// settlePeriod takes the period that the caller states for a file without
// times.
func (r *reader) settlePeriod() error {
	timed := slices.ContainsFunc(r.sets, func(d *dataSet) bool { return d.timed })
	switch {
	case timed && r.in.Period != "":
		r.report.Add(stat.NotePeriodNotUsed, 1, r.in.Period)
	case !timed && r.in.Period == "":
		return stat.BadFile(r.sets[0].at, "the observations have no time: state their period with --period")
	case !timed:
		p, err := stat.ParsePeriod(r.in.Period)
		if err != nil {
			return stat.BadFile(r.sets[0].at, "--period: %v", err)
		}
		r.only = p
	}
	return nil
}

// observations yields the observations of the table's data sets.
func (r *reader) observations(yield func(stat.Observation, error) bool) {
	for len(r.sets) > 0 {
		e, err := r.w.step()
		if err == nil {
			switch e {
			case eventDataSet:
				if r.w.at == r.sets[0].at {
					err = r.beginDataSet()
				}
			case eventSeries:
				err = r.beginSeries()
			case eventObs:
				o, given, bad := r.observe()
				if err = bad; given && !yield(o, nil) {
					return
				}
			case eventDataSetEnd:
				if r.set != nil {
					r.set, r.sets = nil, r.sets[1:]
				}
			case eventEnd:
				err = stat.BadFile(stat.Position{}, "the file has become shorter while it was read")
			}
		}
		if err != nil {
			yield(stat.Observation{}, err)
			return
		}
	}
	r.notKept.report(r.report)
	assemble.NoteUnlabelled(r.table.Dataset, r.report)
	r.done = true
}

// beginDataSet makes ready for the observations of the next data set. Those
// that are no part of the table have no observations.
func (r *reader) beginDataSet() error {
	r.set = r.sets[0]
	r.slots, r.named, r.guess = map[string]*slot{}, map[string]*slot{}, [2][]*slot{}
	r.whole = values{}
	for _, p := range r.set.whole {
		r.keep(&r.whole, r.slot(field{name: []byte(p.name), part: partAttribute}), p.value)
	}
	r.partial, r.order = map[uint64]partialKey{}, nil
	for _, fields := range r.set.partials {
		r.addPartial(fields)
	}
	// Who names more of the key is nearer to the series, and is heard last.
	slices.SortStableFunc(r.order, func(a, b uint64) int { return cmp.Compare(bits.OnesCount64(a), bits.OnesCount64(b)) })
	r.series = r.whole
	r.notKept.count += r.set.notKept.count
	for _, name := range r.set.notKept.names {
		r.notKept.add(name)
		r.notKept.count--
	}
	return nil
}

// addPartial takes a group in: a part of a key, and what it says of all series
// that have it.
func (r *reader) addPartial(fields []pair) {
	codes := make([]string, len(r.axes))
	var named uint64
	var said values
	for _, p := range fields {
		s := r.slot(field{name: []byte(p.name)})
		if s.use == useKey {
			codes[s.axis] = p.value
			named |= 1 << s.axis
			continue
		}
		r.keep(&said, s, p.value)
	}
	group := r.partial[named]
	if group == nil {
		group = partialKey{}
		r.partial[named] = group
		r.order = append(r.order, named)
	}
	var key []byte
	for i := range r.axes {
		if named&(1<<i) != 0 {
			key = append(append(key, codes[i]...), 0)
		}
	}
	if before := group[string(key)]; before != nil {
		before.overlay(&said)
		return
	}
	group[string(key)] = &said
}

// keep puts an attribute among those that hold for several observations.
func (r *reader) keep(v *values, s *slot, value string) {
	if value == "" {
		return
	}
	switch s.use {
	case useStatus:
		v.status, v.list = value, s.list
	case useConfidentiality:
		v.confidentiality = value
	case useNote:
		v.note = join(v.note, value)
	case usePreBreak:
		v.preBreak = value
	case useUnit:
		v.unit, v.unitName = value, s.name
	case useMultiplier:
		v.multiplier = value
	case useLost:
		r.notKept.add(s.name)
	}
}

// join puts one note behind another.
func join(note, more string) string {
	if note == "" || note == more {
		return more
	}
	return note + "; " + more
}

// overlay puts what said says in place of what v says.
func (v *values) overlay(said *values) {
	if said.status != "" {
		v.status, v.list = said.status, said.list
	}
	if said.unit != "" {
		v.unit, v.unitName = said.unit, said.unitName
	}
	v.confidentiality = cmp.Or(said.confidentiality, v.confidentiality)
	v.note = cmp.Or(said.note, v.note)
	v.preBreak = cmp.Or(said.preBreak, v.preBreak)
	v.multiplier = cmp.Or(said.multiplier, v.multiplier)
}

// slot finds what a field stands for.
func (r *reader) slot(f field) *slot {
	if isOfXML(f.prefix) {
		return &slot{}
	}
	known := r.slots
	if f.part == partAttribute {
		known = r.named
	}
	if s := known[string(f.name)]; s != nil {
		return s
	}
	s := r.newSlot(f)
	if len(known) < maxNames {
		known[s.name] = s
	}
	return s
}

func (r *reader) newSlot(f field) *slot {
	s := &slot{name: string(f.name)}
	byArea := r.set.byArea && strings.EqualFold(s.name, area)
	if f.part != partAttribute || byArea {
		s.axis = slices.IndexFunc(r.dims, func(id string) bool { return strings.EqualFold(id, s.name) })
		if s.axis >= 0 {
			s.use = useKey
			return s
		}
	}
	structure := r.set.structure
	switch {
	case isTechnical(f), strings.EqualFold(s.name, "LAST_UPDATE"):
		return s
	case f.part != partAttribute && r.set.isTime(s.name):
		s.use = useTime
		return s
	case structure != nil && strings.EqualFold(s.name, structure.Measure), s.name == "OBS_VALUE",
		s.name == "VALUE" && (structure == nil || structure.Measure == ""):
		s.use = useValue
		return s
	}
	s.list = s.name
	if structure != nil {
		for _, c := range structure.Attributes {
			if strings.EqualFold(c.ID, s.name) && c.List != "" {
				s.list = c.List
			}
		}
	}
	s.use = map[assemble.Attribute]use{
		assemble.AttributeOther: useLost, assemble.AttributeStatus: useStatus, assemble.AttributeConfidentiality: useConfidentiality,
		assemble.AttributeNote: useNote, assemble.AttributePreBreak: usePreBreak, assemble.AttributeUnit: useUnit, assemble.AttributeMultiplier: useMultiplier,
	}[assemble.AttributeOf(s.name)]
	return s
}

// guessed is the slot of the i-th field of a series or observation: most have
// the same fields in the same order.
func (r *reader) guessed(level, i int, f *field) *slot {
	guess := r.guess[level]
	if i < len(guess) && guess[i].name == string(f.name) && f.part == partAny && len(f.prefix) == 0 {
		return guess[i]
	}
	s := r.slot(*f)
	if f.part == partAny && len(f.prefix) == 0 {
		if i < len(guess) {
			guess[i] = s
		} else if i == len(guess) {
			r.guess[level] = append(guess, s)
		}
	}
	return s
}

// setKey takes a code of the key in. set has a bit for each dimension that the
// element has set.
func (r *reader) setKey(s *slot, code []byte, set *uint64) error {
	axis := r.axes[s.axis]
	bit := uint64(1) << s.axis
	if *set&bit != 0 {
		return r.bad("the dimension %s is stated twice", axis.Dim.ID)
	}
	*set |= bit
	if code = bytes.TrimSpace(code); len(code) == 0 {
		return r.bad("the dimension %s has no code", axis.Dim.ID)
	}
	before := r.key[axis.At]
	if codes := axis.Dim.Codes; int(before) < len(codes) && codes[before].ID == string(code) {
		return nil // as the one before
	}
	r.key[axis.At] = axis.Code(code)
	return nil
}

// describeMissing names the dimensions that an element has no code for.
func (r *reader) describeMissing(set uint64) error {
	var missing []string
	for i, a := range r.axes {
		if set&(1<<i) == 0 {
			missing = append(missing, a.Dim.ID)
		}
	}
	return r.bad("there is no code of %s, which the data set has as dimension", strings.Join(missing, ", "))
}

// bad is an error at the current element.
func (r *reader) bad(message string, args ...any) error {
	return stat.BadFile(r.w.at, message, args...)
}
