package sdmxjson

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
	"almanac/internal/format/sdmx"
	"almanac/internal/stat"
)

// table is the data sets of one structure being read.
type table struct {
	*sdmx.Table
	in        format.Input
	message   *message
	index     int // of the structure
	structure *structure

	slots       [levels][]slot
	measures    int
	period      stat.Period // of the file as a whole
	defaults    sdmx.Values // of attributes of which nothing is said
	annotations *sdmx.Attribute
	isLost      map[string]bool // attributes that have no place
}

// slot is a dimension and what its values are: codes, or periods of the time.
type slot struct {
	*component
	dimension int // in the table; -1: it is the time
	codes     []int32
	periods   []stat.Period
}

// newTable makes the table of a structure.
func newTable(ctx context.Context, in format.Input, m *message, index int) (*table, error) {
	t := &table{in: in, message: m, index: index, structure: &m.structures[index], isLost: map[string]bool{}}
	assembled := assemble.New(ctx, in.Name)
	assembled.Prepared, assembled.Dataset.Name = m.prepared, t.structure.name
	t.identify(assembled)
	time, err := t.findTime()
	if err != nil {
		return nil, err
	}
	noTime := stat.BadFile(t.place(), "none of the dimensions (%s) is a time: state the period of the whole file with --period", strings.Join(t.ids(), ", "))
	if time == nil && in.Period == "" {
		return nil, noTime
	}
	if err := t.makeDimensions(assembled, time); err != nil {
		return nil, err
	}
	if t.period, err = t.SettlePeriod(time != nil, in.Period, noTime); err != nil {
		return nil, err
	}
	t.makeAttributes()
	return t, nil
}

// place is where the structure says its first dimension, or begins.
func (t *table) place() stat.Position {
	for _, d := range t.allDimensions() {
		return d.at
	}
	return stat.Position{Line: max(t.structure.at.Line, 1)}
}

// identify finds out which dataset of which office this is.
func (t *table) identify(assembled *assemble.Table) {
	links := slices.Clone(t.structure.links)
	for _, s := range t.message.sets {
		if s.structure == t.index {
			links = append(links, s.links...)
		}
	}
	agency, code := identity(links, "dataflow")
	maintainer, definition := identity(links, "datastructure")
	assembled.Dataset.Source = sdmx.FindOffice(t.in.Source, "", append([]string{agency, maintainer}, t.message.senders...)...)
	assembled.SetCode(code, t.structure.id, t.in.Code, definition)
}

// allDimensions are those of all levels, in order.
func (t *table) allDimensions() []*component {
	var all []*component
	for level := range t.structure.dimensions {
		for i := range t.structure.dimensions[level] {
			all = append(all, &t.structure.dimensions[level][i])
		}
	}
	return all
}

func (t *table) ids() []string {
	var ids []string
	for _, d := range t.allDimensions() {
		ids = append(ids, d.id)
	}
	return ids
}

// findTime is the dimension of time: the one that says so, else the only one
// whose values are all periods; nil if there is none.
func (t *table) findTime() (*component, error) {
	var found []*component
	for _, d := range t.allDimensions() {
		if d.isTime() {
			return d, nil
		}
		if len(d.values) > 0 && !slices.ContainsFunc(d.values, func(v value) bool { return v.period().IsZero() }) {
			found = append(found, d)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) == 0 || t.in.Period != "":
		return nil, nil
	}
	return nil, stat.BadFile(found[1].at, "the values of %s and of %s are all periods, and neither says that it is the time: state the period of the whole file with --period, if it is neither",
		found[0].id, found[1].id)
}

// period is the period that a value is; zero if it is none.
func (v *value) period() stat.Period {
	p, err := sdmx.ParsePeriod(string(v.id))
	if err != nil {
		return stat.Period{}
	}
	return p
}

// makeDimensions makes the dataset's dimensions, in the order of the source's
// keys.
func (t *table) makeDimensions(assembled *assemble.Table, time *component) (err error) {
	components := slices.DeleteFunc(t.allDimensions(), func(c *component) bool { return c == time })
	if !slices.ContainsFunc(components, func(c *component) bool { return c.position < 0 }) {
		slices.SortStableFunc(components, func(a, b *component) int { return cmp.Compare(a.position, b.position) })
	}
	var dims []stat.Dimension
	for i, c := range components {
		if slices.ContainsFunc(components[:i], func(b *component) bool { return b.id == c.id }) {
			return stat.BadFile(c.at, "there are two dimensions %q", c.id)
		}
		dims = append(dims, stat.Dimension{ID: c.id, Label: c.label, Role: c.role()})
	}
	var measures *stat.Dimension
	if t.measures = max(1, len(t.structure.measures)); t.measures > 1 {
		var codes []stat.Code
		for _, m := range t.structure.measures {
			codes = append(codes, stat.Code{ID: m.id, Label: m.label})
		}
		measures = new(stat.Dimension)
		*measures = assemble.Indicators(codes)
	}
	if t.Table, err = sdmx.NewTable(assembled, &t.in, nil, dims, measures); err != nil {
		return err
	}
	for level := range t.structure.dimensions {
		for i := range t.structure.dimensions[level] {
			s := slot{component: &t.structure.dimensions[level][i]}
			s.dimension = slices.Index(components, s.component)
			if err := t.fill(&s); err != nil {
				return err
			}
			t.slots[level] = append(t.slots[level], s)
		}
	}
	return nil
}

// fill finds out what the values of a dimension are. Codes stand in the order
// of the office's list where the values tell it.
func (t *table) fill(s *slot) error {
	if s.dimension < 0 {
		for _, v := range s.values {
			s.periods = append(s.periods, v.period())
		}
		return nil
	}
	order := make([]int, len(s.values))
	for i, v := range s.values {
		order[i] = i
		if len(v.id) == 0 {
			return stat.BadFile(s.at, "value %d of dimension %s (counted from 0) has no id", i, s.id)
		}
	}
	if !slices.ContainsFunc(s.values, func(v value) bool { return v.order < 0 }) {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.values[a].order, s.values[b].order) })
	}
	s.codes = make([]int32, len(s.values))
	for _, i := range order {
		s.codes[i] = t.Axis(s.dimension).Add(stat.Code{ID: string(s.values[i].id), Label: string(s.values[i].label)})
	}
	return nil
}

// makeAttributes finds a place for the attributes of every level. One that
// stands on several levels has one place; the finest level counts.
func (t *table) makeAttributes() {
	t.dropUnlisted()
	known := map[string]*sdmx.Attribute{}
	for _, components := range append(t.structure.attributes[:], t.structure.grouped) {
		for i := range components {
			c := &components[i]
			if known[c.id] == nil {
				known[c.id] = t.Attribute(c.id)
			}
			if c.attribute = known[c.id]; c.attribute != nil && c.preset != "" {
				t.defaults.Set(c.attribute, []byte(c.preset), c.labelOf(c.preset))
			}
		}
	}
	t.annotations = t.NewAttribute("", assemble.AttributeNote)
}

// labelOf is the label of the value with an ID.
func (c *component) labelOf(id string) []byte {
	for _, v := range c.values {
		if string(v.id) == id {
			return v.label
		}
	}
	return nil
}

// dropUnlisted leaves out the attributes of observations that have a list of
// values with nothing in it, if a position stands where they are to stand:
// OECD's messages list such attributes, and have no place for them in the
// arrays.
func (t *table) dropUnlisted() {
	attributes := t.structure.attributes[onObservation]
	isEmpty := func(c component) bool { return c.listed && len(c.values) == 0 }
	for i, c := range attributes {
		isTaken := slices.ContainsFunc(t.message.sets, func(s *dataSet) bool {
			at := t.measures + i
			return s.structure == t.index && at < len(s.isPosition) && s.isPosition[at]
		})
		if isEmpty(c) && isTaken {
			t.structure.attributes[onObservation] = slices.DeleteFunc(slices.Clone(attributes), isEmpty)
			return
		}
	}
}

// set takes in the value of an attribute, number at of the components, on a
// level; nil is that of the current observation.
func (t *table) set(level *sdmx.Values, components []component, at int, a attribute) error {
	if a.text == "" && a.position < 0 {
		return nil // the value of the level above, or none
	}
	if at >= len(components) {
		return stat.BadFile(t.Observation.At, "there are more values than the structure has attributes (%d)", len(components))
	}
	c := &components[at]
	var v value
	switch {
	case !c.listed || a.position < 0:
		v = value{id: []byte(a.text), label: c.labelOf(a.text)}
	case a.position >= len(c.values):
		return stat.BadFile(t.Observation.At, "attribute %s has %d values, and this is position %d (counted from 0)", c.id, len(c.values), a.position)
	default:
		v = c.values[a.position]
	}
	if len(v.label) == 0 && c.attribute != nil && c.attribute.Kind == assemble.AttributeUnit {
		v.label = v.id
	}
	switch {
	case len(v.id) == 0 && len(v.label) == 0:
	case c.attribute == nil:
		t.lose(c.id)
	case level == nil:
		t.SetHere(c.attribute, v.id, v.label)
	default:
		level.Set(c.attribute, v.id, v.label)
	}
	return nil
}

// lose remembers an attribute that has no place.
func (t *table) lose(id string) {
	if !t.isLost[id] {
		t.isLost[id] = true
		t.AttributesNotKept.Add(id)
	}
}
