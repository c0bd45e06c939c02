package geo

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// formNames are the names of the forms of codes for people.
var formNames = [...]string{alpha2: "ISO 3166-1 alpha-2", alpha3: "ISO 3166-1 alpha-3", m49: "UN M49"}

// agreement counts the items whose name and code in a form mean the same country, and
// those where they mean two. The name of a former country beside the code of its successor is neither.
type agreement struct{ agree, differ int }

func (c *column) agreement(f form) agreement {
	if c.agreements[f] != nil {
		return *c.agreements[f]
	}
	var a agreement
	for i := range c.items {
		it := &c.items[i]
		p, named := isoCode(it.code, f), loadNames().any[it.key]
		switch {
		case !it.isNamed() || p == nil || named == nil:
		case p.area.ID == named.area.ID:
			a.agree++
		case named.area.Kind != Former:
			a.differ++
		}
	}
	c.agreements[f] = &a
	return a
}

// isContradicted reports whether an item's code is that of another country than its
// name, in a form in which most codes and names of the column agree. The name of a former country
// decides: it may stand beside the code of its successor, as "Sudan (former)" beside SDN.
func (c *column) isContradicted(i int, named *place) bool {
	it := &c.items[i]
	if !it.isNamed() || named.area.Kind == Former {
		return false
	}
	for _, f := range []form{alpha3, alpha2, m49} {
		if p := isoCode(it.code, f); p != nil && p.area.ID != named.area.ID {
			if a := c.agreement(f); a.agree > 2*a.differ {
				return true
			}
		}
	}
	return false
}

// useCodesBeside resolves codes in a form if codes and names of other items agree.
func (c *column) useCodesBeside(f form) {
	a := c.agreement(f)
	if a.agree < 2 || a.agree < 9*a.differ {
		return
	}
	areBareFew := f != m49 && 10*(len(c.items)-c.labels()) <= a.agree // codes without a name
	for i := range c.items {
		it := &c.items[i]
		if p := isoCode(it.code, f); p != nil && it.area.ID == "" && loadNames().any[it.key] == nil && (!it.isNamed() && areBareFew || it.isNamed() && p.sharesWord(it.key)) {
			c.set(i, p.area)
		}
	}
}

// sharesWord reports whether a folded name has a word of the place's names, as "Korea
// (South)" has one of South Korea's.
func (p *place) sharesWord(key string) bool {
	words := strings.Fields(key)
	for _, name := range p.names {
		for word := range strings.FieldsSeq(foldName(name)) {
			if len(word) > 3 && !slices.Contains(vagueWords, word) && !slices.Contains(kindWords, word) && word != "republic" && slices.Contains(words, word) {
				return true
			}
		}
	}
	return false
}

// meaning returns the area that an item means in a system of codes; ok is false if the
// system does not have its code.
type meaning func(it *item) (a Area, ok bool)

// count returns the number of open items, without groups of countries, and of those
// that a system has.
func (c *column) count(of meaning) (hits, all int) {
	for i := range c.items {
		it := &c.items[i]
		if it.area.ID != "" {
			continue
		}
		if _, ok := of(it); ok {
			hits++
			all++
		} else if !it.isAside() {
			all++
		}
	}
	return hits, all
}

// use resolves the open items that a system has.
func (c *column) use(system string, of meaning) {
	c.system = system
	for i := range c.items {
		if it := &c.items[i]; it.area.ID == "" {
			if a, ok := of(it); ok {
				c.set(i, a)
			}
		}
	}
}

// useCodes resolves codes if nearly all are of one system.
func (c *column) useCodes() {
	country, isAll := c.localCodes()
	for _, f := range []form{alpha3, alpha2, m49} {
		if !c.isOfForm(f) {
			continue
		}
		if f == alpha2 && isAll && c.heading != countryHeading && c.heading != landHeading {
			return // DE and GA are countries, and US states
		}
		c.use("codes of countries ("+formNames[f]+")", func(it *item) (Area, bool) {
			p, other := isoCode(it.code, f), loadNames().any[it.key]
			if p == nil || it.isNamed() && other != nil && other.area.ID != p.area.ID {
				return Area{}, false // the label says another country
			}
			return p.area, true
		})
		return
	}
	if country != "" {
		c.use("subdivisions of "+country+" (ISO 3166-2)", localCode(country))
		c.useHome(country)
		c.useTerritories(country)
	}
}

// useHome resolves open items that are a country as a whole.
func (c *column) useHome(country string) {
	for i := range c.items {
		if it := &c.items[i]; it.area.ID == "" && c.isWhole(i, country) {
			it.area = loadTables().iso[alpha2][country].area
		}
	}
}

// useTerritories resolves open items without a name that are a territory of a country by its code
// of ISO 3166-1: PR beside the states of the US.
func (c *column) useTerritories(country string) {
	for i := range c.items {
		it := &c.items[i]
		if code := upperCode(it.code); it.area.ID == "" && !it.isNamed() && IsTerritory(code, country) {
			it.area = loadTables().iso[alpha2][code].area
		}
	}
}

// localCode returns the system of a country's codes of subdivisions without that of the
// country: GA, TX.
func localCode(country string) meaning {
	return func(it *item) (Area, bool) {
		s := loadSubdivisions().byLocal[country][upperCode(it.code)]
		if s == nil || isDigits(it.code) {
			return Area{}, false
		}
		return s.area, true
	}
}

// isOfForm reports whether the column has codes of countries in one form.
func (c *column) isOfForm(f form) bool {
	all, hits, named, denied := 0, 0, 0, 0
	for i := range c.items {
		it := &c.items[i]
		if it.area.ID != "" {
			continue
		}
		all++
		p := isoCode(it.code, f)
		if p == nil {
			if it.isAside() || f == alpha3 && isGroupCode(it.code) { // also G7, EU and W
				all--
			}
			continue
		}
		if c.heading != countryHeading && c.heading != areaHeading && !it.isNamed() && it.code != strings.ToUpper(it.code) {
			continue // de and fr may be languages
		}
		hits++
		if !it.isNamed() {
			continue
		}
		if other := loadNames().any[it.key]; other != nil && other.area.ID == p.area.ID {
			named++
		} else if other != nil || len(namedSubdivisions(it.name)) > 0 || f == m49 {
			denied++
		}
	}
	if hits == 0 || 10*hits < 9*all || 10*denied > all {
		return false
	}
	return named >= 2 || c.declares(f) || hits >= c.leastHits(f) && 3*named >= c.labels() && c.heading < regionHeading
}

// isGroupCode reports whether a code is that of a group of countries at an international
// office, such as EU27_2020 or WLD, and of nothing else.
func isGroupCode(code string) bool {
	t, upper := loadTables(), upperCode(code)
	p := t.findOwn(upper)
	return p != nil && p.area.Kind == Group && !isDigits(code) && t.iso[alpha2][upper] == nil && t.iso[alpha3][upper] == nil
}

// declares reports whether the heading says that the codes are those of countries in a
// form.
func (c *column) declares(f form) bool {
	switch c.heading {
	case countryHeading:
		return f != m49
	case numberHeading:
		return f == m49
	case landHeading:
		return f != m49 && !c.areGerman()
	}
	return false
}

// leastHits returns how many codes in a form are proof without a heading that declares
// them or labels.
func (c *column) leastHits(f form) int {
	least, areas := 2, 2 // of hits: with any heading, and with one that says areas
	switch f {
	case alpha2:
		least, areas = 8, 6
	case m49:
		least, areas = 25, 25
	}
	if c.heading == areaHeading {
		least = areas
	} else if c.heading == landHeading && f == alpha2 {
		least = 17 // more than Germany has states
	}
	if f == alpha2 && c.office.System == Local && c.areMajor() {
		least = 4
		if c.heading == areaHeading {
			least = 2
		}
	}
	return least
}

// areGerman reports whether all codes are those of the states of Germany, which are
// "Länder" in German like countries: BE is Berlin, and Belgium.
func (c *column) areGerman() bool {
	return !slices.ContainsFunc(c.items, func(it item) bool {
		return it.area.ID == "" && loadSubdivisions().byLocal["DE"][upperCode(it.code)] == nil
	})
}

// majorCountries are the members of EU, EFTA, OECD and G20, and others that are often
// compared with them.
const majorCountries = "AR AT AU BE BG BR CA CH CL CN CO CR CY CZ DE DK EE EL ES FI FR GB GR HR HU ID IE IL IN IS IT JP KR LT LU LV MT MX NL NO NZ PL PT RO RU SA SE SI SK TR UA UK US ZA"

// areMajor reports whether all codes are those of major countries: other codes of two
// letters rarely are, so that a few suffice.
func (c *column) areMajor() bool {
	return !slices.ContainsFunc(c.items, func(it item) bool {
		return it.area.ID == "" && !it.isGroup && (len(it.code) != 2 || !strings.Contains(majorCountries, upperCode(it.code)))
	})
}

// labels returns the number of items with a label beside the code.
func (c *column) labels() int {
	n := 0
	for i := range c.items {
		if c.items[i].isNamed() {
			n++
		}
	}
	return n
}

// dataLab matches codes of the Global Data Lab: of a country, USAt, and of a region in it.
var dataLab = regexp.MustCompile(`^(?i)([A-Z]{3})(?:t|r\d{3})$`)

// useDataLab resolves codes of the Global Data Lab, of regions by their names. It reports
// whether all codes are such codes.
func (c *column) useDataLab() bool {
	for i := range c.items {
		if !dataLab.MatchString(c.items[i].code) {
			return false
		}
	}
	c.use("regions of the Global Data Lab", func(it *item) (Area, bool) {
		p := isoCode(it.code[:3], alpha3)
		if p == nil || strings.HasSuffix(it.code, "t") {
			return cmp.Or(p, &place{}).area, p != nil
		}
		if s := pickLevel(in(p.area.ID, namedSubdivisions(it.name)), false); it.isNamed() && s != nil {
			return s.area, true
		}
		return Area{ID: it.code, Name: it.code, Kind: Region}, true
	})
	return true
}

// useFullCodes resolves codes of ISO 3166-2 with their country, such as US-GA, if half
// of the column has them.
func (c *column) useFullCodes() bool {
	of := func(it *item) (Area, bool) { return FindSubdivision(fullCode(it.code)) }
	hits, all := c.count(of)
	if hits == 0 || 2*hits < all {
		return false
	}
	c.use("subdivisions (ISO 3166-2)", of)
	for i := range c.items {
		p := isoCode(c.items[i].code, alpha2, alpha3)
		isAbove := func(it item) bool { return strings.HasPrefix(it.area.ID, p.area.ID+"-") }
		if c.items[i].area.ID == "" && p != nil && slices.ContainsFunc(c.items, isAbove) {
			c.items[i].area = p.area
		}
	}
	return true
}

func fullCode(code string) string { return strings.ReplaceAll(upperCode(code), "_", "-") }

// useRegions resolves codes of NUTS and other European regions with the countries above
// them, if nearly all codes have that form and most are of regions.
func (c *column) useRegions() bool {
	if c.office.System == National {
		return false // its own list may look alike
	}
	isRegion := func(it *item) (Area, bool) {
		code := upperCode(it.code)
		return Area{ID: code, Name: code, Kind: Region}, IsNUTS(code)
	}
	isCountry := func(it *item) (Area, bool) {
		p := isoCode(it.code, alpha2)
		if len(it.code) != 2 || p == nil {
			return Area{}, false
		}
		return p.area, true
	}
	regions, all := c.count(isRegion)
	countries, _ := c.count(isCountry)
	isDeclared := strings.Contains(plainLetters(c.words), "nuts")
	if regions == 0 || !isDeclared && (regions < 3 || regions < countries) || 10*(regions+countries) < 9*all {
		return false
	}
	c.use("European regions (NUTS)", isRegion)
	c.use(c.system, func(it *item) (Area, bool) {
		a, ok := isCountry(it)
		p := loadNames().any[it.key]
		return a, ok && (!it.isNamed() || p != nil && p.area.ID == a.ID || len(namedSubdivisions(it.name)) == 0)
	})
	return true
}

// IsNUTS reports whether a code has the form of NUTS levels 1 to 3.
func IsNUTS(code string) bool {
	return len(code) >= 3 && len(code) <= 5 && slices.Contains(strings.Fields(withExtraRegio), code[:2]) && isEurostatRegion(code) && !strings.ContainsAny(code, "_-")
}

// maxLocalCodes is more than any country has subdivisions.
const maxLocalCodes = 400

// localCodes returns the only country of which nearly all codes are those of its
// subdivisions, without the country's code: GA, TX. isAll tells that some country has
// them all. Codes of one letter are those of areas only if the heading says so: industries
// have them too.
func (c *column) localCodes() (country string, isAll bool) {
	isOneLetter := func(it item) bool { return it.area.ID == "" && len(it.code) == 1 }
	if c.labels() > 0 || len(c.items) > maxLocalCodes || !c.isOfParts() && slices.ContainsFunc(c.items, isOneLetter) { // labels decide
		return "", false
	}
	var best []string
	for id := range loadSubdivisions().byLocal {
		if c.isKind && !slices.Contains(c.within, id) {
			continue
		}
		n, all := c.count(localCode(id))
		isAll = isAll || n > 0 && 10*n >= 9*all
		isOne := 20*n >= 19*all || n == all-1 && c.hasWhole(id)
		switch {
		case c.isOfParts() && id == c.office.home && n == all && n > 2:
			return id, true
		case isOne && (n >= 8 || c.isOfParts() && n >= 5 || c.isOfStates() && n >= 3):
			best = append(best, id)
		}
	}
	if len(best) != 1 || c.heading == countryHeading || c.heading >= townHeading {
		return "", isAll
	}
	return best[0], isAll
}
