package geo

import "slices"

// areTwoStates reports whether the only two names of a column are those of subdivisions of a country
// that no other subdivision contains, such as Bayern and Hessen, and of no country. So few names
// prove it only if the heading means states ("Land") and not places of any kind, such as towns, or
// if it means areas and each name says that it is a part of a country: "Stockholms län".
func (c *column) areTwoStates(country string, found [][]*subdivision) bool {
	isOfAreas := c.heading == areaHeading
	if !isOfAreas && c.heading != landHeading && c.heading != countryHeading {
		return false
	}
	for i := range c.items {
		it := &c.items[i]
		switch {
		case it.area.ID != "" || isVague(it.name) || found[i] == nil && it.isAside():
		case loadNames().any[it.key] != nil, !slices.ContainsFunc(in(country, found[i]), (*subdivision).isFirstLevel):
			return false
		case isOfAreas && without(it.key, divisionWords) == it.key:
			return false
		}
	}
	return true
}
