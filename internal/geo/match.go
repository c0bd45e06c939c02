package geo

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Match returns the IDs of the areas that a person may mean by a text in a request: an
// ISO alpha-2 or alpha-3 code, an M49 number with or without leading zeros, an office's
// own code, or source:code. Case does not matter. A text may mean several areas: FRA is
// France and a NUTS region. A bare number is always M49. A region does not imply its
// country, nor a group its members.
//
// An unknown text is returned as it is, because a source may have own codes that are
// not listed; compare IDs without regard to case. For a bare number that is not M49,
// the result is empty. The caller must not change the slice.
func Match(text string) []string {
	text = strings.TrimSpace(text)
	if ids := loadIndex()[upperCode(text)]; ids != nil {
		return ids
	}
	switch {
	case text == "":
		return nil
	case isDigits(text):
		return loadIndex()[padNumber(strings.TrimLeft(text, "0"))]
	}
	if source, code, ok := strings.Cut(text, ":"); ok {
		if a, ok := resolvePrefixed(source, code); ok {
			return []string{a.ID}
		}
	}
	if upper := strings.ToUpper(text); isEurostatRegion(upper) {
		return []string{upper}
	}
	return []string{text}
}

// Find returns the area that a person most likely means by a code without a source, as
// in --country: alpha-2, alpha-3 or M49 first, then source:code, then the own codes of
// offices in the order of the systems, Eurostat's first, then ISO 3166-2. ok is false if the code is
// unknown; the Area is then as for [Resolve].
func Find(text string) (a Area, ok bool) {
	t := loadTables()
	text = strings.TrimSpace(text)
	upper := padNumber(strings.ToUpper(text))
	for _, f := range []form{alpha2, alpha3, m49} {
		if p := cmp.Or(t.iso[f][upper], t.former[f][upper]); p != nil {
			return p.area, true
		}
	}
	if source, code, ok := strings.Cut(text, ":"); ok {
		if a, ok := resolvePrefixed(source, code); ok {
			return a, a.Kind != ""
		}
	}
	if p := t.findOwn(upper); p != nil {
		return p.from(m49Sources[0]), true
	}
	if a, ok := FindSubdivision(upper); ok {
		return a, true
	}
	if isEurostatRegion(upper) {
		return Area{ID: upper, Name: upper, Kind: Region}, true
	}
	return Area{ID: text, Name: text}, false
}

// findOwn returns the place of an own code of any office. The first code of an area
// takes precedence over an additional code of another area. Numbers are M49.
func (t *tables) findOwn(code string) (further *place) {
	if isDigits(code) {
		return t.own["m49"].codes[code]
	}
	for _, file := range ownFiles {
		p := t.own[file].codes[code]
		if p != nil && strings.EqualFold(p.area.ID, code) {
			return p
		}
		if further == nil {
			further = p
		}
	}
	return further
}

// resolvePrefixed resolves source:code. ok is false if the text is not of that form: the
// source is unlisted and the code does not consist of digits.
func resolvePrefixed(source, code string) (Area, bool) {
	source = canonicalSource(source)
	if _, listed := loadOffices()[source]; !listed && !isDigits(code) || source == "" || code == "" {
		return Area{}, false
	}
	a, _ := Resolve(source, code)
	return a, true
}

// loadIndex builds the index of [Match] at the first call.
var loadIndex = sync.OnceValue(func() map[string][]string { return readIndex(loadTables()) })

func readIndex(t *tables) map[string][]string {
	index := make(map[string][]string, 2048)
	add := func(code, id string) {
		if !slices.Contains(index[code], id) {
			index[code] = append(index[code], id)
		}
	}
	for _, p := range t.countries {
		for _, code := range []string{p.area.Alpha2, p.area.Alpha3, p.area.M49} {
			add(code, p.area.ID)
			if isEurostatRegion(code) {
				add(code, code) // FRA, LUX and MEX are regions as well
			}
		}
	}
	for _, former := range t.former {
		for code, p := range former {
			add(code, p.area.ID)
			if number, ok := strings.CutPrefix(p.area.ID, "un:"); ok {
				for _, source := range m49Sources {
					add(code, ownID(source, number))
				}
			}
		}
	}
	for _, file := range ownFiles {
		for code, p := range t.own[file].codes {
			if !isDigits(code) {
				add(code, p.area.ID)
			}
		}
	}
	for _, source := range m49Sources {
		for _, file := range officeOf(source).own {
			for code, p := range t.own[file].codes {
				// A number with another meaning in FAO has both meanings.
				add(code, p.from(source).ID)
			}
		}
	}
	for code := range index {
		slices.Sort(index[code])
	}
	return index
}

// m49Sources are the sources whose numbers are M49. A bare number that is not that of a
// country means the group or former country with that number in each.
var m49Sources = []string{"un", "unsd", "unpd", "fao"}

// upperCode returns a code in upper case. A text with other letters than ASCII is
// not a code; it stays as it is, because some of them have an ASCII upper case.
func upperCode(text string) string {
	if strings.IndexFunc(text, func(r rune) bool { return r > unicode.MaxASCII }) >= 0 {
		return text
	}
	return strings.ToUpper(text)
}
