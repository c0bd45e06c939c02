package sdmxcsv

import (
	"slices"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/format/sdmx"
	"almanac/internal/stat"
)

// layout says what the columns of a dataset are.
type layout struct {
	dimensions []column
	roles      []stat.Role // that the source itself gives them; empty where it gives none
	time       int         // the cell of the period; -1: it is stated
	values     []column
	bounds     [2]int // the cells of the lower and upper bounds; -1: there are none
	attributes []column
	others     []column // attributes that an observation has no place for
	isGuess    bool     // without a structure
}

// valueColumns are the columns of numbers.
func (h *header) valueColumns(known *stat.Structure) []column {
	var found []column
	for _, c := range h.columns {
		rest, is := strings.CutPrefix(strings.ToUpper(c.id), "OBS_VALUE")
		if is && strings.Trim(rest, "0123456789_") == "" || known != nil && known.Measure != "" && strings.EqualFold(c.id, known.Measure) {
			found = append(found, c)
		}
	}
	return found
}

// timeColumn is the cell of the time by its name; -1 if there is none.
func (h *header) timeColumn(known *stat.Structure) int {
	names := []string{"TIME_PERIOD"}
	if known != nil && known.Time != "" {
		names = []string{known.Time, "TIME_PERIOD"}
	}
	for _, name := range names {
		if c := h.find(name); c != nil {
			return c.at
		}
	}
	for _, c := range h.columns {
		if assemble.IsTime(c.id) {
			return c.at
		}
	}
	return -1
}

// settle finds out what the columns of a dataset are. look gives the facts of
// the whole file, where they are needed.
func (h *header) settle(source string, known *stat.Structure, look func() (*facts, error)) (*layout, error) {
	known = sdmx.WithoutScale(source, known)
	l := &layout{time: h.timeColumn(known), values: h.valueColumns(known), bounds: [2]int{-1, -1}}
	if len(l.values) == 0 {
		return nil, stat.BadFile(stat.Position{Line: 1}, "no column holds values: there is no OBS_VALUE among %s", strings.Join(h.ids(), ", "))
	}
	if known != nil && !slices.ContainsFunc(known.Dimensions, func(c stat.Component) bool { return h.find(c.ID) != nil }) {
		known = nil // a structure of something else
	}
	s := settler{header: h, layout: l, source: source, known: known, isSettled: make([]bool, h.width)}
	for _, v := range l.values {
		s.isSettled[v.at] = true
	}
	if l.time >= 0 {
		s.isSettled[l.time] = true
	}
	s.valuesFirst = !slices.ContainsFunc(h.columns, func(c column) bool { return c.at < l.values[0].at && c.at != l.time })
	s.isEurostat = source == "eurostat" && h.find("OBS_FLAG") != nil && l.time >= 0
	l.isGuess = known == nil && !s.isEurostat && h.kind != keyed
	var err error
	if l.isGuess || l.time < 0 {
		if s.facts, err = look(); err != nil {
			return nil, err
		}
	}
	s.settleDimensions()
	if l.time < 0 {
		err = s.findTime()
	}
	s.settleAttributes()
	return l, err
}

// settler finds a layout.
type settler struct {
	*header
	layout     *layout
	source     string
	known      *stat.Structure
	isEurostat bool
	facts      *facts // nil where nothing has to be guessed
	isSettled  []bool // by cell: it is known what it is
	// No other column but the time stands before the values, so that what is
	// behind them says nothing.
	valuesFirst bool
}

// settleDimensions chooses the dimensions: by the structure in its order, else by
// the columns.
func (s *settler) settleDimensions() {
	take := func(c column, role stat.Role) {
		if !s.isSettled[c.at] {
			s.isSettled[c.at] = true
			s.layout.dimensions = append(s.layout.dimensions, c)
			s.layout.roles = append(s.layout.roles, role)
		}
	}
	if s.known != nil && s.kind != keyed {
		for _, d := range s.known.Dimensions {
			if c := s.find(d.ID); c != nil {
				take(*c, d.Role)
			}
		}
		return
	}
	for _, c := range s.columns {
		if s.isSettled[c.at] || !s.isDimension(c) {
			continue
		}
		var role stat.Role
		if s.known != nil {
			if d := s.known.Dimension(c.id); d != nil {
				role = d.Role
			}
		}
		take(c, role)
	}
}

// isDimension tells dimensions from attributes without a structure.
func (s *settler) isDimension(c column) bool {
	beforeTime := s.layout.time > c.at && s.kind != pairs
	if s.isEurostat || s.kind == keyed {
		return beforeTime
	}
	isFreeText := s.kind == pairs && c.labelAt < 0 && c.label == ""
	if c.several || c.languages || isFreeText || s.facts.empty[c.at] || sdmx.IsScale(s.source, c.id) {
		return false
	}
	attribute := assemble.AttributeOf(c.id)
	role := assemble.RoleOf(c.id)
	switch {
	case role == stat.RoleGeo || role == stat.RoleFrequency:
		return true
	case beforeTime && (attribute == assemble.AttributeOther || attribute == assemble.AttributeUnit):
		return true
	case attribute != assemble.AttributeOther || sdmx.IsAttribute(c.id):
		return false
	}
	return c.at < s.layout.values[0].at || s.valuesFirst
}

// findTime takes the one dimension whose cells are all periods for the time.
func (s *settler) findTime() error {
	l := s.layout
	var found []int
	for i, c := range l.dimensions {
		if s.facts.used[c.at] && !s.facts.undated[c.at] {
			found = append(found, i)
		}
	}
	switch len(found) {
	case 0:
		return nil
	case 1:
		at := found[0]
		l.time = l.dimensions[at].at
		l.dimensions = slices.Delete(l.dimensions, at, at+1)
		l.roles = slices.Delete(l.roles, at, at+1)
		return nil
	}
	return stat.BadFile(stat.Position{Line: 1, Column: l.dimensions[found[1]].at + 1}, "both %s and %s hold periods only, and neither is called TIME_PERIOD: rename the heading of the one that is the time",
		l.dimensions[found[0]].id, l.dimensions[found[1]].id)
}

// settleAttributes finds a place for every column that is no dimension. Only one
// says the unit, and one the multiplier.
func (s *settler) settleAttributes() {
	l := s.layout
	hasUnit := slices.ContainsFunc(l.dimensions, func(c column) bool { return assemble.AttributeOf(c.id) == assemble.AttributeUnit })
	hasMultiplier := false
	for _, c := range s.columns {
		if s.isSettled[c.at] {
			continue
		}
		attribute := assemble.AttributeOf(c.id)
		bound := slices.Index([]string{"LOWER_BOUND", "UPPER_BOUND"}, strings.ToUpper(c.id))
		isUnit, isMultiplier := attribute == assemble.AttributeUnit, attribute == assemble.AttributeMultiplier
		switch {
		case bound >= 0 && len(l.values) == 1:
			l.bounds[bound] = c.at
		case attribute == assemble.AttributeOther, isUnit && hasUnit, isMultiplier && hasMultiplier:
			l.others = append(l.others, c)
		default:
			l.attributes = append(l.attributes, c)
			hasUnit, hasMultiplier = hasUnit || isUnit, hasMultiplier || isMultiplier
		}
	}
}
