package geo

import (
	"slices"
	"strings"
	"sync"
)

// loadLocalNames reads the names of countries in other languages at the first call: the
// fields of names.tsv by ID.
var loadLocalNames = sync.OnceValue(func() map[string][]string {
	rows := map[string][]string{}
	for _, fields := range lines("names") {
		rows[fields[0]] = fields[1:]
	}
	return rows
})

// shortSecond are the areas of which names.tsv has the short form second.
var shortSecond = []string{"HK", "MO", "PS"}

// LocalName returns the name of a country or territory, by its ID, in a language of
// names.tsv: "Deutschland" for DE in "de". ok is false for other areas and for English.
func LocalName(id, language string) (name string, ok bool) {
	for _, field := range loadLocalNames()[id] {
		if names, found := strings.CutPrefix(field, language+"="); found {
			first, second, _ := strings.Cut(names, " | ")
			if slices.Contains(shortSecond, id) {
				first, _, _ = strings.Cut(second, " | ")
			}
			return first, first != ""
		}
	}
	return "", false
}
