package search

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	"almanac/internal/geo"
	"almanac/internal/search/terms"
)

// readPlaces finds the places that the text names, also by codes. A text that names nothing else is also
// searched for as words.
func (s *Search) readPlaces(n *snapshot, r *reading, text string) {
	r.readAreaCodes(text)
	for _, a := range s.table.Areas(strings.Join(strings.Fields(text), " ")) {
		if slices.ContainsFunc(a.Places, func(i int) bool { return r.used[i] }) {
			continue // of the name of a source
		}
		if s.readLongerName(n, r, a) {
			continue
		}
		for _, i := range a.Places {
			r.used[i] = true
		}
		if !s.readPartOf(r, a) {
			r.addArea(a.ID, r.asked(a.Places))
		}
	}
	s.readOtherPlaces(n, r)
	s.readNearPlaces(n, r)
	r.readGroupAsSource(n)
	r.chooseRegions(n, text)
	s.readUS(r, text)
	if len(r.areas) == 0 {
		s.readCountryCodes(r, text)
	}
	if r.sources != nil {
		return
	}
	for i, word := range r.words {
		if !r.used[i] && s.table.Weak(word, "") != terms.Function {
			return
		}
	}
	clear(r.used)
}

// Names of places that only package geo has are those of up to maxNameWords words, of which the first has
// minNameLetters letters. One of fewer than minSureLetters is rather misspelt.
const maxNameWords, minNameLetters, minSureLetters = 5, 3, 5

// readOtherPlaces finds places with words that no dataset has and no term of the field, by all names that package geo
// has: Tallinn, Niemcy. Such words would be corrected else. A word that is unsure, see [Search.isUnsure], counts if a dataset of the store
// has the place: Kassel, beside "Kassel, Landkreis". So does a name that begins with a word of terms: Bad Kissingen.
func (s *Search) readOtherPlaces(n *snapshot, r *reading) {
	language := sync.OnceValue(func() string { return s.languageOf(r, s.table.Find(strings.Join(r.words, " "), "")) })
	isUnknown := make([]bool, len(r.words))
	for i, word := range r.words {
		isUnknown[i] = !r.used[i] && !r.inCode[i] && len(word) >= minNameLetters && !s.table.IsNoPlace(word) && !s.isTermOf(word, language) && s.table.Weak(word, "") == terms.Strong && !s.isInTitle(n, word)
	}
	for i := range r.words {
		for length := min(maxNameWords, len(r.words)-i); length > 0; length-- {
			places := span(i, length)
			isTaken := func(k int) bool { return r.used[k] || r.inCode[k] }
			if slices.ContainsFunc(places, isTaken) || !slices.ContainsFunc(places, func(k int) bool { return isUnknown[k] }) {
				continue
			}
			id := s.nameOf(r, places)
			if id == "" && length > 1 && isUnknown[i] {
				id = s.longerName(n, r, places)
			}
			isUnsure := id != "" && (!isUnknown[i] || s.isUnsure(n, r.words[i]))
			if id == "" || isUnsure && !n.hasPlace(id, r.asked(places)) {
				continue
			}
			near := s.placesNear(r.words[i], id)
			isHeld := isUnsure || len(near) > 1 && geo.IsRegion(id) && n.hasPlace(id, r.asked(places))
			if length > 1 || isHeld || !r.addNear(r.asked(places), near) {
				r.addArea(id, r.asked(places))
			}
			for _, k := range places {
				r.used[k], isUnknown[k] = true, false
			}
		}
	}
}

// nameOf returns the ID of the place of which some words are a name; empty if package geo has none, or if the words behind an article or a
// preposition are one by themselves: Heves, in "of Heves".
func (s *Search) nameOf(r *reading, places []int) string {
	if len(places) > 1 && s.isFunction(r, r.words[places[0]]) && lookUpName(r.asked(places[1:])) != "" {
		return ""
	}
	return lookUpName(r.asked(places))
}

// isTermOf reports whether a word is in a term of the field, or is a form of one in the language of the question: Heves is none of the French
// hévéas in an English one.
func (s *Search) isTermOf(word string, language func() string) bool {
	return s.known[word] || slices.ContainsFunc(s.table.Find(word, ""), func(m terms.Match) bool { return m.Language == language() })
}

// isUnsure reports whether a name of a place of one word is rather misspelt, or another word: it is short, a form of a term in another language, or
// in a dataset, but in no title.
func (s *Search) isUnsure(n *snapshot, word string) bool {
	return len(word) < minSureLetters || n.index.Occurrences(word) > 0 || s.isTerm(word)
}

// hasPlace reports whether a dataset of the store has a place.
func (n *snapshot) hasPlace(id, text string) bool {
	p := newPlace(id, text)
	for doc := range n.index.All() {
		if r := n.record(doc); r.id != 0 && p.isKnown(r) {
			return true
		}
	}
	return false
}

// readLongerName reads a name of a place with the words beside it as the name of another one, if package geo or an area of a
// dataset of the store has it: Netherlands Antilles, Brandenburg an der Havel. It reports whether there is one.
func (s *Search) readLongerName(n *snapshot, r *reading, a terms.Area) bool {
	name := a.Places
	for length := maxNameWords; length > len(name); length-- {
		for first := max(0, name[len(name)-1]-length+1); first <= name[0] && first+length <= len(r.words); first++ {
			places := span(first, length)
			isTaken := func(i int) bool { return r.used[i] || r.inCode[i] }
			if slices.ContainsFunc(places, isTaken) {
				continue
			}
			text := r.asked(places)
			id := s.longerName(n, r, places)
			isOfTwo := len(s.table.Areas(text)) > 1 // Belgium-Luxembourg, which are also two countries
			if id == "" || id == a.ID || isOfTwo && !n.hasPlace(id, text) {
				continue
			}
			r.addArea(id, text)
			for _, i := range places {
				r.used[i] = true
			}
			return true
		}
	}
	return false
}

// longerName returns the ID of the place that some words together name; empty if there is none. Articles may begin and end only the
// names of cities: Los Angeles County, Frankfurt (Oder), but not "Frankfurt oder Berlin".
func (s *Search) longerName(n *snapshot, r *reading, places []int) string {
	first, last := places[0], places[len(places)-1]
	isChoice := s.isFunction(r, r.words[last]) && last+1 < len(r.words) && len(s.table.Areas(r.words[last+1])) > 0
	isName := !s.isFunction(r, r.words[first]) && !s.isFunction(r, r.words[last])
	text := r.asked(places)
	if id := lookUpName(text); isName && id != "" {
		return id
	}
	if isChoice {
		return ""
	}
	inside := slices.DeleteFunc(slices.Clone(places), func(i int) bool { return i != first && i != last && s.isFunction(r, r.words[i]) })
	return cmp.Or(n.cityNamed(text), n.cityNamed(r.asked(inside)))
}

// cityNamed returns the ID of the city that a text of several words names: the only one of package geo, else the text if an area of a
// dataset of the store has it as its name. It is empty if there is none.
func (n *snapshot) cityNamed(text string) string {
	if cities := geo.Cities(text); len(cities) == 1 {
		return cities[0].ID
	}
	if _, isCity := slices.BinarySearch(n.cities(), strings.Join(geo.CityNames(text), "")); isCity && strings.Contains(text, " ") {
		return text
	}
	return ""
}

// readGroupAsSource reads the name of the OECD beside another place as that of the source.
func (r *reading) readGroupAsSource(n *snapshot) {
	const group, source = "OECD", "oecd"
	at := slices.Index(r.areas, group)
	if at < 0 || len(r.areas) < 2 || !n.hasSource(source) || r.areaNames[group] != source {
		return
	}
	r.areas = slices.Delete(r.areas, at, at+1)
	delete(r.areaNames, group)
	r.sources = append(r.sources, namedSource{ids: []string{source}, asked: source})
}

// lookUpName returns the ID of the place of which a text is a name; empty if package geo has none.
func lookUpName(text string) string {
	found := geo.Lookup(text)
	if len(found) == 0 || !slices.Contains(found[0].Lists, geo.NameList) || found[0].Kind == geo.Other {
		return ""
	}
	return found[0].ID
}

func span(first, length int) []int {
	places := make([]int, length)
	for k := range places {
		places[k] = first + k
	}
	return places
}

// areaCodes match codes of ISO 3166-2 as they are written, and those of the groups that Eurostat has, in any case: "DE-BY", "EU15", "EA19".
var areaCodes = regexp.MustCompile(`^(?:[A-Z]{2}-[A-Z0-9]{1,3}|(?i:eu|ea)\d{1,2}(?i:_20\d\d)?)$`)

// readAreaCodes takes such codes as places: "population DE-BY".
func (r *reading) readAreaCodes(text string) {
	at := 0
	for _, field := range strings.Fields(text) {
		words := terms.Words(field)
		places := span(at, len(words))
		at += len(words)
		code := strings.Trim(field, ".,;:?!()")
		isName := len(terms.Load().Areas(code)) > 0 && !strings.Contains(code, "-") // EU27
		if isName || !areaCodes.MatchString(code) || at > len(r.words) || !slices.Equal(r.words[places[0]:at], words) {
			continue
		}
		if a, ok := geo.Find(code); ok && !slices.ContainsFunc(places, func(i int) bool { return r.used[i] || r.inCode[i] }) {
			r.addArea(a.ID, code)
			for _, i := range places {
				r.used[i] = true
			}
		}
	}
}

// chooseFiltered reads a name that several places bear as the one that a filter names: Georgia as the state, if that is the area.
func (r *reading) chooseFiltered(areas []place) {
	filtered := func(ids []string) int {
		return slices.IndexFunc(areas, func(p place) bool {
			return slices.ContainsFunc(p.ids, func(id string) bool { return slices.Contains(ids, id) })
		})
	}
	for k, id := range r.areas {
		text := r.areaNames[id]
		if filtered([]string{id}) >= 0 || text == "" {
			continue
		}
		for _, e := range geo.Namesakes(text, id) {
			if at := filtered(SameAreas(e.Key)); at >= 0 && !slices.Contains(r.areas, areas[at].id) {
				delete(r.areaNames, id)
				r.areas[k], r.areaNames[areas[at].id] = areas[at].id, text
				break
			}
		}
	}
	r.unclear = slices.DeleteFunc(r.unclear, func(u Unclear) bool { return filtered(u.Areas) >= 0 })
}

func (r *reading) addArea(id, name string) {
	if !slices.Contains(r.areas, id) {
		r.areas, r.areaNames[id] = append(r.areas, id), name
	}
}
