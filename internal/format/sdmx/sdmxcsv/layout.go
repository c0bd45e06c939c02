package sdmxcsv

import (
	"slices"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/format/office"
	"almanac/internal/stat"
)

// layout says what the columns of a dataset are.
type layout struct {
	dims       []column
	roles      []stat.Role // that the source itself gives the dims; empty where it gives none
	time       int         // the cell of the period; -1: it is stated
	values     []column
	bounds     [2]int // the cells of the lower and upper bounds; -1: there are none
	flags      []column
	notes      []column
	unit       column // its cell is -1 where there is none
	unitIsDim  bool
	multiplier int
	others     []column // attributes that an observation has no place for
	guessed    bool     // without a structure
}

// values are the columns of numbers.
func (h *header) values(known *stat.Structure) []column {
	var found []column
	for _, c := range h.columns {
		rest, is := strings.CutPrefix(strings.ToUpper(c.id), "OBS_VALUE")
		if is && strings.Trim(rest, "0123456789_") == "" || known != nil && known.Measure != "" && strings.EqualFold(c.id, known.Measure) {
			found = append(found, c)
		}
	}
	return found
}

// find is the place of a column among h.columns; -1 if there is none.
func (h *header) find(id string) int {
	return slices.IndexFunc(h.columns, func(c column) bool { return strings.EqualFold(c.id, id) })
}

// settle finds out what the columns of a dataset are. look gives the facts of
// the whole file, where they are needed.
func (h *header) settle(k kind, source string, known *stat.Structure, look func() (*facts, error)) (*layout, error) {
	known = office.WithoutScale(source, known)
	l := &layout{time: -1, bounds: [2]int{-1, -1}, unit: column{at: -1, labelAt: -1}, multiplier: -1}
	if l.values = h.values(known); len(l.values) == 0 {
		return nil, stat.BadFile(stat.Position{Line: 1}, "no column holds values: there is no OBS_VALUE among %s", strings.Join(h.ids(), ", "))
	}
	l.time = h.time(known)
	s := settling{header: h, layout: l, kind: k, source: source, known: known, taken: make([]bool, h.width), valuesFirst: true}
	for _, c := range h.columns {
		s.valuesFirst = s.valuesFirst && (c.at >= l.values[0].at || c.at == l.time)
	}
	for _, v := range l.values {
		s.taken[v.at] = true
	}
	if l.time >= 0 {
		s.taken[l.time] = true
	}
	if s.known != nil && !slices.ContainsFunc(known.Dimensions, func(c stat.Component) bool { return h.find(c.ID) >= 0 }) {
		s.known = nil // a structure of something else
	}
	s.eurostat = source == "eurostat" && h.find("OBS_FLAG") >= 0 && l.time >= 0
	l.guessed = s.known == nil && !s.eurostat && k != keyed
	if l.guessed || l.time < 0 {
		var err error
		if s.facts, err = look(); err != nil {
			return nil, err
		}
	}
	s.choose()
	if l.time < 0 {
		if err := s.timeByShape(); err != nil {
			return nil, err
		}
	}
	s.attributes()
	return l, nil
}

func (h *header) ids() []string {
	ids := make([]string, len(h.columns))
	for i, c := range h.columns {
		ids[i] = c.id
	}
	return ids
}

// time is the cell of the time by its name; -1 if there is none.
func (h *header) time(known *stat.Structure) int {
	if known != nil && known.Time != "" {
		if i := h.find(known.Time); i >= 0 {
			return h.columns[i].at
		}
	}
	if i := h.find("TIME_PERIOD"); i >= 0 {
		return h.columns[i].at
	}
	for _, c := range h.columns {
		if assemble.IsTime(c.id) {
			return c.at
		}
	}
	return -1
}

// settling is a layout being found.
type settling struct {
	*header
	layout   *layout
	kind     kind
	source   string
	known    *stat.Structure
	eurostat bool
	facts    *facts // nil where nothing has to be guessed
	taken    []bool // by cell: it is known what it is
	// No other column but the time stands before the values, so that what is
	// behind them says nothing.
	valuesFirst bool
}

// choose chooses the dimensions.
func (s *settling) choose() {
	take := func(c column, role stat.Role) {
		s.taken[c.at] = true
		s.layout.dims = append(s.layout.dims, c)
		s.layout.roles = append(s.layout.roles, role)
	}
	if s.known == nil || s.kind == keyed {
		for _, c := range s.columns {
			if !s.taken[c.at] && s.isDimension(c) {
				take(c, s.roleOf(c.id))
			}
		}
		return
	}
	for _, d := range s.known.Dimensions {
		if i := s.find(d.ID); i >= 0 && !s.taken[s.columns[i].at] {
			take(s.columns[i], d.Role)
		}
	}
}

// roleOf is the role that a known structure gives a dimension.
func (s *settling) roleOf(id string) stat.Role {
	if s.known != nil {
		if c := s.known.Dimension(id); c != nil {
			return c.Role
		}
	}
	return ""
}

// isDimension tells dimensions from attributes without a structure.
func (s *settling) isDimension(c column) bool {
	beforeTime := s.layout.time > c.at && s.kind != pairs
	if s.eurostat || s.kind == keyed {
		return beforeTime
	}
	if c.several || c.languages || s.paired && c.labelAt < 0 && c.label == "" && s.kind == pairs || s.facts.empty[c.at] || office.IsScale(s.source, c.id) {
		return false
	}
	attribute := assemble.AttributeOf(c.id)
	role := assemble.RoleOf(c.id)
	switch {
	case role == stat.RoleGeo || role == stat.RoleFrequency:
		return true
	case beforeTime && (attribute == assemble.AttributeOther || attribute == assemble.AttributeUnit):
		return true
	case attribute != assemble.AttributeOther || assemble.IsAttribute(c.id):
		return false
	}
	return c.at < s.layout.values[0].at || s.valuesFirst
}

// timeByShape takes the one dimension whose cells are all periods for the time.
func (s *settling) timeByShape() error {
	var found []int
	for i, c := range s.layout.dims {
		if s.facts.used[c.at] && !s.facts.undated[c.at] {
			found = append(found, i)
		}
	}
	switch len(found) {
	case 0:
		return nil
	case 1:
		at := found[0]
		s.layout.time = s.layout.dims[at].at
		s.layout.dims = slices.Delete(s.layout.dims, at, at+1)
		s.layout.roles = slices.Delete(s.layout.roles, at, at+1)
		return nil
	}
	return stat.BadFile(stat.Position{Line: 1, Column: s.layout.dims[found[1]].at + 1}, "both %s and %s hold periods only, and neither is called TIME_PERIOD: rename the heading of the one that is the time",
		s.layout.dims[found[0]].id, s.layout.dims[found[1]].id)
}

// attributes finds a place for every column that is no dimension.
func (s *settling) attributes() {
	l := s.layout
	for _, d := range l.dims {
		if assemble.AttributeOf(d.id) == assemble.AttributeUnit {
			l.unit, l.unitIsDim = d, true
		}
	}
	for _, c := range s.columns {
		if s.taken[c.at] {
			continue
		}
		bound := slices.Index([]string{"LOWER_BOUND", "UPPER_BOUND"}, strings.ToUpper(c.id))
		switch attribute := assemble.AttributeOf(c.id); {
		case bound >= 0 && len(l.values) == 1:
			l.bounds[bound] = c.at
		case attribute == assemble.AttributeStatus || attribute == assemble.AttributeConfidentiality:
			l.flags = append(l.flags, c)
		case attribute == assemble.AttributeNote || attribute == assemble.AttributePreBreak:
			l.notes = append(l.notes, c)
		case attribute == assemble.AttributeUnit && l.unit.at < 0:
			l.unit = c
		case attribute == assemble.AttributeMultiplier && l.multiplier < 0:
			l.multiplier = c.at
		default:
			l.others = append(l.others, c)
		}
	}
}
