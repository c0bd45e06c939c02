package geo

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// cityAdditions match what offices add to the name of a city in a label: a note, the kind of
// municipality, or the year since which its borders are these.
var cityAdditions = []*regexp.Regexp{
	regexp.MustCompile(`\s*\((\d{1,2}|stolitsa|Stadt|city|miasto|kaupunki|grad|град)\)$`),
	regexp.MustCompile(`\s(od|since|seit|depuis|desde|dal) \d{4}$`),
	regexp.MustCompile(`(?i),\s*(kreisfreie stadt|stadtkreis|landeshauptstadt|stadt|miasto|city)$`),
	regexp.MustCompile(`(?i)\s(city|kaupunki|linn)$`),
	regexp.MustCompile(`(?i)^(m\.\s?st\.|miasto|byen|město|hlavní město|hl\. m\.|city of|ville de|ciudad de|stadt)\s*`),
}

// CityOfLabel returns the name of the city that a label is of, in the form of [CityNames]: lodz of
// "Łódź (1)", warszawa of "M.st.Warszawa od 2002 (1)". ok is false if the label does not say so.
func CityOfLabel(label string) (name string, ok bool) {
	name = strings.TrimSpace(label)
	for range cityAdditions { // several may follow one another
		before := name
		for _, addition := range cityAdditions {
			name = addition.ReplaceAllString(name, "")
		}
		if name == before {
			break
		}
	}
	return cityKey(name), name != "" && name != strings.TrimSpace(label)
}

// cityKey returns the form in which names of cities are compared: without case, accents and blanks.
func cityKey(name string) string { return twoLetters.Replace(nameKey(name)) }

// CityNames returns the names that a city has in several languages, without case and accents, the
// text first, if a text may be the name of one: a name of a region, or unknown. It is nil for a code
// and for the name of a country or group.
func CityNames(text string) []string {
	text = strings.TrimSpace(text)
	if isPlainCode(text) || loadIndex()[upperCode(text)] != nil {
		return nil
	}
	found := Lookup(text)
	if len(found) == 0 {
		return []string{cityKey(text)}
	}
	if found[0].Kind != Region || !slices.Contains(found[0].Lists, NameList) {
		return nil
	}
	names := []string{cityKey(text)}
	isText := func(name string) bool { return nameKey(name) == nameKey(text) }
	isMain := slices.ContainsFunc(found[0].names, isText) || IsMainName(found[0].ID, text)
	for _, list := range loadRegionNames()[found[0].ID] {
		for _, name := range namesOfCity(list, isMain) {
			names = append(names, cityKey(name))
		}
	}
	return names
}

// namesOfCity returns the names in one language that are those of the city. If the region was
// called by its main name, it is that name in each language: Uusimaa does not mean Helsinki, which
// is another name of the region, while Berlin is both. Else it is all but the main one.
func namesOfCity(list []string, isMain bool) []string {
	switch {
	case isMain && list[0] == "mul":
		return nil
	case isMain:
		return list[1:2]
	case list[0] == "mul":
		return list[1:]
	}
	return list[2:]
}

// IsMainName reports whether a text is the name to show of a region in one of the languages, and not
// another name, such as that of its capital.
func IsMainName(id, text string) bool {
	return slices.ContainsFunc(loadRegionNames()[id], func(list []string) bool {
		return list[0] != "mul" && nameKey(list[1]) == nameKey(text)
	})
}

// loadCities reads the areas of which the name is that of a city, by the name of the city.
var loadCities = sync.OnceValue(func() map[string][]*Entry {
	cities := map[string][]*Entry{}
	for _, e := range Entries() {
		if name, ok := CityOfLabel(e.Name); ok && e.Kind == Region {
			cities[name] = append(cities[name], e)
		}
	}
	return cities
})

// Cities returns the areas whose own names say that they are the city that a text is a name of:
// "Miasto Warszawa" for Warsaw.
func Cities(text string) []*Entry {
	var found []*Entry
	for _, name := range CityNames(text) {
		for _, e := range loadCities()[name] {
			if !slices.Contains(found, e) {
				found = append(found, e)
			}
		}
	}
	return found
}
