package search

import (
	"maps"
	"slices"
	"strings"

	"almanac/internal/geo"
	"almanac/internal/search/index"
	"almanac/internal/search/terms"
)

// compass has the words for parts of a place in the languages of the terms. Those that also are words such as "is" count
// only before a preposition.
var (
	compass = wordsOf(`north northern northeast northeastern northwest northwestern south southern southeast southeastern southwest
		southwestern east eastern west western central
		nord norden nördlich nördliche nördliches nördlichen süd süden südlich südliche südliches südlichen ost osten östlich
		östliche östliches östlichen westen westlich westliche westliches westlichen mittel zentral
		sud ouest norte oeste septentrional meridional oriental occidental
		settentrionale meridionale orientale occidentale centrale ovest`)
	doubtful     = wordsOf("est este sur")
	prepositions = wordsOf("de du d del della dell of von")
)

func wordsOf(text string) map[string]bool {
	set := map[string]bool{}
	for _, word := range terms.Words(text) {
		set[word] = true
	}
	return set
}

// readPartOf reads a compass word beside a place as a part of it, unless both together are the name of a place. It reports
// whether that place was added in its stead.
func (s *Search) readPartOf(r *reading, a terms.Area) bool {
	first, last := a.Places[0], a.Places[len(a.Places)-1]
	from, to := first, last
	for i := first - 1; i >= 0 && !r.used[i] && (r.isCompass(i) || s.isFunction(r, r.words[i])); i-- {
		if r.isCompass(i) {
			from = i
		}
	}
	for i := last + 1; from == first && i < len(r.words) && !r.used[i] && (r.isCompass(i) || prepositions[r.words[i]]); i++ {
		if r.isCompass(i) {
			to = i
		}
	}
	if from == first && to == last {
		return false
	}
	text := r.asked(span(from, to-from+1))
	for i := from; i <= to; i++ {
		r.used[i] = true
	}
	for _, found := range geo.Lookup(text) {
		if slices.Contains(found.Lists, geo.NameList) && found.Kind != geo.Other {
			r.addArea(found.ID, text)
			return true
		}
	}
	r.partsOf = append(r.partsOf, PartOf{text, a.ID})
	return false
}

func (r *reading) isCompass(i int) bool {
	return compass[r.words[i]] || doubtful[r.words[i]] && i+1 < len(r.words) && prepositions[r.words[i+1]]
}

// splitCompass parts a compass word from the name of a place: Süddeutschland, not Südkorea.
func (s *Search) splitCompass(word string) (text string, ok bool) {
	for _, part := range []string{"nord", "sud", "ost", "west", "mittel", "zentral"} {
		if rest, ok := strings.CutPrefix(word, part); ok && len(rest) >= minSureLetters && len(s.table.Areas(rest)) == 1 {
			return part + " " + rest, true
		}
	}
	return "", false
}

// readNearPlaces reads words that no dataset has and no term of the field as the place of which a name differs by one
// letter. One that is as near to several places is unclear.
func (s *Search) readNearPlaces(n *snapshot, r *reading) {
	for i, word := range r.words {
		if r.used[i] || r.inCode[i] || len(word) < minNearLetters || isNumber(word) || s.table.IsNoPlace(word) || terms.IsPlaceWord(word) || s.isTerm(word) || n.index.Occurrences(word) > 0 {
			continue
		}
		near := s.placesNear(word, "")
		isDoubtful := s.isNearTerm(word, countryAsLong(word, near))
		switch ids := slices.Sorted(maps.Keys(near)); {
		case len(ids) == 0, len(ids) == 1 && isDoubtful:
			continue
		case len(ids) == 1:
			r.addArea(ids[0], near[ids[0]])
			r.corrections = append(r.corrections, Correction{word, near[ids[0]]})
		default:
			r.addNear(word, near)
		}
		r.used[i] = !isDoubtful
	}
}

// minNearLetters is the number of letters of a word from which one may be wrong.
const minNearLetters = 4

// countryAsLong reports whether the only place near a word is a country whose name has as many letters.
func countryAsLong(word string, near map[string]string) bool {
	for id, name := range near {
		a, ok := geo.Find(id)
		return ok && len(near) == 1 && a.Kind == geo.Country && len(name) == len(word)
	}
	return false
}

// isNearTerm reports whether a word is rather a misspelt word of the field. If isCountry, only words of as many letters are
// near: "greese" is Greece and not geese.
func (s *Search) isNearTerm(word string, isCountry bool) bool {
	return slices.ContainsFunc(s.near[word[:1]], func(other string) bool {
		return index.IsOneEdit(word, other) && (!isCountry || len(other) == len(word))
	})
}

// placesNear returns the names of places that differ from a word by one letter, which is not the first, by the IDs of the
// places. also is one more of them; empty if there is none.
func (s *Search) placesNear(word, also string) map[string]string {
	near := s.table.PlacesNear(func(name string) bool { return name[0] == word[0] && index.IsOneEdit(word, name) })
	if also != "" {
		for _, same := range SameAreas(also) {
			delete(near, same)
		}
		near[also] = word
	}
	return near
}

// addNear notes that a word may mean several places. It reports whether there are several.
func (r *reading) addNear(word string, near map[string]string) bool {
	if len(near) < 2 {
		return false
	}
	r.unclear = append(r.unclear, Unclear{word, slices.Sorted(maps.Keys(near))})
	return true
}

// chooseRegions decides between regions of several countries with one name: by the country that the question names, else it is the only one
// that a dataset of the store has, else the name is unclear.
func (r *reading) chooseRegions(n *snapshot, text string) {
	r.chooseNamesake(text)
	for k, id := range r.areas {
		text := r.areaNames[id]
		same := regionsNamed(id, text)
		if len(same) < 2 {
			continue
		}
		at := slices.IndexFunc(same, func(other string) bool { return slices.Contains(r.areas, countryOf(other)) })
		if at < 0 {
			at = n.onlyHeld(same)
		}
		switch {
		case at < 0:
			r.unclear = append(r.unclear, Unclear{text, same})
		case same[at] != id:
			delete(r.areaNames, id)
			r.areas[k], r.areaNames[same[at]] = same[at], text
		}
	}
}

// onlyHeld returns the position of the only one of some places that a dataset of the store has by its code; -1 if there is none, or several.
func (n *snapshot) onlyHeld(ids []string) int {
	at := -1
	for i, id := range ids {
		if !n.hasPlace(id, "") {
			continue
		}
		if at >= 0 {
			return -1
		}
		at = i
	}
	return at
}

// chooseNamesake reads the name of a country directly before that of another one as the region of that name there: "Luxembourg, Belgium" and
// "Georgia USA". Without a comma or a word for regions, two countries of one continent are both meant: "Luxembourg Belgium".
func (r *reading) chooseNamesake(text string) {
	if len(r.areas) != 2 || !strings.Contains(strings.Join(r.typed, " "), r.areaNames[r.areas[0]]+" "+r.areaNames[r.areas[1]]) {
		return
	}
	id, name := r.areas[0], r.areaNames[r.areas[0]]
	if a, ok := geo.Find(id); !ok || a.Kind != geo.Country {
		return
	}
	isOfRegion := strings.ContainsAny(text, ",(") || slices.ContainsFunc(r.words, func(word string) bool { return terms.Load().Breakdown("by " + word).ByRegion })
	if !isOfRegion && geo.ContinentOf(id) == geo.ContinentOf(r.areas[1]) {
		return
	}
	for _, other := range geo.Namesakes(name, id) {
		if countryOf(other.ID) == r.areas[1] {
			delete(r.areaNames, id)
			r.areas[0], r.areaNames[other.ID] = other.ID, name
			return
		}
	}
}

// regionsNamed returns the regions that bear a name, one of each country, that with an ID first. It is nil if the ID is that
// of no region.
func regionsNamed(id, text string) (ids []string) {
	if !geo.IsRegion(id) {
		return nil
	}
	ids, countries := []string{id}, []string{countryOf(id)}
	for _, found := range geo.Lookup(text) {
		country := countryOf(found.ID)
		isName := strings.Join(terms.Words(found.Name), " ") == strings.Join(terms.Words(text), " ")
		if isName && found.Kind == geo.Region && country != "" && !slices.Contains(countries, country) {
			ids, countries = append(ids, found.ID), append(countries, country)
		}
	}
	return ids
}
