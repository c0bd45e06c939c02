package geo

import (
	"slices"
	"strings"
)

// divisionKinds are words for kinds of areas that are subdivisions of ISO 3166-2 in some
// countries only, with these countries. Elsewhere, areas of the kind lie within
// subdivisions and often have their names: Wyoming County is in New York.
var divisionKinds = []struct{ words, countries string }{
	{"county counties countyname ctyname", "AL EE GB HR HU IE KE LR LT NO RO SE TW"},
	{"parish parishes", "AD AG BB DM GD JM KN VC"},
	{"borough boroughs", "GB TT"},
	{"township townships arrondissement arrondissements kreis kreise landkreis landkreise powiat powiaty", ""},
	{"okres okresy", "CZ"},
	{"district districts distrito distritos", "AZ BA BD BG BN BR BS BT BW BZ CI CO CY CZ DO GB GL HU IL IN LC LK LS LV MD MG ML MT MU MV MW MX NR PG PT RS RU SC SG SK SM SR ST SZ TJ TL TM TT UG US VE WS"},
	{"canton cantons kanton kantone", "BA CH LU"},
	{"municipality municipalities", "AZ BQ CN CU CV EE GL IS KH LT LV ME MH MK NL PE QA RO SI SM TL TT TW VN YE"},
}

// countriesOf returns the countries whose subdivisions are of a kind that one of the words
// names. isKind tells that there is such a word.
func countriesOf(words []string) (countries []string, isKind bool) {
	for _, kind := range divisionKinds {
		if slices.ContainsFunc(strings.Fields(kind.words), func(w string) bool { return slices.Contains(words, w) }) {
			countries, isKind = append(countries, strings.Fields(kind.countries)...), true
		}
	}
	return countries, isKind
}

// namedSubdivisions returns the subdivisions of all countries that a name may mean.
// "Delaware County" is none of the United States. A name with slashes is that of an area if
// all its parts are: "Bern / Berne", but not "Berlin/Brandenburg".
func namedSubdivisions(name string) []*subdivision {
	t := loadSubdivisions()
	countries, isKind := countriesOf(strings.Fields(foldName(name)))
	for i, key := range subdivisionKeys(name) {
		found := t.byName[key]
		if found == nil {
			continue
		}
		if i == 0 || !isKind {
			return found
		}
		return filter(found, func(s *subdivision) bool { return slices.Contains(countries, s.country) })
	}
	if strings.Contains(name, "/") {
		return namedAlike(strings.Split(name, "/"))
	}
	return t.byLetters[letters(name)]
}

// kindOfHeading returns the countries of [countriesOf] for the words of a heading, unless it
// also names other kinds of areas: "State/County".
func kindOfHeading(heading string) (countries []string, isKind bool) {
	words := headingTokens(heading)
	countries, isKind = countriesOf(words)
	for _, w := range words {
		_, isOwn := countriesOf([]string{w})
		for kind := countryHeading; kind <= areaHeading && !isOwn; kind++ {
			isKind = isKind && !slices.Contains(headingWords[kind], w)
		}
	}
	return countries, isKind
}

// divisions returns the subdivisions that an item may mean by its name. If the column is
// one of counties, it is one of a country whose subdivisions are counties, unless the name
// says that it is of another kind.
func (c *column) divisions(it *item) []*subdivision {
	found := namedSubdivisions(it.name)
	if it.isNamed() {
		found = filter(found, func(s *subdivision) bool { return !isNumberWithin(it.code, s) })
	}
	isOtherKind := func(w string) bool { return slices.Contains(divisionWords, w) }
	if !c.isKind || slices.ContainsFunc(strings.Fields(foldName(it.name)), isOtherKind) {
		return found
	}
	return filter(found, func(s *subdivision) bool { return slices.Contains(c.within, s.country) })
}

// in returns the subdivisions of a country.
func in(country string, all []*subdivision) []*subdivision {
	return filter(all, func(s *subdivision) bool { return s.country == country })
}

// countriesOfAll returns the countries of subdivisions, each once.
func countriesOfAll(all []*subdivision) (countries []string) {
	for _, s := range all {
		if !slices.Contains(countries, s.country) {
			countries = append(countries, s.country)
		}
	}
	return countries
}

// namedAlike returns the subdivisions that all names may mean.
func namedAlike(names []string) []*subdivision {
	all := namedSubdivisions(names[0])
	for _, name := range names[1:] {
		found := namedSubdivisions(name)
		all = filter(all, func(s *subdivision) bool { return slices.Contains(found, s) })
	}
	return all
}

func filter(all []*subdivision, isFit func(*subdivision) bool) []*subdivision {
	return slices.DeleteFunc(slices.Clone(all), func(s *subdivision) bool { return !isFit(s) })
}

// minLetters is the length of names that are compared without blanks, marks and spellings of
// letters: shorter ones may be equal by chance.
const minLetters = 6

var twoLetters = strings.NewReplacer("ß", "ss", "æ", "a", "ø", "o", "ł", "l", "đ", "d", "ı", "i", "ae", "a", "oe", "o", "ue", "u", " ", "")

// letters returns the letters of a name by which other spellings of it are found:
// "OostVlaanderen", "Baden-Wuerttemberg". It is empty for short names.
func letters(name string) string {
	if key := twoLetters.Replace(foldName(name)); len(key) >= minLetters {
		return key
	}
	return ""
}
