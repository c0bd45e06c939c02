package search

import (
	"maps"
	"slices"
	"strings"

	"almanac/internal/search/terms"
)

// Sources returns the IDs of the sources of all datasets in lower case, sorted.
func (s *Search) Sources() []string { return s.current.Load().sources() }

// sourceIDs returns the IDs of the sources of all datasets in lower case, sorted. It visits
// all datasets.
func (n *snapshot) sourceIDs() []string {
	found := map[string]bool{}
	last := ""
	for _, g := range n.segments {
		for i := range g.records {
			if source := g.records[i].source; source != last {
				last = source
				found[strings.ToLower(source)] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// WithoutSources returns the words of a text, folded, that name no source.
func WithoutSources(text string) []string {
	words := terms.Words(text)
	for _, named := range terms.Load().Sources(text) {
		for _, i := range named.Places {
			words[i] = ""
		}
	}
	return slices.DeleteFunc(words, func(word string) bool { return word == "" })
}
