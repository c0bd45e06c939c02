package chart

import "almanac/internal/geo"

// minWorldCountries is the number of countries with values from which a chart compares the
// countries of the world.
const minWorldCountries = 80

// maxLargestNamed is how many countries the note on large ones without a value names.
const maxLargestNamed = 5

// largestWithoutValue returns the largest countries that have no value, if a chart compares the countries of the world and the caller selected none.
// Readers expect them among the highest values, and take their absence for a low one.
func (t *selection) largestWithoutValue() []string {
	if t.isAsked {
		return nil
	}
	countries := map[string]bool{}
	for area := range t.areasOf(geo.Country) {
		countries[t.factsOf(area).alpha] = true
	}
	if len(countries) < minWorldCountries {
		return nil
	}
	var missing []string
	for _, alpha := range geo.LargestCountries() {
		if !countries[alpha] && len(missing) < maxLargestNamed {
			missing = append(missing, alpha)
		}
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
