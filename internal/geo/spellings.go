package geo

import "sync"

// Spellings returns what a person may have meant by a text that is no area: the keys and names of
// all areas but regions, then their names in other languages, and those of well-known regions.
var Spellings = sync.OnceValue(func() []string {
	var all []string
	areas := Entries()
	for _, e := range areas {
		if e.Kind != Region {
			all = append(all, e.Key, e.Name)
		}
	}
	for _, e := range areas {
		for _, languages := range []map[string][][]string{loadOtherNames(), loadSpellings(), readLanguages(regionNamesFile)} {
			for _, list := range languages[e.ID] {
				all = append(all, list[1:]...)
			}
		}
	}
	return all
})
