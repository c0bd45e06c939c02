package sdmxcsv

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/format/sdmx"
	"almanac/internal/stat"
)

var obsValue = regexp.MustCompile(`(?i)^OBS_VALUE[0-9_]*$`)

func (h *header) valueColumns(measure string) (values []column) {
	for _, c := range h.columns {
		if obsValue.MatchString(c.id) || strings.EqualFold(c.id, measure) {
			c.measure = int32(len(values))
			values = append(values, c)
		}
	}
	return values
}

// chooseColumns decides what each column is, without a known structure by the facts of
// the survey.
func (t *table) chooseColumns(source string, known *stat.Structure) error {
	known = cmp.Or(sdmx.WithoutScale(source, known), &stat.Structure{})
	t.time, t.values = cmp.Or(t.column(known.Time), t.column("TIME_PERIOD"), t.find(assemble.IsTime)), t.valueColumns(known.Measure)
	if len(t.values) == 0 {
		return stat.BadFile(stat.Position{Line: 1}, "no column holds values: there is no OBS_VALUE among %s", t.ids())
	}
	last := len(known.Dimensions)
	place := func(c column) int { return placeIn(known, c.id) }
	isKnown := slices.ContainsFunc(t.columns, func(c column) bool { return place(c) < last })
	isOrdered := t.time != nil && (t.kind == keyed || source == "eurostat" && t.column("OBS_FLAG") != nil)
	t.isGuess = !isKnown && !isOrdered
	var facts []facts
	if t.isGuess || t.time == nil {
		s, err := t.survey()
		if err != nil {
			return err
		}
		facts = s.datasets[t.key]
	}
	isDimension := func(c column) bool { return t.guessDimension(c, source, facts[c.at]) }
	switch {
	case isKnown && t.kind != keyed:
		isDimension = func(c column) bool { return place(c) < last }
	case isOrdered:
		isDimension = func(c column) bool { return c.at < t.time.at }
	}
	isSingle := len(t.values) == 1
	for _, c := range t.columns {
		bound := slices.Index([]string{"LOWER_BOUND", "UPPER_BOUND"}, strings.ToUpper(c.id))
		switch {
		case t.time != nil && c.at == t.time.at, slices.ContainsFunc(t.values, func(v column) bool { return v.at == c.at }):
		case isDimension(c):
			if at := place(c); at < last {
				c.role = known.Dimensions[at].Role
			}
			t.dimensions = append(t.dimensions, c)
		case bound >= 0 && isSingle:
			c.measure, c.isBound = int32(bound+1), true
			t.values = append(t.values, c)
		default:
			t.attributes = append(t.attributes, c)
		}
	}
	if err := t.useArea(); err != nil {
		return err
	}
	if t.kind != keyed {
		slices.SortStableFunc(t.dimensions, func(a, b column) int { return place(a) - place(b) })
	}
	if t.time == nil {
		return t.findTime(facts)
	}
	return nil
}

// placeIn returns the position of a dimension in a structure, the one after all others
// if it is not there.
func placeIn(s *stat.Structure, id string) int {
	at := slices.IndexFunc(s.Dimensions, func(d stat.Component) bool { return strings.EqualFold(d.ID, id) })
	if at < 0 {
		return len(s.Dimensions)
	}
	return at
}

// useArea makes the attribute REF_AREA the geography of data whose keys have none.
func (t *table) useArea() error {
	isGeography := func(c column) bool { return c.role == stat.RoleGeo || assemble.RoleOf(c.id) == stat.RoleGeo }
	at := slices.IndexFunc(t.attributes, func(c column) bool { return strings.EqualFold(c.id, "REF_AREA") })
	if at < 0 || slices.ContainsFunc(t.dimensions, isGeography) {
		return nil
	}
	s, err := t.survey()
	if err == nil && !s.datasets[t.key][t.attributes[at].at].hasEmpty {
		t.dimensions = append(t.dimensions, t.attributes[at])
		t.attributes = slices.Delete(t.attributes, at, at+1)
	}
	return err
}

// guessDimension reports whether a column is a dimension by the rules for data without
// a known structure.
func (t *table) guessDimension(c column, source string, facts facts) bool {
	isFreeText := t.kind == pairs && c.labelAt < 0 && c.label == ""
	if c.hasSeveral || c.hasLanguages || isFreeText || facts.hasEmpty || sdmx.IsScale(source, c.id) {
		return false
	}
	firstValue := t.values[0].at
	isFirst := func(other column) bool { return other.at < firstValue && (t.time == nil || other.at != t.time.at) }
	isBeforeTime := t.time != nil && c.at < t.time.at && t.kind != pairs
	attribute, role := assemble.AttributeOf(c.id), assemble.RoleOf(c.id)
	if attribute == assemble.AttributeCurrency {
		attribute = assemble.AttributeOther // a dimension of exchange rates
	}
	switch {
	case role == stat.RoleGeo || role == stat.RoleFrequency:
		return true
	case isBeforeTime && (attribute == assemble.AttributeOther || attribute == assemble.AttributeUnit):
		return true
	case attribute != assemble.AttributeOther || sdmx.IsAttribute(c.id):
		return false
	}
	// If only the time comes before the values, the order of the columns means nothing.
	return c.at < firstValue || !slices.ContainsFunc(t.columns, isFirst)
}

// findTime makes the only dimension whose cells are all periods the time.
func (t *table) findTime(facts []facts) error {
	isTime := func(c column) bool { return !facts[c.at].hasOther && facts[c.at].hasAny }
	first := slices.IndexFunc(t.dimensions, isTime)
	if first < 0 {
		return nil
	}
	time := t.dimensions[first]
	if next := slices.IndexFunc(t.dimensions[first+1:], isTime); next >= 0 {
		other := t.dimensions[first+1+next]
		return stat.BadFile(stat.Position{Line: 1, Column: other.at + 1}, "columns %s and %s both hold only periods, and neither is called TIME_PERIOD: rename the heading of the one that is the time",
			time.id, other.id)
	}
	t.time, t.dimensions = &time, slices.Delete(t.dimensions, first, first+1)
	return nil
}
