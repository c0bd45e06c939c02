package hits

import "almanac/internal/search"

// namedConcept returns which of the things that a question asks for are the concept that the default series measures. They are, in whatever
// order the question has them: "Jugend, Arbeitslosenquote" is for the unemployment rate of the young.
func (s *series) namedConcept(asked []search.Asked) []bool {
	is := make([]bool, len(asked))
	if s.concept == "" {
		return is
	}
	words := search.WordsOf(s.concept)
	for i := range asked {
		is[i] = asked[i].IsIn(words)
	}
	return is
}
