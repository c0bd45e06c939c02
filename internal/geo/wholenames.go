package geo

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/totals"
)

// useNames resolves the names of the column if most are those of subdivisions of one
// country or of countries in one language. It reports whether they are.
func (c *column) useNames() bool {
	if c.isOfDivisions() {
		return true
	}
	language, found := c.language()
	if found == nil || c.heading == divisionHeading || c.isOfTowns() {
		return false // a county called Lebanon
	}
	c.useCountries(language, found)
	return true
}

// isOfDivisions resolves the names if most are those of subdivisions of one country.
func (c *column) isOfDivisions() bool {
	if c.isOfTowns() {
		return false
	}
	country, found := c.divisionNames()
	if country == "" {
		return false
	}
	c.useDivisions(country, found)
	return true
}

// isOfTowns reports whether the heading means places that may share their names with
// countries and their subdivisions.
func (c *column) isOfTowns() bool { return c.heading == townHeading || c.heading == placeHeading }

// isOfParts reports whether the heading means subdivisions of a country.
func (c *column) isOfParts() bool { return c.heading == regionHeading || c.heading == divisionHeading }

// isOfStates reports whether the heading means states.
func (c *column) isOfStates() bool {
	return c.heading == regionHeading && slices.ContainsFunc(headingTokens(c.words), func(w string) bool { return strings.HasPrefix(w, "state") })
}

// divisionNames returns the country of which most names are subdivisions, with the
// subdivisions that each name may be; "" if there is none.
func (c *column) divisionNames() (country string, found [][]*subdivision) {
	found = make([][]*subdivision, len(c.items))
	evidence, all := map[string]int{}, 0
	for i := range c.items {
		it := &c.items[i]
		if it.area.ID != "" {
			continue
		}
		found[i] = c.divisions(it)
		if isVague(it.name) || found[i] == nil && it.isAside() {
			continue
		}
		all++
		for _, country := range countriesOfAll(found[i]) {
			if !c.isCountry(i, country) {
				evidence[country]++
			}
		}
	}
	country = c.mostLikely(evidence)
	if country == "" || !c.isEnough(country, found, evidence[country], all) || !c.agreeWithOffice(country, found) {
		return "", nil
	}
	return country, found
}

// mostLikely returns the country with most evidence. Among equals it is the office's
// own country, or the only one that the column names as a whole.
func (c *column) mostLikely(evidence map[string]int) string {
	most := 0
	for _, n := range evidence {
		most = max(most, n)
	}
	var best []string
	for country, n := range evidence {
		if n == most {
			best = append(best, country)
		}
	}
	if slices.Contains(best, c.office.home) {
		return c.office.home
	}
	if len(best) > 1 {
		best = slices.DeleteFunc(best, func(country string) bool { return !c.hasWhole(country) })
	}
	if len(best) != 1 {
		return ""
	}
	return best[0]
}

// isEnough reports whether n of all unresolved names being subdivisions of a country
// proves that the column has its subdivisions.
func (c *column) isEnough(country string, found [][]*subdivision, n, all int) bool {
	countries := 0
	for i := range c.items {
		if it := &c.items[i]; it.area.ID == "" {
			switch p := loadNames().any[it.key]; {
			case p != nil && IsTerritory(p.area.ID, country):
				all--
			case loadTables().names[it.key] != nil && !c.isCountry(i, country):
				countries++
			}
		}
	}
	if (c.heading == countryHeading || c.heading == regionHeading && !c.isOfStates()) && countries >= n || countries > n {
		return false // Georgia beside Europe
	}
	if c.hasWhole(country) {
		all-- // not a part of itself
	}
	if 2*n <= all {
		return false
	}
	return n >= 3 || c.isOfParts() || c.office.home == country || n == 2 && (c.hasWhole(country) || all == 2 && c.areTwoStates(country, found))
}

// minPositions is the number of codes from which on 1, 2, 3 … are the positions of a list.
const minPositions = 8

// arePositions reports whether the codes are the positions of areas in the list of their table,
// 1, 2, 3 …, of which at most a tenth is missing: Canada's office numbers the areas of each table
// anew. An office's own numbers have gaps or leading zeros.
func (c *column) arePositions() bool {
	highest := 0
	for i := range c.items {
		n, err := strconv.Atoi(c.items[i].code)
		if err != nil || n < 1 || c.items[i].code != strconv.Itoa(n) || !c.items[i].isNamed() {
			return false
		}
		highest = max(highest, n)
	}
	return len(c.items) >= minPositions && 10*len(c.items) >= 9*highest
}

// agreeWithOffice reports whether the codes of a national office, if its areas have
// any beside their names, are those of the subdivisions, or say nothing. Otherwise its own list
// goes before ISO 3166-2, which may lack its finer areas.
func (c *column) agreeWithOffice(country string, found [][]*subdivision) bool {
	if c.office.System != National || c.arePositions() {
		return true
	}
	agree, coded := 0, 0
	for i := range c.items {
		it := &c.items[i]
		if it.area.ID != "" || !it.isNamed() {
			continue
		}
		coded++
		if slices.ContainsFunc(found[i], func(s *subdivision) bool { return s.country == country && s.hasCode(it.code) }) {
			agree++
		}
	}
	return 10*agree >= 9*coded
}

// hasWhole reports whether the column has a country as a whole, also as a total.
func (c *column) hasWhole(country string) bool {
	for i := range c.items {
		if c.items[i].area.ID == country || c.isWhole(i, country) {
			return true
		}
	}
	return false
}

// isCountry reports whether an item can be the country as a whole, by any of its codes
// or by its name in any language.
func (c *column) isCountry(i int, country string) bool {
	it := &c.items[i]
	if p := loadNames().any[it.key]; p != nil && p.area.ID == country {
		return true
	}
	if it.isNamed() {
		return false
	}
	p := isoCode(it.code, alpha2, alpha3)
	return p != nil && p.area.ID == country
}

// wholeWords are names of a country as a whole in tables of its parts.
var wholeWords = strings.Split("whole country,nation,national,national total,country total,all india,all states,nacional,total nacional,pais,total pais,total del pais,todo el pais,"+
	"ensemble du pays,national france,france entiere,nazionale,totale nazionale,bund,bundesgebiet,bundesgebiet insgesamt,hele landet,heile landet,hela landet,hela riket,riket,allt landid,landid allt,"+
	"koko maa,kogu maa,orszag,orszag osszesen,orszagos,kraj ogolem,caly kraj,cela republika,cela cr,tara,total tara,cala tara,visa valsts,"+
	"вся страна,по стране,всего по стране,по россии,российская федерация,общо за страната,nasional,ca nuoc,kul ulke,turkiye geneli,"+
	"全国,全國,全国計,전국,계 전국,全台,全臺", ",")

// IsWhole reports whether a name stands for a country as a whole beside its parts: "Hele landet".
func IsWhole(name string) bool { return slices.Contains(wholeWords, foldName(name)) }

// totalWords are words that offices add to the name of a country as a whole, as folded
// names: those for a sum, and words for whole.
var totalWords = append(foldedSums(), strings.Fields("estatal nacional grand all whole national entire kogu koko hele hela entiere toute celotna")...)

func foldedSums() []string {
	var words []string
	for _, w := range totals.Sums {
		if w = foldName(w); !strings.Contains(w, " ") {
			words = append(words, w)
		}
	}
	return words
}

// isTotal reports whether an item is only called a total.
func (it *item) isTotal() bool {
	return it.key != "" && without(it.key, totalWords) == ""
}

// isWhole reports whether an item of a table of a country's parts is that country.
func (c *column) isWhole(i int, country string) bool {
	key := c.items[i].key
	rest := without(key, totalWords)
	p := loadNames().any[rest]
	if c.office.home == country && slices.Contains(c.office.whole, key) {
		return true
	}
	return c.isCountry(i, country) || slices.Contains(wholeWords, key) || slices.Contains(wholeWords, rest) || p != nil && p.area.ID == country
}

// isoCode returns the country with a code in one of the forms, nil if there is none. The
// codes that Eurostat and the World Bank write instead of ISO's are known too, and M49
// numbers with any number of leading zeros.
func isoCode(code string, forms ...form) *place {
	t, upper := loadTables(), upperCode(code)
	for _, f := range forms {
		switch {
		case f == m49 && isDigits(code) && len(code) <= 4:
			upper = padNumber(upper)
		case f == alpha2 && (upper == "EL" || upper == "UK"):
			return t.own["eurostat"].codes[upper]
		case f == alpha3 && upper == "XKX":
			return t.iso[alpha2]["XK"]
		}
		if p := cmp.Or(t.iso[f][upper], t.former[f][upper]); p != nil {
			return p
		}
	}
	return nil
}

// useDivisions resolves the names that are subdivisions of a country, the country
// itself, and its territories that are countries in ISO 3166-1. Other names stay, because
// a county may be called Lebanon.
func (c *column) useDivisions(country string, found [][]*subdivision) {
	own := make([][]*subdivision, len(found)) // of the country
	levels, taken := [2]int{}, map[string]bool{}
	isNamedElsewhere := false // the country, by a name or code that no subdivision has
	for i := range found {
		own[i] = in(country, found[i])
		if len(own[i]) == 1 {
			levels[level(own[i][0])]++
			taken[own[i][0].area.ID] = true
		}
		isNamedElsewhere = isNamedElsewhere || len(own[i]) == 0 && (c.items[i].isTotal() || c.isWhole(i, country) || c.items[i].area.ID == country)
	}
	c.system = "subdivisions of " + country + " (ISO 3166-2)"
	home := loadTables().iso[alpha2][country].area
	for i := range c.items {
		it := &c.items[i]
		if len(own[i]) > 1 { // Buenos Aires, beside the city of that name
			own[i] = slices.DeleteFunc(own[i], func(s *subdivision) bool { return taken[s.area.ID] })
		}
		isTotal := it.isTotal() && levels[0] >= divisionsOf(country) // of all of them
		coded := slices.IndexFunc(own[i], func(s *subdivision) bool { return it.isNamed() && s.hasCode(it.code) })
		isHome := c.isWhole(i, country) && (len(own[i]) == 0 || levels[0] != divisionsOf(country)) // with all others, it is the state
		switch {
		case it.area.ID != "":
		case coded >= 0:
			c.set(i, own[i][coded].area)
		case len(own[i]) > 0 && isHome && !isNamedElsewhere: // Mexico, or the State of Mexico
		case len(own[i]) > 0:
			if s := pickLevel(own[i], levels[1] > levels[0]); s != nil && !c.isContested(i, country) {
				c.set(i, s.area)
			}
		case isHome, isTotal:
			it.area = home
		default:
			for _, key := range []string{it.key, strings.ToLower(country) + " " + it.key} { // Virgin Islands of the US
				if p := loadNames().any[key]; p != nil && IsTerritory(p.area.ID, country) {
					it.area = p.area
				}
			}
		}
	}
}

// divisionsOf returns the number of a country's subdivisions that no other one contains.
func divisionsOf(country string) (n int) {
	for _, s := range loadSubdivisions().byLocal[country] {
		if s.isFirstLevel() {
			n++
		}
	}
	return n
}

func level(s *subdivision) int {
	if s.isFirstLevel() {
		return 0
	}
	return 1
}

// pickLevel returns the only subdivision of the level that the column has more of, else
// of the other one; nil if there are several.
func pickLevel(found []*subdivision, preferSecond bool) *subdivision {
	var only [2]*subdivision
	var n [2]int
	for _, s := range found {
		only[level(s)] = s
		n[level(s)]++
	}
	first, second := 0, 1
	if preferSecond {
		first, second = 1, 0
	}
	switch {
	case n[first] == 1:
		return only[first]
	case n[first] == 0 && n[second] == 1:
		return only[second]
	}
	return nil
}

// isContested reports whether an item that is a subdivision of a country by its name may
// also be another country, because the column has other countries too.
func (c *column) isContested(i int, country string) bool {
	t := loadTables()
	if p := t.names[c.items[i].key]; p == nil || p.area.ID == country {
		return false
	}
	for j := range c.items {
		it := &c.items[j]
		p := t.names[it.key]
		if j == i || p == nil || p.area.ID == country || p.area.Kind != Country {
			continue
		}
		if len(in(country, namedSubdivisions(it.name))) == 0 && !IsTerritory(p.area.ID, country) {
			return true
		}
	}
	return false
}

// IsTerritory reports whether a country of ISO 3166-1 is listed among the subdivisions
// of another one in ISO 3166-2.
func IsTerritory(id, country string) bool {
	return slices.Contains(territories[country], id)
}

var territories = map[string][]string{
	"CN": {"TW", "HK", "MO"}, "FI": {"AX"}, "NL": {"AW", "CW", "SX", "BQ"}, "NO": {"SJ"}, "SH": {"TA"},
	"FR": {"BL", "GF", "GP", "MF", "MQ", "NC", "PF", "PM", "RE", "TF", "WF", "YT"},
	"US": {"AS", "GU", "MP", "PR", "UM", "VI"}, "DK": {"FO", "GL"},
}
