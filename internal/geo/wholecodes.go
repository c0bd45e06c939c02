package geo

import (
	"cmp"
	"slices"
	"strings"
)

// formNames are the names of the forms of codes for people.
var formNames = [...]string{alpha2: "ISO 3166-1 alpha-2", alpha3: "ISO 3166-1 alpha-3", m49: "UN M49"}

// agreement counts the items whose name and code in a form mean the same country, and
// those where they mean two.
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
		default:
			a.differ++
		}
	}
	c.agreements[f] = &a
	return a
}

// isContradicted reports whether an item's code is that of another country than its
// name, in a form in which most codes and names of the column agree.
func (c *column) isContradicted(i int, named *place) bool {
	it := &c.items[i]
	if !it.isNamed() {
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

// useCodes resolves codes if nearly all are of one system.
func (c *column) useCodes() {
	if c.useNumbers() {
		return
	}
	country, divisions, isAll := c.localCodes()
	for _, f := range []form{alpha3, alpha2, m49} {
		if !c.isOfForm(f) {
			continue
		}
		if f == alpha2 && isAll && c.heading != countryHeading && c.heading != landHeading {
			return // DE and GA are countries, and US states
		}
		c.useForm(f)
		return
	}
	if country != "" {
		c.system = "subdivisions of " + country + " (ISO 3166-2)"
		home := loadTables().iso[alpha2][country].area
		for i, s := range divisions {
			switch {
			case c.items[i].area.ID != "":
			case s != nil:
				c.set(i, s.area)
			case c.isCountry(i, country):
				c.items[i].area = home
			}
		}
	}
}

// numberings are words of headings that declare the numbers of one country's office.
var numberings = map[string]string{
	"fips": "US", "geofips": "US", "statefips": "US", "stfips": "US", "fipscode": "US", "statefp": "US", "ags": "DE", "ibge": "BR", "codibge": "BR",
	"jis": "JP", "jiscode": "JP", "prefcode": "JP", "teryt": "PL", "cveent": "MX",
}

// numberingOf returns the country whose office's numbers a heading declares.
func numberingOf(heading string) (country string) {
	for word := range strings.FieldsSeq(strings.ReplaceAll(plainLetters(heading), "_", "")) {
		country = cmp.Or(country, numberings[word])
	}
	return country
}

// useNumbers resolves the numbers that the heading declares, if nearly all are those of
// subdivisions.
func (c *column) useNumbers() bool {
	country, hits := c.numbering, 0
	found := make([]*subdivision, len(c.items))
	for i := range c.items {
		for _, s := range loadSubdivisions().byLocal[country] {
			if s.isFirstLevel() && isDigits(c.items[i].code) && s.hasCode(c.items[i].code) {
				found[i] = s
				hits++
			}
		}
	}
	if hits == 0 || 10*hits < 9*len(c.items) || c.labels() > 0 {
		return false
	}
	c.system = "subdivisions of " + country + " (numbers of its office)"
	for i, s := range found {
		if s != nil && c.items[i].area.ID == "" {
			c.set(i, s.area)
		}
	}
	return true
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
			if isGroupCode(it.code) {
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
	return p != nil && p.area.Kind == Group && len(code) > 2 && !isDigits(code) && t.iso[alpha3][upper] == nil
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
		return it.area.ID == "" && !isGroupCode(it.code) && (len(it.code) != 2 || !strings.Contains(majorCountries, upperCode(it.code)))
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

func (c *column) useForm(f form) {
	c.system = "codes of countries (" + formNames[f] + ")"
	for i := range c.items {
		it := &c.items[i]
		p := isoCode(it.code, f)
		if p == nil || it.area.ID != "" {
			continue
		}
		if other := loadNames().any[it.key]; it.isNamed() && other != nil && other.area.ID != p.area.ID {
			continue // the label says another country
		}
		c.set(i, p.area)
	}
}

// useFullCodes resolves codes of ISO 3166-2 with their country, such as US-GA, if half
// of the column has them.
func (c *column) useFullCodes() bool {
	t, hits, all := loadSubdivisions(), 0, 0
	countries := map[string]bool{}
	for i := range c.items {
		if c.items[i].area.ID != "" {
			continue
		}
		all++
		if s := t.byID[fullCode(c.items[i].code)]; s != nil {
			hits++
			countries[s.country] = true
		}
	}
	if hits == 0 || 2*hits < all {
		return false
	}
	c.system = "subdivisions (ISO 3166-2)"
	for i := range c.items {
		it := &c.items[i]
		if it.area.ID != "" {
			continue
		}
		if s := t.byID[fullCode(it.code)]; s != nil {
			c.set(i, s.area)
		} else if p := isoCode(it.code, alpha2, alpha3); p != nil && countries[p.area.ID] {
			it.area = p.area
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
	regions, countries, all := 0, 0, 0
	for i := range c.items {
		if c.items[i].area.ID != "" {
			continue
		}
		all++
		switch code := upperCode(c.items[i].code); {
		case isGroupCode(code):
			all--
		case isNUTS(code):
			regions++
		case len(code) == 2 && isoCode(code, alpha2) != nil:
			countries++
		}
	}
	if regions < 3 || regions < countries || 10*(regions+countries) < 9*all {
		return false
	}
	c.system = "European regions (NUTS)"
	for i := range c.items {
		it := &c.items[i]
		if it.area.ID != "" {
			continue
		}
		code := upperCode(it.code)
		if p := isoCode(code, alpha2); len(code) == 2 && p != nil {
			if !it.isNamed() || loadNames().any[it.key] == p || len(namedSubdivisions(it.name)) == 0 {
				c.set(i, p.area)
			}
		} else if isNUTS(code) {
			c.set(i, Area{ID: code, Name: code, Kind: Region})
		}
	}
	return true
}

// isNUTS reports whether a code has the form of NUTS levels 1 to 3.
func isNUTS(code string) bool {
	return len(code) >= 3 && len(code) <= 5 && slices.Contains(strings.Fields(withExtraRegio), code[:2]) && isEurostatRegion(code) && !strings.ContainsAny(code, "_-")
}

// maxLocalCodes is more than any country has subdivisions.
const maxLocalCodes = 400

// localCodes returns the only country of which nearly all codes are those of its
// subdivisions, without the country's code: GA, TX. isAll tells that some country has
// them all.
func (c *column) localCodes() (country string, found []*subdivision, isAll bool) {
	all, hits := 0, map[string]int{}
	for i := range c.items {
		if it := &c.items[i]; it.area.ID == "" {
			if all++; all > maxLocalCodes {
				return "", nil, false
			}
			for id, local := range loadSubdivisions().byLocal {
				if local[upperCode(it.code)] != nil && !isDigits(it.code) {
					hits[id]++
				}
			}
		}
	}
	if c.labels() > 0 { // labels decide
		return "", nil, false
	}
	var best []string
	for id, n := range hits {
		isAll = isAll || 10*n >= 9*all
		isOne := 20*n >= 19*all || n == all-1 && c.hasCountry(id)
		if isOne && (n >= 8 || c.isOfParts() && n >= 5) {
			best = append(best, id)
		}
	}
	if len(best) != 1 || c.heading == countryHeading || c.heading >= townHeading {
		return "", nil, isAll
	}
	found = make([]*subdivision, len(c.items))
	for i := range c.items {
		found[i] = loadSubdivisions().byLocal[best[0]][upperCode(c.items[i].code)]
	}
	return best[0], found, isAll
}
