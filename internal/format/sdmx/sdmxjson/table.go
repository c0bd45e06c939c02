package sdmxjson

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
	"almanac/internal/format/office"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// checkEvery is the number of observations between looks at whether to stop.
const checkEvery = 4096

// table is the data sets of one structure being read.
type table struct {
	ctx       context.Context
	in        format.Input
	message   *message
	index     int // of the structure
	structure *structure
	dataset   *stat.Dataset
	report    *stat.Report

	slots    [levels][]slot
	measure  int // in the key: which measure; -1: there is one
	measures int
	stated   stat.Period
	freqAxis *assemble.Axis // nil: there is none
	unitAxis *assemble.Axis

	places   [levels][]int // of attributes among said; -1: they have none
	grouped  []int
	said     []said // what holds for the current observation
	presets  []said // where nothing is said
	ofSet    []said // for the data set
	ofSeries []said // for the series
	groups   []groups
	room     []byte
	lost     []string // attributes that have no place
	texts    text.Cache[texts]

	obs stat.Observation
	at  [levels][]int32 // positions of the current dimensions
}

// slot is a dimension and what its values are: codes, or periods of the time.
type slot struct {
	*component
	axis    *assemble.Axis // nil for the time
	codes   []int32
	periods []stat.Period
}

// newTable makes the table of a structure.
func newTable(ctx context.Context, in format.Input, m *message, index int) (*table, error) {
	t := &table{ctx: ctx, in: in, message: m, index: index, structure: &m.structures[index], report: &stat.Report{}, measure: -1}
	t.dataset = &stat.Dataset{Name: t.structure.name}
	t.identify()
	time, err := t.findTime()
	if err != nil {
		return nil, err
	}
	switch {
	case time != nil && in.Period != "":
		t.report.Add(stat.NotePeriodNotUsed, 1, in.Period)
	case time == nil && in.Period == "":
		return nil, stat.BadFile(t.place(), "none of the dimensions (%s) is a time: state the period of the whole file with --period", strings.Join(t.ids(), ", "))
	case time == nil:
		if t.stated, err = stat.ParsePeriod(in.Period); err != nil {
			return nil, stat.BadFile(stat.Position{}, "the period of the whole file: %v", err)
		}
	}
	if err := t.arrange(time); err != nil {
		return nil, err
	}
	t.placeAttributes()
	return t, nil
}

// place is where the structure says its first dimension, or begins.
func (t *table) place() stat.Position {
	for _, level := range t.structure.dimensions {
		if len(level) > 0 {
			return level[0].at
		}
	}
	return stat.Position{Line: max(t.structure.at.Line, 1)}
}

// identify finds out which dataset of which office this is.
func (t *table) identify() {
	links := slices.Clone(t.structure.links)
	for _, s := range t.message.sets {
		if s.structure == t.index {
			links = append(links, s.links...)
		}
	}
	agency, code := identity(links, "dataflow")
	maintainer, definition := identity(links, "datastructure")
	for _, name := range []string{t.in.Source, agency, maintainer, t.message.senderID, t.message.sendName} {
		if office := office.Find(name); office.ID != "" && (t.dataset.Source.ID == "" || t.dataset.Source.URL == "" && office.URL != "") {
			t.dataset.Source = office
		}
		if t.in.Source != "" {
			break
		}
	}
	t.dataset.Code = cmp.Or(code, t.structure.id, t.in.Code, definition)
	if t.dataset.Code == "" {
		t.dataset.Code = assemble.CodeFromName(t.in.Name, t.report)
	}
}

// dimensions are those of all levels, in order.
func (t *table) dimensions() []*component {
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
	for _, d := range t.dimensions() {
		ids = append(ids, d.id)
	}
	return ids
}

// findTime is the dimension of time: the one that says so, else the only one
// whose values are all periods; nil if there is none.
func (t *table) findTime() (*component, error) {
	var shaped []*component
	for _, d := range t.dimensions() {
		if d.isTime() {
			return d, nil
		}
		if len(d.values) > 0 && !slices.ContainsFunc(d.values, func(v value) bool { return period(v.id).IsZero() }) {
			shaped = append(shaped, d)
		}
	}
	switch len(shaped) {
	case 0:
		return nil, nil
	case 1:
		return shaped[0], nil
	}
	if t.in.Period != "" {
		return nil, nil
	}
	return nil, stat.BadFile(shaped[1].at, "the values of %s and of %s are all periods, and neither says that it is the time: state the period of the whole file with --period, if it is neither",
		shaped[0].id, shaped[1].id)
}

// period reads a period; it is zero where the text is none.
func period(text string) stat.Period {
	if at := strings.Index(text, "T00:00:00"); at > 0 {
		text = text[:at]
	}
	p, err := stat.ParsePeriod(text)
	if err != nil {
		return stat.Period{}
	}
	return p
}

// arrange makes the dataset's dimensions, in the order of the source's keys.
func (t *table) arrange(time *component) error {
	components := slices.DeleteFunc(t.dimensions(), func(c *component) bool { return c == time })
	if !slices.ContainsFunc(components, func(c *component) bool { return c.position < 0 }) {
		slices.SortStableFunc(components, func(a, b *component) int { return cmp.Compare(a.position, b.position) })
	}
	var dims []stat.Dimension
	for i, c := range components {
		if before := slices.IndexFunc(components[:i], func(b *component) bool { return b.id == c.id }); before >= 0 {
			return stat.BadFile(c.at, "there are two dimensions %q", c.id)
		}
		dims = append(dims, stat.Dimension{ID: c.id, Label: c.label, Role: c.role()})
	}
	geo, err := assemble.Geography(dims, t.in.Geo)
	if err != nil {
		return err
	}
	t.measures = max(1, len(t.structure.measures))
	if t.measures > 1 {
		var codes []stat.Code
		for _, m := range t.structure.measures {
			codes = append(codes, stat.Code{ID: m.id, Label: m.label})
		}
		dims = append(dims, assemble.Indicators(codes))
	}
	axes := assemble.Arrange(t.dataset, dims, geo)
	if t.measures > 1 {
		t.measure = axes[len(components)].At
	}
	for level := range t.structure.dimensions {
		for i := range t.structure.dimensions[level] {
			s := slot{component: &t.structure.dimensions[level][i]}
			if at := slices.Index(components, s.component); at >= 0 {
				s.axis = axes[at]
				if t.freqAxis == nil && dims[at].Role == stat.RoleFrequency {
					t.freqAxis = axes[at]
				}
				if t.unitAxis == nil && dims[at].Role == stat.RoleUnit {
					t.unitAxis = axes[at]
				}
			}
			if err := s.fill(); err != nil {
				return err
			}
			t.slots[level] = append(t.slots[level], s)
		}
		t.at[level] = make([]int32, len(t.slots[level]))
	}
	t.obs.Key = assemble.Key(t.dataset)
	return nil
}

// fill finds out what the values of a dimension are. Codes stand in the order
// of the office's list where the values tell it.
func (s *slot) fill() error {
	if s.axis == nil {
		for _, v := range s.values {
			s.periods = append(s.periods, period(v.id))
		}
		return nil
	}
	order := make([]int, len(s.values))
	for i, v := range s.values {
		order[i] = i
		if v.id == "" {
			return stat.BadFile(s.at, "value %d of dimension %s (counted from 0) has no id", i, s.id)
		}
	}
	if !slices.ContainsFunc(s.values, func(v value) bool { return v.order < 0 }) {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.values[a].order, s.values[b].order) })
	}
	s.codes = make([]int32, len(s.values))
	for _, i := range order {
		s.codes[i] = s.axis.Add(stat.Code{ID: s.values[i].id, Label: s.values[i].label})
	}
	return nil
}
