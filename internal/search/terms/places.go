package terms

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/language"

	"almanac/internal/geo"
)

// placeNames has names and adjectives of areas: the words of a name, joined by blanks, to
// the IDs of the areas.
type placeNames struct {
	byName   map[string]string
	prefixes map[string]string // of names written with "*" at the end
	upper    map[string]bool   // abbreviations that are words too: "US" only in capitals
	longest  int               // words of the longest name
	names    func() map[string]string
	regions  regionNames

	currencies map[string]bool      // words such as dollar
	breakdowns map[string]Breakdown // by words of titles, joined by blanks
}

// noPlace stands before names in the file that are no place: "turkey meat".
const noPlace = "no place"

// Area is a place that a text names.
type Area struct {
	ID     string // as in package geo; a subdivision by its code of ISO 3166-2
	Places []int  // which of the text's Words name it
}

// Areas returns the places that a text names: countries by their names in the languages of
// the table, their adjectives and inhabitants, groups of countries, and some cities and
// regions. Of names that overlap the longest counts. Codes are not recognised.
func (t *Table) Areas(text string) []Area {
	words := Words(text)
	if len(words) > maxWords {
		words = words[:maxWords]
	}
	var areas []Area
	for i := 0; i < len(words); {
		n := min(t.places.longest, len(words)-i)
		for ; n > 0; n-- {
			if id := t.places.lookUp(words[i:i+n], text); id != "" {
				if id != noPlace && !t.places.isOfCurrency(words, i, i+n) {
					areas = append(areas, Area{ID: id, Places: span(i, n)})
				}
				break
			}
		}
		i += max(n, 1)
	}
	return areas
}

// isOfCurrency reports whether the name from one word to another belongs to a currency: "US dollar",
// "dollar canadien". Names of countries do if it is the name of a currency: Germany in dollars is none. Behind the currency only an
// adjective does.
func (p *placeNames) isOfCurrency(words []string, from, to int) bool {
	name := strings.Join(words[from:to], " ")
	isAdjective := p.names()[name] == ""
	if to < len(words) && p.currencies[words[to]] {
		return isAdjective || isCurrencyName(name+" "+words[to])
	}
	return isAdjective && from > 0 && p.currencies[words[from-1]]
}

// PlacesNear returns the places with a name or adjective of one word that isNear accepts, by their IDs.
func (t *Table) PlacesNear(isNear func(name string) bool) map[string]string {
	near := map[string]string{}
	for _, names := range []map[string]string{t.places.byName, t.places.names(), t.places.regions.names()} {
		for name, id := range names {
			if id != noPlace && !t.places.upper[name] && !strings.Contains(name, " ") && isNear(name) {
				near[id] = max(near[id], name)
			}
		}
	}
	return near
}

// IsNoPlace reports whether a word is listed as no name of a place.
func (t *Table) IsNoPlace(word string) bool { return t.places.byName[word] == noPlace }

// IsPlaceWord reports whether a folded word is in the name of a country or region, so that it is no misspelt other one: antilles,
// province.
func IsPlaceWord(word string) bool { return loadPlaceWords()[word] }

// minPlaceWord is how many letters such a word has: others are in too many names.
const minPlaceWord = 4

var loadPlaceWords = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for _, e := range geo.Entries() {
		if e.Kind == geo.Other {
			continue
		}
		for _, name := range e.Names() {
			for _, word := range Words(name) {
				if len(word) >= minPlaceWord {
					all[word] = true
				}
			}
		}
	}
	return all
})

// span returns n numbers from the first on.
func span(first, n int) []int {
	numbers := make([]int, n)
	for k := range numbers {
		numbers[k] = first + k
	}
	return numbers
}

func (p *placeNames) lookUp(words []string, text string) string {
	name := strings.Join(words, " ")
	id := p.byName[name]
	if id == "" {
		id = p.names()[name]
	}
	// An adjective of one language may be a name in others: Indiana is no part of India.
	if region := p.regions.names()[name]; id == "" || region != "" && region != noPlace && len(id) == 2 && len(words) == 1 && p.names()[name] == "" {
		id = region
	}
	begin := len(name) - len(words[len(words)-1]) // of the last word
	for n := len(name); n >= begin+minPrefix && id == ""; n-- {
		id = p.prefixes[name[:n]]
	}
	if p.upper[name] && !hasWord(strings.ReplaceAll(text, "US$", "$"), strings.ToUpper(name)) {
		return ""
	}
	return id
}

// hasWord reports whether a text has a word exactly as it is written.
func hasWord(text, word string) bool {
	return slices.Contains(strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }), word)
}

// minPrefix is how many letters the shortest word before "*" has.
const minPrefix = 4

// read reads lines of the form "DE: German, deutsch*", "no place: turkey meat", "regions: US",
// "provinces: ES", "currencies: dollar" and "by region: NUTS".
func (p *placeNames) read(text string) error {
	p.byName, p.prefixes, p.upper, p.longest = map[string]string{}, map[string]string{}, map[string]bool{}, 6
	p.breakdowns, p.currencies = map[string]Breakdown{}, map[string]bool{}
	var wrong []error
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		id, list, ok := strings.Cut(line, ": ")
		if !ok {
			return fmt.Errorf("places.txt: line %q has no \": \" after the area", line)
		}
		if p.regions.isCountries(id, list) || p.isBreakdown(id, list) {
			continue
		}
		for name := range strings.SplitSeq(list, ",") {
			if id == "currencies" {
				p.currencies[strings.Join(Words(name), " ")] = true
				continue
			}
			if err := p.addName(id, strings.TrimSpace(name)); err != nil {
				wrong = append(wrong, fmt.Errorf("places.txt, %s: %w", id, err))
			}
		}
	}
	p.names = sync.OnceValue(countryNames)
	p.regions.names = sync.OnceValue(p.regions.read)
	return errors.Join(wrong...)
}

func (p *placeNames) addName(id, name string) error {
	for _, spelt := range []string{name, umlauts.Replace(name)} {
		words := Words(spelt)
		key := strings.Join(words, " ")
		to := p.byName
		if strings.HasSuffix(name, "*") {
			to = p.prefixes
			if len(words) == 0 || len(words[len(words)-1]) < minPrefix {
				return fmt.Errorf("%q: the word before * must have %d letters or more", name, minPrefix)
			}
		}
		if other := to[key]; other != "" && other != id {
			return fmt.Errorf("%q is also a name of %s", name, other)
		}
		if len(words) == 0 {
			return fmt.Errorf("%q has no letter", name)
		}
		to[key] = id
		p.upper[key] = strings.HasSuffix(name, "!")
	}
	return nil
}

// countryNames returns the names of the countries in the languages of the table.
func countryNames() map[string]string {
	names := map[string]string{}
	add := func(id, name string) {
		for _, spelt := range []string{name, umlauts.Replace(name)} {
			if key := strings.Join(Words(spelt), " "); names[key] == "" {
				names[key] = id
			}
		}
	}
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			code := string(a) + string(b)
			if r, err := language.ParseRegion(code); err != nil || !r.IsCountry() {
				continue
			}
			area, ok := geo.Resolve("iso", code)
			if !ok || area.Kind != geo.Country {
				area, ok = geo.Find(code)
			}
			if !ok || area.Kind != geo.Country || area.ID != code {
				continue
			}
			add(area.ID, area.Name)
			if short, ok := geo.ShortName(area.ID); ok {
				add(area.ID, short)
			}
			for _, l := range Languages {
				if local, ok := geo.LocalName(area.ID, l); ok {
					add(area.ID, local)
				}
			}
		}
	}
	return names
}
