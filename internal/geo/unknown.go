package geo

import (
	"slices"
	"strings"
)

// manyCountries is the number of countries from which areas of unknown kind are taken for groups of them.
const manyCountries = 10

// AreUnknownGroups reports whether the areas of which nothing is known are taken for groups of countries, beside so
// many countries. Beside few, they are compared with these.
func AreUnknownGroups(countries int) bool { return countries >= manyCountries }

// fewUnknown is the number of known subdivisions of which each area that is not known needs more.
const fewUnknown = 5

// MoreParts returns which of the areas of unknown kind are taken for more subdivisions of the country that others, parts, are of:
// those that may be by their names, if they are few. If they are many, they may be groups of them. Codes are those of stored areas.
func MoreParts(parts, unknown []Labelled) (more []int) {
	if len(parts) == 0 {
		return nil
	}
	country, _, _ := strings.Cut(parts[0].Code, "-")
	var names []string
	for _, p := range parts {
		names = append(names, p.Label)
	}
	for i, u := range unknown {
		isOwn := u.Label != u.Code && strings.Contains(u.Code, ":") // as the codes of towns
		if !isOwn && mayBePart(country, u.Label, names) {
			more = append(more, i)
		}
	}
	if fewUnknown*len(more) >= len(parts) {
		return nil
	}
	return more
}

// mayBePart reports whether an area with a name that is not known may be one more subdivision of a
// country, beside others that are known: no group of countries, part of the compass, several
// subdivisions, or place within one of them, which the name then also has. others are the names of
// those that are known.
func mayBePart(country, name string, others []string) bool {
	key := foldName(name)
	it := item{code: name, name: name, key: key}
	if key == "" || it.isAside() || isVague(name) || bareNumber(name) || IsSeveralParts(country, name) || strings.ContainsAny(name, ",;/+") {
		return false
	}
	for _, w := range strings.Fields(key) { // North-West England, East Germany
		if p := loadNames().any[w]; p != nil && p.area.ID == country {
			return false
		}
	}
	return !slices.ContainsFunc(others, func(other string) bool { return hasWords(key, foldName(other)) })
}
