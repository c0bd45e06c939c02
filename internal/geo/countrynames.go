package geo

import (
	"slices"
	"strings"
)

// cityNames are countries and territories that have the name of a city.
var cityNames = strings.Fields("DJ GI GT HK KW LU MC MO PA SG SM VA")

// language returns the language in which most names are countries, and the countries;
// nil if there is none. English needs half of the names, another language nearly all.
func (c *column) language() (string, []*place) {
	names := loadNames()
	best, most := "", 0
	for _, l := range names.languages {
		n := 0
		for i := range c.items {
			if it := &c.items[i]; names.byLanguage[l][it.key] != nil && (it.isNamed() || isoCode(it.code, alpha2, alpha3) == nil || c.heading != countryHeading) {
				n++
			}
		}
		if n > most {
			best, most = l, n
		}
	}
	all, isCity := 0, c.heading != countryHeading
	for i := range c.items {
		it := &c.items[i]
		p := names.byLanguage[best][it.key]
		isCity = isCity && (p == nil || slices.Contains(cityNames, p.area.ID))
		switch isName := p != nil; {
		case !isName && (it.area.ID != "" || it.isAside()): // the office's own country, or a group
			continue
		case c.heading == countryHeading && most > 0 && !it.isNamed() && isoCode(it.code, alpha3, alpha2) != nil:
			most++ // codes among names, as the heading declares countries
		}
		all++
	}
	isSure := most >= 2 || c.heading == countryHeading || c.heading == numberHeading
	switch {
	case most == 0, 2*most < all, best != english && 5*most < 4*all:
		return "", nil
	case !isSure && all > 1, isCity && most < all: // Luxembourg beside Paris
		return "", nil
	}
	found := make([]*place, len(c.items))
	for i := range c.items {
		found[i] = names.byLanguage[best][c.items[i].key]
	}
	return best, found
}

// isGroupName reports whether a name is that of a group of countries in any table.
func isGroupName(key string) bool {
	t := loadTables()
	return slices.ContainsFunc(ownFiles, func(file string) bool {
		p := t.own[file].names[key]
		return p != nil && p.area.Kind != Country
	})
}

// useCountries resolves names of countries in one language. If codes beside them are
// those of the same countries, they are used where a name is not known.
func (c *column) useCountries(language string, found []*place) {
	c.system = "names of countries"
	if language != english {
		c.system += " in language " + language
	}
	rivals := c.rivals(found)
	isAlone := len(c.items) == 1 && c.heading != countryHeading && c.heading != numberHeading
	for i, p := range found {
		if it := &c.items[i]; p == nil || it.area.ID != "" || !it.isNamed() && len(it.key) <= 3 && c.labels() > 0 {
			continue // UK is a name among names, and may be any code among codes with names
		}
		isRivalled := slices.ContainsFunc(namedSubdivisions(c.items[i].name), func(s *subdivision) bool {
			isOfOne := c.heading != countryHeading && c.heading != landHeading && (s.country == c.office.home || c.areOnlyOf(s.country, found))
			return s.country != p.area.ID && (isAlone || rivals[s.country] || isOfOne)
		})
		if !isRivalled && !c.mayBeGroup(i) && !c.isContradicted(i, p) {
			c.set(i, p.area)
		}
	}
	for _, f := range []form{alpha3, alpha2, m49} {
		c.useCodesBeside(f)
	}
	if c.heading != countryHeading {
		return
	}
	for i := range c.items { // codes among names, as the heading declares countries
		it := &c.items[i]
		if p := isoCode(it.code, alpha3, alpha2); p != nil && it.area.ID == "" && !it.isNamed() {
			c.set(i, p.area)
		}
	}
}

// areOnlyOf reports whether all countries of a column are one country and its territories, or
// have the name of a subdivision of it: beside the United States alone, Georgia may be the state.
func (c *column) areOnlyOf(country string, found []*place) bool {
	hasOne := false
	for i, p := range found {
		switch {
		case p == nil:
		case p.area.ID == country || IsTerritory(p.area.ID, country):
			hasOne = true
		case len(in(country, namedSubdivisions(c.items[i].name))) == 0:
			return false
		}
	}
	return hasOne
}

// mayBeGroup reports whether the name of a country is also that of a group in a list from
// which the column has more: Micronesia beside Polynesia, China beside China, mainland.
func (c *column) mayBeGroup(i int) bool {
	key := c.items[i].key
	return slices.ContainsFunc([]string{"m49", "fao"}, func(list string) bool {
		names := loadTables().own[list].names
		return names[key] != nil && names[key].area.Kind == Group &&
			slices.ContainsFunc(c.items, func(it item) bool { return it.key != key && names[it.key] != nil })
	})
}

// rivals returns the countries of which the column also has subdivisions, so that a
// name that both have is not certain: with Texas, Georgia may be the state. A few do
// not matter among many countries.
func (c *column) rivals(found []*place) map[string]bool {
	countries, divisions := 0, map[string]int{}
	for i := range c.items {
		if found[i] != nil {
			countries++
			continue
		}
		if c.items[i].area.ID != "" || isVague(c.items[i].name) {
			continue
		}
		for _, country := range countriesOfAll(namedSubdivisions(c.items[i].name)) {
			divisions[country]++
		}
	}
	rivals := map[string]bool{}
	for country, n := range divisions {
		rivals[country] = 10*n >= countries
	}
	return rivals
}
