package chart

import (
	"slices"

	"almanac/internal/chart/atlas"
	"almanac/internal/geo"
	"almanac/internal/stat"
)

// minWorldCountries is the number of countries with values from which a chart compares the
// countries of the world.
const minWorldCountries = 80

// maxLargestNamed is how many countries the note on large ones without a value names.
const maxLargestNamed = 5

// largestWithoutValue returns the largest countries that have no value, if a chart compares the
// countries of the world, or members of the European Union in a dataset that has them, and the caller
// selected none. Readers expect them among the highest values, and take their absence for a low one.
func (t *selection) largestWithoutValue() []string {
	if t.isAsked {
		return nil
	}
	areas := t.areasOf(geo.Country)
	countries := map[string]bool{}
	for area := range areas {
		countries[t.factsOf(area).alpha] = true
	}
	var missing []string
	add := func(expected []string, isIn func(alpha string) bool) {
		for _, alpha := range expected {
			if !countries[alpha] && isIn(alpha) && len(missing) < maxLargestNamed {
				missing = append(missing, alpha)
			}
		}
	}
	switch {
	case len(countries) >= minWorldCountries:
		add(geo.LargestCountries(), func(string) bool { return true })
	case t.isEuropean(areas) && t.countMembers(areas) >= minMembers:
		add(geo.LargestMembers(), func(alpha string) bool {
			return slices.ContainsFunc(t.dataset.Geography.Codes, func(code stat.Code) bool { return code.Area == alpha })
		})
	}
	return missing
}

// largestNotes names the largest countries without a value. A map shows where they are.
func (w *textInput) largestNotes(s *Spec) []string {
	if len(w.withoutValue) == 0 || s.Type == Map {
		return nil
	}
	l := s.Words()
	names := make([]string, len(w.withoutValue))
	for i, alpha := range w.withoutValue {
		if name, ok := geo.LocalName(alpha, l.Code); ok {
			names[i] = name
			continue
		}
		names[i], _ = geo.ShortName(alpha)
	}
	if s.Period != "" {
		return []string{l.Text("No values in %s: %s.", s.period(), l.List(names))}
	}
	return []string{l.Text("No values: %s.", l.List(names))}
}

// unionNotes explains a map on which the European Union has a value and none of its members has:
// a tariff that all of them share. A map of regions shows no members.
func (w *textInput) unionNotes(s *Spec) []string {
	if s.Type != Map || s.Set() != atlas.Countries {
		return nil
	}
	union := int32(-1)
	for _, st := range w.series {
		switch facts := w.factsOf(st.area); {
		case facts.kind == geo.Country && geo.IsInEU(facts.alpha):
			return nil
		case facts.kind == geo.Group && facts.class == geo.EuropeanUnion:
			union = st.area
		}
	}
	if union < 0 {
		return nil
	}
	return []string{s.Words().Text("%s: the members have no values of their own.", w.areaLabel(union))}
}
