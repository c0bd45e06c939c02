package caption

import (
	"slices"
	"strings"

	"almanac/internal/lazyregexp"
	"almanac/internal/stat"
)

// withPart adds to a title the parts of the population and the direction of a flow that are drawn, if
// the dataset has no total of the parts: "Population: single" is not the population, and "Migration" of those
// who immigrated is "In-migration". They are then no longer among the facts. own are the choices without a
// choice of language, nil if there is none.
func withPart(title string, facts []fact, own *choices) (string, []fact) {
	if strings.Contains(title, ":") {
		return title, facts
	}
	var parts []string
	rest := slices.DeleteFunc(slices.Clone(facts), func(f fact) bool {
		isPart := f.isPartOfPopulation() || f.isDirection()
		if own != nil {
			isPart = own.parts[f.id]
		}
		if isPart {
			parts = append(parts, lowerFirst(f.label))
		}
		return isPart
	})
	if parts == nil {
		return title, facts
	}
	if name := directionOf(parts); strings.EqualFold(title, "Migration") && name != "" {
		title, parts = name, slices.DeleteFunc(parts, direction.MatchString)
		if len(parts) == 0 {
			return title, rest
		}
	}
	return title + ": " + strings.Join(parts, ", "), rest
}

// direction matches labels of one direction of a flow of people.
var direction = lazyregexp.New(`(?i)^((in-?|im|out-?|e)migra(tion|nts|ted)|(in|ut)flyttade|arrivals|departures)$`)

// directionOf returns the name of the flow of which one direction is among labels, or "".
func directionOf(labels []string) string {
	i := slices.IndexFunc(labels, direction.MatchString)
	if i < 0 {
		return ""
	}
	switch label := strings.ToLower(labels[i]); label[0] {
	case 'i':
		return "In-migration"
	case 'o', 'e', 'u':
		return "Out-migration"
	}
	return "" // arrivals and departures need not be of migrants
}

// isDirection reports whether a fact is one direction of a flow in a dataset that has others.
func (f *fact) isDirection() bool { return f.isChoice() && !f.isUnit && direction.MatchString(f.label) }

// partsOfPopulation are words in the names of dimensions by which people are told apart.
var partsOfPopulation = strings.Fields("marital civil civilstånd zivilstand familienstand sex gender kön kjønn køn geschlecht sexe sexo")

// isPartOfPopulation reports whether a fact is a part of the population without a total beside it.
func (f *fact) isPartOfPopulation() bool {
	if !f.isChoice() || f.isMeasure || f.isUnit || f.isCode {
		return false
	}
	isTold := slices.ContainsFunc(strings.Fields(strings.ToLower(f.id+" "+f.dimension)), func(word string) bool { return slices.Contains(partsOfPopulation, word) })
	return isTold && !slices.ContainsFunc(f.others, func(c stat.Code) bool { return IsFiller(c.Label) || isTotal(c.Label) || isTotal(c.ID) })
}
