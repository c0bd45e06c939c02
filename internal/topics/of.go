package topics

import (
	"cmp"
	"slices"

	"almanac/internal/search/terms"
)

// maxTopics is how many topics a dataset has at most.
const maxTopics = 3

// Of returns the codes of the topics that texts speak of, such as title, theme and
// description of a dataset: the best first, at most three, none if no word is known.
func Of(texts ...string) []string {
	scores := map[string]float64{}
	for i, text := range texts {
		for _, m := range terms.Load().Find(text, "") {
			if !m.Everyday && m.Adjacent {
				scores[m.Concept.Topic] += float64(len(m.Places)) / float64(i+1)
			}
		}
	}
	var codes []string
	for code := range scores {
		codes = append(codes, code)
	}
	slices.SortFunc(codes, func(a, b string) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b)) })
	return codes[:min(len(codes), maxTopics)]
}
