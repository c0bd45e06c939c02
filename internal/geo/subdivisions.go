package geo

import (
	"slices"
	"strings"
	"sync"
)

// subdivisionsFile has the subdivisions of ISO 3166-2. It is read when a table may
// have them.
const subdivisionsFile = "subdivisions"

// subdivision is a state, province or other part of a country with a code of ISO 3166-2.
type subdivision struct {
	area    Area
	country string
	parent  string // the area of which it is a part: its country or another subdivision
	number  string // of the country's own office; empty if it is not listed
}

// hasCode reports whether a code of a national office is that of the subdivision.
func (s *subdivision) hasCode(code string) bool {
	upper := fullCode(code)
	if len(upper) > 9 && upper[4] == 'A' && isDigits(upper[:4]) { // DGUID of Statistics Canada: 2021A000235
		upper = upper[9:]
		return s.country == "CA" && upper == s.number
	}
	_, local, _ := strings.Cut(s.area.ID, "-")
	for _, number := range []string{s.number, local} { // FIPS 13000, JIS 13000, TERYT 0200000: none of its parts
		zeros, ok := strings.CutPrefix(code, number)
		if ok && isDigits(code) && number != "" && len(zeros) >= 3 && strings.Trim(zeros, "0") == "" {
			return true
		}
	}
	return upper == s.area.ID || upper == local || upper == s.number || isDigits(code) && strings.TrimLeft(code, "0") == strings.TrimLeft(s.number, "0")
}

// isFirstLevel reports whether no other subdivision contains s.
func (s *subdivision) isFirstLevel() bool { return s.parent == s.country }

type subdivisionTable struct {
	byID    map[string]*subdivision
	byLocal map[string]map[string]*subdivision // by country and the code without the country
	byName  map[string][]*subdivision          // by the keys of subdivisionKeys and of their parts, of all countries

	byLetters map[string][]*subdivision // by their names without blanks
}

// loadSubdivisions reads the table at the first call.
var loadSubdivisions = sync.OnceValue(readSubdivisions)

func readSubdivisions() *subdivisionTable {
	t := &subdivisionTable{
		byID: make(map[string]*subdivision, 6000), byLocal: make(map[string]map[string]*subdivision, 200),
		byName: make(map[string][]*subdivision, 10_000), byLetters: make(map[string][]*subdivision, 10_000),
	}
	for _, r := range rows(subdivisionsFile) {
		id := r.codes[0]
		country, local, _ := strings.Cut(id, "-")
		if local == "" { // E12000001 of the ONS, in GB-ENG
			country, local = r.meaning[:2], id
		}
		s := &subdivision{area: Area{ID: id, Name: r.names[0], Kind: Region}, country: country, parent: r.meaning}
		t.byID[id] = s
		if t.byLocal[country] == nil {
			t.byLocal[country] = map[string]*subdivision{}
		}
		t.byLocal[country][local] = s
		if len(r.codes) > 1 {
			s.number = r.codes[1]
		}
		for _, name := range r.names {
			for _, part := range append(strings.Split(name, "/"), name) { // "Alicante/Alacant"
				for _, key := range subdivisionKeys(part) {
					addTo(t.byName, key, s)
				}
				addTo(t.byLetters, letters(part), s)
			}
		}
	}
	return t
}

func addTo(index map[string][]*subdivision, key string, s *subdivision) {
	if key != "" && !slices.Contains(index[key], s) {
		index[key] = append(index[key], s)
	}
}

// FindSubdivision returns the subdivision with a code of ISO 3166-2, such as US-GA, in
// any case.
func FindSubdivision(id string) (a Area, ok bool) {
	if s := loadSubdivisions().byID[strings.ToUpper(strings.TrimSpace(id))]; s != nil {
		return s.area, true
	}
	return Area{}, false
}

// kindWords are words for kinds of subdivisions, which some lists add to a name and
// others omit: "Province of Ontario", "Stockholms län", "Región de Murcia".
var kindWords = append(divisionWords, "of", "the", "de", "del", "di", "la", "las", "el", "los", "les", "le", "les", "d", "l", "y", "e", "and", "und", "et")

var divisionWords = []string{
	"province", "provincia", "provincie", "state", "region", "regione", "regio", "canton", "kanton", "county", "lan", "fylke",
	"prefecture", "oblast", "governorate", "voivodeship", "wojewodztwo", "department", "departement", "departamento",
	"comunidad", "comunitat", "autonoma", "foral", "principado", "maakunta", "maakond", "megye", "varmegye", "judetul", "pv", "land", "freistaat", "apskritis", "zupanija",
	"statewide", "municipiul", "республика", "область", "краи", // й without its accent
}

// vagueWords distinguish areas within any country. A name of only such words says
// nothing about the country.
var vagueWords = []string{
	"north", "south", "east", "west", "central", "centre", "center", "middle", "northern", "southern", "eastern", "western",
	"northeast", "northwest", "midwest", "southeast", "southwest", "northeastern", "northwestern", "southeastern", "southwestern",
	"upper", "lower", "inner", "outer", "capital", "coast", "coastal", "islands", "island", "highlands", "metropolitan",
	"city", "national", "federal", "district", "territory", "area", "zone", "nord", "sud", "est", "ouest", "norte", "sur", "sul",
	"centro", "oeste", "este", "ost", "rural", "urban", "lake", "river", "valley", "mountain", "plateau", "plateaux", "littoral",
}

// subdivisionKeys returns the forms of a name by which subdivisions are found: as it
// is, and without words for the kind of area, with the parts around a comma in both
// orders ("Rioja, La").
func subdivisionKeys(name string) []string {
	keys := []string{foldName(name)}
	add := func(key string) {
		if key != "" && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	if before, after, ok := strings.Cut(name, ","); ok && !strings.Contains(after, ",") {
		add(foldName(after + " " + before))
	}
	for _, key := range keys[:len(keys):len(keys)] {
		rest := without(key, kindWords)
		if slices.ContainsFunc(strings.Fields(rest), func(w string) bool { return !isNumeral(w) }) { // not the I of Region I
			add(rest)
		}
	}
	return keys
}

// isVague reports whether a name of an area says nothing about the country: words such as
// North, numbers, also Roman ones, and single letters. The Northern Territory is the only
// one of its name.
func isVague(name string) bool {
	if foldName(name) == "northern territory" {
		return false
	}
	for w := range strings.FieldsSeq(foldName(name)) {
		if !isNumeral(w) && !slices.Contains(vagueWords, w) && !slices.Contains(kindWords, w) {
			return false
		}
	}
	return true
}

// isNumeral reports whether a folded word is a number, also a Roman one, or one letter:
// many things are counted so, not only the regions of a country.
func isNumeral(word string) bool {
	return len(word) == 1 || isDigits(word) || strings.Trim(word, "ivx") == ""
}

// Subdivision returns the subdivision of a country with a number of the country's own
// office: 13 is US-GA.
func Subdivision(country, number string) (a Area, ok bool) {
	for _, s := range loadSubdivisions().byLocal[country] {
		if s.number == number {
			return s.area, true
		}
	}
	return Area{}, false
}
