package sdmxjson

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
	"almanac/internal/format/sdmx"
	"almanac/internal/stat"
)

// table is the data sets of one structure being read.
type table struct {
	*sdmx.Table
	reader
	in        format.Input
	structure *structure
	set       *dataSet // the current one

	dimensions  []*component // of all levels, in order
	keyLength   int          // of dimensions with the time, and the geography if that is an attribute
	defaults    sdmx.Values  // of attributes without a value
	annotations *sdmx.Attribute
	isDropped   map[string]bool // attributes without a place, by ID

	numbers []sdmx.Number // of the current observation, by measure
	written []byte        // their texts
}

func newTable(ctx context.Context, in format.Input, m *message, s *structure) (*table, error) {
	t := &table{in: in, structure: s, dimensions: slices.Concat(s.dimensions[:]...), isDropped: map[string]bool{}}
	t.keyLength = len(t.dimensions)
	t.numbers = make([]sdmx.Number, max(1, len(s.measures)))
	assembled := assemble.New(ctx, in.Name)
	assembled.Prepared, assembled.Dataset.Name = sdmx.ParseTime(m.prepared), s.name
	agency, code := identity(s.links, "dataflow")
	maintainer, definition := identity(s.links, "datastructure")
	assembled.Dataset.Source = sdmx.FindOffice(in.Source, "", append([]string{agency, maintainer}, m.senders...)...)
	assembled.SetCode(code, s.id, in.Code, definition)
	time, err := t.findTime()
	if err != nil {
		return nil, err
	}
	at := s.at
	if len(t.dimensions) > 0 {
		at = t.dimensions[0].at
	}
	if err := t.makeDimensions(assembled, time); err != nil {
		return nil, err
	}
	noTime := stat.BadFile(at, "none of the dimensions (%s) is a time: state the period of the whole file", t.dimensionIDs())
	if t.Observation.Period, err = t.FilePeriod(time != nil, in.Period, noTime); err != nil {
		return nil, err
	}
	t.makeAttributes()
	return t, nil
}

func (t *table) dimensionIDs() string {
	var ids []string
	for _, d := range t.dimensions {
		ids = append(ids, d.id)
	}
	return strings.Join(ids, ", ")
}

// findTime returns the dimension that is declared the time, else the only one
// whose values are all periods; nil if there is none.
func (t *table) findTime() (*component, error) {
	if at := slices.IndexFunc(t.dimensions, (*component).isTime); at >= 0 {
		return t.dimensions[at], nil
	}
	isOther := func(v value) bool {
		_, err := sdmx.ParsePeriod(string(v.id))
		return err != nil
	}
	found := slices.DeleteFunc(slices.Clone(t.dimensions), func(d *component) bool {
		return len(d.values) == 0 || slices.ContainsFunc(d.values, isOther)
	})
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) == 0 || t.in.Period != "":
		return nil, nil
	}
	return nil, stat.BadFile(found[1].at, "the values of both %s and %s are all periods, and neither is declared the time: if neither is the time, state the period of the whole file",
		found[0].id, found[1].id)
}

// makeDimensions makes the dimensions of the dataset in the order of the source's keys.
func (t *table) makeDimensions(assembled *assemble.Table, time *component) (err error) {
	components := slices.DeleteFunc(slices.Clone(t.dimensions), func(c *component) bool { return c == time })
	if !slices.ContainsFunc(components, func(c *component) bool { return c.position < 0 }) {
		slices.SortStableFunc(components, func(a, b *component) int { return cmp.Compare(a.position, b.position) })
	}
	if area := t.structure.areaAttribute(); area != nil && !slices.ContainsFunc(components, (*component).isGeography) {
		components = append(components, area)
		t.keyLength++
	}
	var dims []stat.Dimension
	for i, c := range components {
		if slices.ContainsFunc(components[:i], func(b *component) bool { return b.id == c.id }) {
			return stat.BadFile(c.at, "there are two dimensions %q", c.id)
		}
		dims = append(dims, stat.Dimension{ID: c.id, Label: c.label, Role: c.role()})
	}
	var measures []stat.Code
	for _, m := range t.structure.measures {
		measures = append(measures, stat.Code{ID: m.id, Label: m.label})
	}
	if t.Table, err = sdmx.NewTable(assembled, &t.in, nil, dims, sdmx.Measures(measures)); err != nil {
		return err
	}
	for i, c := range components {
		c.dimension = i
		if err := t.addCodes(c); err != nil {
			return err
		}
	}
	t.translate(components)
	return nil
}

// translate adds the names of the dataset, its dimensions and their values in all languages.
func (t *table) translate(components []*component) {
	d := t.Dataset
	for language, name := range t.structure.names {
		d.Translation(language).Name = name
	}
	for _, c := range components {
		for language, label := range c.labels {
			d.Translation(language).Dimension(c.id).Label = label
		}
		for _, v := range c.values {
			for language, label := range v.labels {
				d.Translation(language).Dimension(c.id).Codes[string(v.id)] = label
			}
		}
	}
}

// addCodes adds the values of a dimension as codes, in the order of the office's list if
// all values state their position in it.
func (t *table) addCodes(c *component) error {
	axis, sorted := t.Axis(c.dimension), slices.Clone(c.values)
	if !slices.ContainsFunc(sorted, func(v value) bool { return v.order < 0 }) {
		slices.SortStableFunc(sorted, func(a, b value) int { return a.order - b.order })
	}
	for _, v := range sorted {
		axis.Add(stat.Code{ID: string(v.id), Label: string(v.label)})
	}
	for i, v := range c.values {
		if len(v.id) == 0 {
			return stat.BadFile(c.at, "value %d of dimension %s (counted from 0) has no id", i, c.id)
		}
	}
	return nil
}

// makeAttributes finds a place for the attributes of every level. An attribute of several
// levels has one place; the level nearest to the observation counts.
func (t *table) makeAttributes() {
	t.dropUnlisted()
	known := map[string]*sdmx.Attribute{}
	for _, c := range slices.Concat(slices.Concat(t.structure.attributes[:]...), t.structure.grouped) {
		if known[c.id] == nil {
			known[c.id] = t.Attribute(c.id)
		}
		if c.attribute = known[c.id]; c.attribute != nil && c.preset != "" {
			t.defaults.Set(c.attribute, []byte(c.preset), c.labelOf(c.preset))
		}
	}
	t.annotations = t.Attribute("NOTE")
}

// dropUnlisted removes the attributes of observations with an empty list of values, if a
// position takes their place: OECD's messages declare such attributes and leave them out
// of the arrays.
func (t *table) dropUnlisted() {
	attributes := &t.structure.attributes[onObservation]
	isUnlisted := func(c *component) bool { return c.isListed && len(c.values) == 0 }
	for i, c := range *attributes {
		at := len(t.numbers) + i
		hasPosition := func(set *dataSet) bool { return at < maxPositions && set.isPosition[at] }
		if isUnlisted(c) && slices.ContainsFunc(t.structure.sets, hasPosition) {
			*attributes = slices.DeleteFunc(*attributes, isUnlisted)
			return
		}
	}
}

// setAttributes sets the attributes of a level above the observations.
func (t *table) setAttributes(level *sdmx.Values, components []*component, attributes []attribute) error {
	for i, a := range attributes {
		if err := t.setAttribute(level, components, i, a); err != nil {
			return err
		}
	}
	return nil
}

// setAttribute sets the i-th attribute of a level, unless it has no value there: then
// that of the level above counts.
func (t *table) setAttribute(level *sdmx.Values, components []*component, i int, a attribute) error {
	if !a.isStated() {
		return nil
	}
	if i >= len(components) {
		return stat.BadFile(t.Observation.At, "there are more values than attributes in the structure (%d)", len(components))
	}
	c := components[i]
	var v value
	switch {
	case a.position < 0:
		v.id, v.label = []byte(a.text), c.labelOf(a.text)
	case !c.isListed:
		v.id = strconv.AppendInt(nil, int64(a.position), 10)
	case a.position >= len(c.values):
		return stat.BadFile(t.Observation.At, "attribute %s has %d values, but this is position %d (counted from 0)", c.id, len(c.values), a.position)
	default:
		v = c.values[a.position]
	}
	if c.attribute != nil {
		switch kind := c.attribute.Kind; {
		case len(v.label) == 0 && kind == assemble.AttributeUnit:
			v.label = v.id
		case len(v.id) == 0 && (kind == assemble.AttributeStatus || kind == assemble.AttributeConfidentiality):
			v.id = v.label // an attribute without a code list has only names
		}
	}
	switch {
	case len(v.id) == 0 && len(v.label) == 0:
	case c.dimension >= 0:
		t.SetCode(c.dimension, v.id)
	case c.attribute == nil:
		t.drop(c.id)
	default:
		level.Set(c.attribute, v.id, v.label)
	}
	return nil
}

func (t *table) drop(id string) {
	if !t.isDropped[id] {
		t.isDropped[id] = true
		t.AttributesNotKept.Add(id)
	}
}
