package caption

import (
	"slices"
	"strings"

	"almanac/internal/stat"
)

// withPart adds to a title the part of the population that is drawn, if the dataset has no total of
// the parts: "Population: single" is not the population. The part is then no longer among the facts.
func withPart(title string, facts []fact) (string, []fact) {
	i := slices.IndexFunc(facts, func(f fact) bool { return f.isPartOfPopulation() })
	if i < 0 || strings.Contains(title, ":") {
		return title, facts
	}
	return title + ": " + lowerFirst(facts[i].label), slices.Delete(slices.Clone(facts), i, i+1)
}

// partsOfPopulation are words in the names of dimensions by which people are told apart.
var partsOfPopulation = strings.Fields("marital civil civilstånd zivilstand familienstand")

// isPartOfPopulation reports whether a fact is a part of the population without a total beside it.
func (f *fact) isPartOfPopulation() bool {
	if !f.isChoice() || f.isMeasure || f.isUnit || f.isCode {
		return false
	}
	isTold := slices.ContainsFunc(strings.Fields(strings.ToLower(f.id+" "+f.dimension)), func(word string) bool { return slices.Contains(partsOfPopulation, word) })
	return isTold && !slices.ContainsFunc(f.others, func(c stat.Code) bool { return IsFiller(c.Label) || isTotal(c.Label) || isTotal(c.ID) })
}
