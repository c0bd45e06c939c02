package hits

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/lazyregexp"
	"almanac/internal/search"
)

// Forms in which questions name ages, in their languages, in the form of [foldMarks].
var (
	fromTo = lazyregexp.New(`\b(?:(?:aged|ages|age|alter|ages?|edad|eta|between|zwischen|im alter von|de|von) )*(\d{1,2}) ?(?:-|to|and|bis|und|a|y|e) ?(\d{1,2})( (?:years?|year olds?|jahren?|ans|anos|anni)(?: old)?)?\b`)
	under  = lazyregexp.New(`\b(?:aged |age )?(?:under|below|younger than|less than|unter|moins de|menos de|meno di|sotto i) (\d{1,2})( (?:years?|jahren?|ans|anos|anni)(?: old)?)?\b`)
	over   = lazyregexp.New(`\b(?:aged |age )?(?:(?:over|older than|uber|plus de|mas de|piu di|oltre i) (\d{1,2})( (?:years?|jahren?|ans|anos|anni)(?: old)?)?|` +
		`(\d{1,2}) (?:years )?(?:and|or) (?:over|older|more))\b`)
	// ofLabour match titles and labels of values about people in the labour force, of whom nobody is younger than 15.
	ofLabour = lazyregexp.New(`(?i)employ|labou?r force|active population|arbeitslos|erwerb|ch[oô]mage|emploi|empleo|desempleo|\bparo\b|occupa`)
)

// least is the age from which people are in the labour force.
const least = 15

// agesAsked returns the ranges of ages that a question may name, best first, and the phrase for them, folded.
func agesAsked(question string) (ages []search.Ages, phrase string) {
	text := foldMarks(question)
	if _, period, ok := periodIn(question); ok {
		text = strings.ReplaceAll(text, period, ";")
	}
	number := func(text string) float64 { n, _ := strconv.Atoi(text); return float64(n) } // figures
	if m := under.FindStringSubmatch(text); m != nil {
		return []search.Ages{{From: 0, To: number(m[1]) - 1}, {From: least, To: number(m[1]) - 1}}, m[0]
	}
	if m := over.FindStringSubmatch(text); m != nil {
		return []search.Ages{{From: number(m[1] + m[3]), To: math.Inf(1)}}, m[0]
	}
	if m := fromTo.FindStringSubmatch(text); m != nil && number(m[1]) < number(m[2]) {
		return []search.Ages{{From: number(m[1]), To: number(m[2])}}, m[0]
	}
	return nil, ""
}

// chooseAgesAsked chooses the ages that the question names in figures, if the dataset has just one value of them, and returns the words for
// them; empty if it has none.
func (q *question) chooseAgesAsked(s *series) (phrase []string) {
	ages, text := agesAsked(q.text)
	for _, of := range ages {
		isOfWork := slices.ContainsFunc(s.texts(), ofLabour.MatchString)
		if at, ok := s.withAges([]search.Ages{of}); ok && !s.named[at.axis] && (len(ages) == 1 || of.From == 0 || isOfWork) {
			s.key[at.axis], s.named[at.axis], s.concept = at.code, true, ""
			s.addReadAs(readAsCode(q.typed(text), &s.dataset.Dimensions[at.axis].Codes[at.code]))
			return search.Words(text)
		}
	}
	return nil
}

// areAmong reports whether all words are among others.
func areAmong(words, others []string) bool {
	return !slices.ContainsFunc(words, func(word string) bool { return !slices.Contains(others, word) })
}
