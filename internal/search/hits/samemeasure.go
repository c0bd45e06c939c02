package hits

import (
	"slices"

	"almanac/internal/search"
)

// sexWords are the words by which a dimension is known as that of the sexes.
var sexWords = []string{"sex", "gender", "geschlecht", "sexe", "sexo", "sesso"}

// isSameMeasure reports whether the series is of the measure of the usual one: it has other values only of the dimensions of ages and sexes. The
// unemployment rate of young women is one, too.
func (s *series) isSameMeasure(usual []int32) bool {
	for axis, code := range s.key {
		d := &s.dataset.Dimensions[axis]
		words := search.WordsOf(d.ID, d.Label)
		if code != usual[axis] && !slices.ContainsFunc(ageWords, words.Has) && !slices.ContainsFunc(sexWords, words.Has) {
			return false
		}
	}
	return true
}
