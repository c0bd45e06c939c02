package search

import (
	"slices"
	"strings"

	"almanac/internal/search/terms"
)

// IsPlaced reports whether a label together with titles has all of some things, and itself a part of each, names just some places, and
// has besides them only what is asked for, too: "Natural gas, Europe" in a table of prices. There must be one thing at least.
func IsPlaced(titles []string, label string, things []*Asked, asked []Asked, places []string) bool {
	words := terms.Words(label)
	if !things[0].hasWord(words) { // most labels
		return false
	}
	var named []string
	isOfPlace := make([]bool, len(words))
	for _, a := range terms.Load().Areas(label) {
		named = append(named, a.ID)
		for _, i := range a.Places {
			isOfPlace[i] = true
		}
	}
	if !areSame(named, places) {
		return false
	}
	var rest []string
	for i, word := range words {
		if !isOfPlace[i] {
			rest = append(rest, word)
		}
	}
	return areBeside(titles, strings.Join(rest, " "), things, asked)
}

func areSame(a, b []string) bool {
	lacks := func(list []string) func(string) bool {
		return func(id string) bool { return !slices.Contains(list, id) }
	}
	return !slices.ContainsFunc(a, lacks(b)) && !slices.ContainsFunc(b, lacks(a))
}
