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
// knows groups by their names in the tables of the offices, see groupnames.tsv.
func NameOf(source, code, id, language string) (name string, ok bool) {
	if _, isRegion := loadRegionNames()[id]; !isRegion { // the World Bank has groups with codes of NUTS
		if name, ok = NameIn(id, language); ok {
			return name, ok
		}
	}
	if a := AreaOf(source, code, id); a.Kind == Group {
		return a.nameIn(language)
	}
	return NameIn(id, language)
}

// NameIn is [NameOf] for an entry of the directory.
func (e *Entry) NameIn(language string) (name string, ok bool) { return e.nameIn(language) }

func (a *Area) nameIn(language string) (name string, ok bool) {
	if a.Kind != Group {
		return NameIn(a.ID, language)
	}
	if name, ok = firstIn(loadCLDR()[a.ID], language); ok || language == english {
		return name, ok
	}
	if name, ok = firstIn(loadOtherNames()[a.ID], language); ok {
		return name, ok
	}
	if class, _ := ClassOf(a.Name); class == World && loadGroupNames()[a.Name] == nil {
		return groupName("World", language)
	}
	return groupName(a.Name, language)
}

// groupName returns the name of a group in a language by its English name, put together if that has an addition in brackets:
// Euro area (20 countries).
func groupName(name, language string) (translated string, ok bool) {
	if translated, ok = firstIn(loadGroupNames()[name], language); ok {
		return translated, ok
	}
	at := strings.LastIndex(name, " (")
	if at < 0 {
		return "", false
	}
	base, hasBase := groupName(name[:at], language)
	addition, hasAddition := firstIn(loadGroupNames()[name[at+1:]], language)
	return base + " " + addition, hasBase && hasAddition
}

// loadGroupNames reads names of groups by the English one, with those of the regions of M49.
var loadGroupNames = sync.OnceValue(func() map[string][][]string {
	all := readLanguages("groupnames")
	for _, r := range rows("m49") {
		for _, list := range loadCLDR()["un:"+r.codes[0]] {
			if r.meaning != string(Group) || slices.ContainsFunc(all[r.names[0]], func(own []string) bool { return own[0] == list[0] }) {
				continue
			}
			first, size := utf8.DecodeRuneInString(list[1]) // "весь мир"
			all[r.names[0]] = append(all[r.names[0]], []string{list[0], string(unicode.ToTitle(first)) + list[1][size:]})
		}
	}
	return all
})

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
