package geo

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Names of areas in many languages, by ID: for each language a list of its code and the names.
var (
	// loadCLDR reads the names of Unicode CLDR, the name to show first.
	loadCLDR = sync.OnceValue(func() map[string][][]string { return readLanguages("cldr") })
	// loadOfficial reads the names in the languages of the United Nations, the formal name
	// first.
	loadOfficial = sync.OnceValue(func() map[string][][]string { return readLanguages("officialnames") })
	// loadSpellings reads the names by which tables in other languages call countries.
	loadSpellings = sync.OnceValue(func() map[string][][]string { return readLanguages(namesFile) })
	// loadOtherNames reads names on maps.
	loadOtherNames = sync.OnceValue(func() map[string][][]string { return readLanguages("othernames") })
)

// noName stands in a table for a name that does not exist.
const noName = "-"

func readLanguages(table string) map[string][][]string {
	all := make(map[string][][]string, 300)
	for _, fields := range lines(table) {
		for _, field := range fields[1:] {
			language, names, _ := strings.Cut(field, "=")
			all[fields[0]] = append(all[fields[0]], append([]string{language}, strings.Split(names, " | ")...))
		}
	}
	return all
}

// Languages returns the codes of the languages of [NameIn], English first, others by code.
var Languages = sync.OnceValue(func() []string {
	var languages []string
	for _, list := range loadCLDR()["DE"] {
		languages = append(languages, list[0])
	}
	slices.Sort(languages[1:])
	return languages
})

// NameIn returns the short name of a country, of a region of the world, of a common
// group such as the European Union, or of some regions and cities, by its ID, in one of [Languages].
// ok is false if it has none in that language.
func NameIn(id, language string) (name string, ok bool) {
	if name, ok := firstIn(loadCLDR()[id], language); ok {
		return name, true
	}
	if name, ok := firstIn(loadRegionNames()[id], language); ok || language == english {
		return name, ok
	}
	return firstIn(loadOtherNames()[id], language)
}

// NameOf returns the short name of the area of a stored code in a language, as [NameIn]. It also
// knows groups that an office lists by codes of its own, if their English name tells which of the common
// groups they are.
func NameOf(source, code, id, language string) (name string, ok bool) {
	if name, ok = NameIn(id, language); ok {
		return name, ok
	}
	a := AreaOf(source, code, id)
	if a.Kind != Group {
		return "", false
	}
	if class, _ := ClassOf(a.Name); class != World {
		return "", false
	}
	name, ok = NameIn(theWorld, language) // "весь мир"
	first, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToTitle(first)) + name[size:], ok
}

// theWorld is the ID of the world.
const theWorld = "un:001"

// NameFor returns the short name of an area as [NameIn] in the language of a tag in
// lower case ("pt-br"), else in that of which it is a variety.
func NameFor(id, tag string) (name string, ok bool) {
	for tag != "" {
		if name, ok = NameIn(id, tag); ok {
			return name, ok
		}
		if tag == "no" {
			return NameIn(id, "nb") // Norwegian, as offices write it
		}
		tag = tag[:max(strings.LastIndexByte(tag, '-'), 0)]
	}
	return "", false
}

// OfficialName returns the formal name of a country, by its ID, in one of the six languages of
// the United Nations: "Hellenic Republic" for GR in "en". ok is false if it has none, as
// territories have.
func OfficialName(id, language string) (name string, ok bool) {
	return firstIn(loadOfficial()[id], language)
}

func firstIn(lists [][]string, language string) (string, bool) {
	for _, list := range lists {
		if list[0] == language && list[1] != noName {
			return list[1], true
		}
	}
	return "", false
}
