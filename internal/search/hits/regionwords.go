package hits

import (
	"slices"
	"strings"

	"almanac/internal/geo"
	"almanac/internal/search"
)

// dropRegionWords removes the words that only say that something is by region from what a question asks for, if it names a region: the
// value is of that. "Bevölkerung nach Kreisen München" asks for the Bevölkerung of München.
func dropRegionWords(question string, areas []place, asked []search.Asked) (list []search.Asked) {
	if !slices.ContainsFunc(areas, func(p place) bool { return geo.IsRegion(p.Code) || p.cities != nil }) {
		return asked
	}
	ofRegion := search.RegionWords(question)
	for _, a := range asked {
		words := search.Words(a.Text)
		rest := slices.DeleteFunc(slices.Clone(words), func(word string) bool { return slices.Contains(ofRegion, word) })
		switch {
		case len(rest) == len(words):
			list = append(list, a)
		case len(search.Telling(strings.Join(rest, " "))) > 0:
			list = append(list, search.AskedOf(strings.Join(rest, " ")))
		}
	}
	return list
}
