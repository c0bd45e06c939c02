package geo

import (
	"slices"
	"strings"
	"sync"
)

// namesFile has the names of countries in other languages than English. It is read
// when a table has names that are not English.
const namesFile = "names"

// english is the code of the language of the names in the table of countries.
const english = "en"

// nameTable has the countries by folded name in each language.
type nameTable struct {
	languages  []string // English first
	byLanguage map[string]map[string]*place
	any        map[string]*place // nil for a name that means two countries in two languages
}

// loadNames reads the table at the first call.
var loadNames = sync.OnceValue(readNames)

func readNames() *nameTable {
	countries := loadTables()
	t := &nameTable{
		languages: []string{english}, byLanguage: map[string]map[string]*place{english: countries.names},
		any: make(map[string]*place, 4000),
	}
	add := func(key string, p *place) {
		if other, ok := t.any[key]; ok && other != p {
			p = nil
		}
		t.any[key] = p
	}
	for key, p := range countries.names {
		add(key, p)
	}
	for _, fields := range lines(namesFile) {
		p := countries.iso[alpha2][fields[0]]
		for _, field := range fields[1:] {
			language, names, _ := strings.Cut(field, "=")
			if t.byLanguage[language] == nil {
				t.byLanguage[language] = make(map[string]*place, 300)
				t.languages = append(t.languages, language)
			}
			for name := range strings.SplitSeq(names, " | ") {
				key := foldName(name)
				if other := isoCode(name, alpha2, alpha3); other != nil && other != p {
					continue // RU is the United Kingdom in Catalan
				}
				addNames(t.byLanguage[language], []string{name}, p)
				add(key, p)
			}
		}
	}
	slices.Sort(t.languages[1:])
	return t
}
