package geo

import (
	"strings"
	"sync"
)

// regionFacts say how likely readers look for a region of a country.
type regionFacts struct {
	country string // alpha-2
	place   int    // among the main regions of its country and level, from 1; 0 if it is none
	isSmall bool
}

var loadMainRegions = sync.OnceValue(func() map[string]regionFacts {
	regions := map[string]regionFacts{}
	for _, fields := range lines("mainregions") {
		for i, id := range strings.Fields(fields[1]) {
			regions[id] = regionFacts{country: fields[0], place: i + 1}
		}
		if len(fields) > 2 {
			for id := range strings.FieldsSeq(fields[2]) {
				regions[id] = regionFacts{country: fields[0], isSmall: true}
			}
		}
	}
	return regions
})

// MainRegion returns the country, by its alpha-2 code, of one of the few regions that
// readers look for first, such as that of the capital, by the ID of its area: ES-MD or ES30
// is Madrid. place is its place among them, the first of which is 1. ok is false for any
// other area.
func MainRegion(id string) (country string, place int, ok bool) {
	r := loadMainRegions()[id]
	return r.country, r.place, r.place > 0
}

// IsSmallRegion reports whether a region, by the ID of its area, is known to have far fewer
// people than the others of its country, such as Ceuta.
func IsSmallRegion(id string) bool { return loadMainRegions()[id].isSmall }
