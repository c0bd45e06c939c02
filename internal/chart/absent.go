package chart

import (
	"slices"

	"almanac/internal/chart/atlas"
	"almanac/internal/geo"
	"almanac/internal/lazyregexp"
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
		names[i] = w.countryName(alpha)
	}
	if s.Period != "" {
		return []string{l.Text("No values in %s: %s.", s.period(), l.List(names))}
	}
	return []string{l.Text("No values: %s.", l.List(names))}
}

// unionWithoutMembers returns the series of the European Union on a map of countries on which it has a
// value and none of its members has, or nil. A map of regions shows no members.
func (t *selection) unionWithoutMembers(s *Spec) *dataSeries {
	if s.Type != Map || s.Set() != atlas.Countries {
		return nil
	}
	var union *dataSeries
	for _, st := range t.series {
		switch facts := t.factsOf(st.area); {
		case facts.kind == geo.Country && geo.IsInEU(facts.alpha):
			return nil
		case facts.kind == geo.Group && facts.class == geo.EuropeanUnion:
			union = st
		}
	}
	return union
}

// ofUnion matches what the members of the European Union have in common: its tariff is that of each of
// them, as an unemployment rate is not.
var ofUnion = lazyregexp.New(`(?i)\b(tariffs?|dut(y|ies)|customs|most[- ]favou?red[- ]nation|mfn|droits? de douane|aranceles?)\b`)

// fillMembers sets which countries a map fills with the value of the European Union.
func (s *Spec) fillMembers(t *selection) {
	union := t.unionWithoutMembers(s)
	if union == nil {
		return
	}
	text := t.own.Name
	for axis, code := range union.key {
		text += "; " + t.own.Dimensions[axis].Codes[code].Label
	}
	if !ofUnion.MatchString(text) {
		return
	}
	year := t.periods[union.periods[len(union.periods)-1]].Start().Year()
	for i := range s.Categories {
		if c := &s.Categories[i]; c.Group && c.Area == t.dataset.Geography.Codes[union.area].Area {
			c.Members = geo.EUMembers(year)
		}
	}
}

// unionNotes explains what a map shows of the members of the European Union if only the Union itself has
// a value.
func (w *textInput) unionNotes(s *Spec) []string {
	union := w.unionWithoutMembers(s)
	if union == nil {
		return nil
	}
	text := "%s: the members have no values of their own."
	if slices.ContainsFunc(s.Categories, func(c Category) bool { return c.Members != nil }) {
		text = "%s: one value for all members."
	}
	return []string{s.Words().Text(text, w.areaLabel(union.area))}
}
