package geo

import (
	"slices"
	"strings"
)

// partWords are plurals of kinds of subdivisions. Areas called so are several of them:
// "Atlantic provinces".
var partWords = strings.Fields("provinces provincias states estados etats regions regiones territories territoires cantons counties prefectures departments departamentos lander bundeslander")

// IsSeveralParts reports whether an area of a country is several of its subdivisions by its
// name, such as the Prairie provinces of Canada, but not the Northwest Territories, which are
// one. The country is an alpha-2 code.
func IsSeveralParts(country, name string) bool {
	isPlural := func(w string) bool { return slices.Contains(partWords, w) }
	return slices.ContainsFunc(strings.Fields(foldName(name)), isPlural) && len(in(country, namedSubdivisions(name))) == 0
}

// MayBePart reports whether an area with a name that is not known may be one more subdivision of a
// country, beside others that are known: no group of countries, part of the compass, several
// subdivisions, or place within one of them, which the name then also has. others are the names of
// those that are known.
func MayBePart(country, name string, others []string) bool {
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

func bareNumber(name string) bool { return strings.Trim(name, "0123456789.- ") == "" }
