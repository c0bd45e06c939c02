package geo

import (
	"math/bits"
	"strings"
	"sync"
	"unicode/utf8"
)

// spelling is a code or name, with the letters that it has as a set of bits.
type spelling struct {
	text, lower string
	letters     uint64
}

// loadSpellingList returns the keys and names of all areas but regions, then their names in other
// languages, and those of well-known regions.
var loadSpellingList = sync.OnceValue(func() []spelling {
	var all []spelling
	add := func(texts ...string) {
		for _, text := range texts {
			lower := strings.ToLower(text)
			all = append(all, spelling{text, lower, letterSet(lower)})
		}
	}
	areas := Entries()
	for _, e := range areas {
		if e.Kind != Region {
			add(e.Key, e.Name)
		}
	}
	names := []map[string][][]string{loadOtherNames(), loadSpellings(), readLanguages(regionNamesFile)}
	for _, e := range areas {
		for _, languages := range names {
			for _, list := range languages[e.ID] {
				add(list[1:]...)
			}
		}
	}
	return all
})

// letterSet returns the letters of a text in lower case. Those of other scripts share bits.
func letterSet(lower string) uint64 {
	var set uint64
	for _, r := range lower {
		if r >= 'a' && r <= 'z' {
			set |= 1 << (r - 'a')
		} else {
			set |= 1 << (26 + r%38)
		}
	}
	return set
}

// Spellings returns the codes and names of areas that a person may have meant by a text that is
// none: those that have all but a third of its letters, or begin with it. For a code that begins
// with that of a country, as FR-75 does, the codes of its subdivisions come first, those that
// begin with the text before all.
func Spellings(text string) []string {
	lower := strings.ToLower(strings.TrimSpace(text))
	var likely []string
	upper := strings.ToUpper(lower)
	if country, _, ok := strings.Cut(upper, "-"); ok && len(country) == 2 {
		var others []string
		for _, e := range Entries() {
			if strings.HasPrefix(e.ID, upper) {
				likely = append(likely, e.ID)
			} else if strings.HasPrefix(e.ID, country+"-") {
				others = append(others, e.ID)
			}
		}
		likely = append(likely, others...)
	}
	wanted, most := letterSet(lower), 1+utf8.RuneCountInString(lower)/3
	for _, s := range loadSpellingList() {
		if bits.OnesCount64(wanted&^s.letters) > most {
			continue
		}
		if bits.OnesCount64(s.letters&^wanted) <= most || strings.HasPrefix(s.lower, lower) {
			likely = append(likely, s.text)
		}
	}
	return likely
}
