package hits

import (
	"fmt"
	"slices"
	"strings"

	"almanac/internal/search"
	"almanac/internal/stat"
)

// whyCapita says why a value of the series is no answer: it is per inhabitant, for which the question does not ask. It is empty if it is one.
func (q *question) whyCapita(s *series) string {
	texts, names := s.measureTexts()
	if s.isOfOneUnit(q, texts) && !q.lacksCapita(append(names, texts...)) {
		return ""
	}
	return fmt.Sprintf("the usual series%s is of values per inhabitant, for which the question does not ask; choose another unit by the dimensions of the dataset", s.inBrackets())
}

// isOfOneUnit reports whether the unit of the series is none of several that measure different things: values per inhabitant, for
// which neither the question nor the title asks, beside others. An amount per inhabitant is no amount, also if there is no other.
func (s *series) isOfOneUnit(q *question, texts []string) bool {
	for axis := range s.dataset.Dimensions {
		d := &s.dataset.Dimensions[axis]
		if d.Role != stat.RoleUnit || !saysCapita(d.Codes[s.key[axis]].Label) || saysCapita(q.text) || slices.ContainsFunc(texts[1:], saysCapita) {
			continue
		}
		isAmount := len(search.Currencies(d.Codes[s.key[axis]].Label)) > 0
		if isAmount || slices.ContainsFunc(d.Codes, func(c stat.Code) bool { return !saysCapita(c.Label) }) {
			return false
		}
	}
	return true
}

// lacksCapita reports whether a question does not ask for values per inhabitant, and texts say that the series is of such: emissions per
// capita are no emissions.
func (q *question) lacksCapita(texts []string) bool {
	isOfCapita := func(a search.Asked) bool { return slices.ContainsFunc(a.Concepts(), saysCapitaOfCode) } // "how rich is" asks for gdp_per_capita
	return len(q.asked) > 0 && !saysCapita(q.text) && !slices.ContainsFunc(q.asked, isOfCapita) && slices.ContainsFunc(texts, saysCapitaOfCode)
}

// saysCapitaOfCode is [saysCapita] for a text that may be only a code: co2_per_capita.
func saysCapitaOfCode(text string) bool { return saysCapita(strings.ReplaceAll(text, "_", " ")) }
