package hits

import (
	"slices"

	"almanac/internal/search"
)

// ofOneSex returns texts without those that join both sexes, if women or men are asked for: a value of "men and women" is of neither. All are
// as they were if the question names both.
func (q *question) ofOneSex(a *search.Asked, texts []string) []string {
	if search.NamesBothSexes(q.text) {
		return texts
	}
	return slices.DeleteFunc(slices.Clone(texts), a.JoinsSexes)
}
