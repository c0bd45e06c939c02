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

func bareNumber(name string) bool { return strings.Trim(name, "0123456789.- ") == "" }
