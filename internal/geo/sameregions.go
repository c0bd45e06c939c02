package geo

import (
	"maps"
	"slices"
	"strings"
	"sync"
)

// loadSameRegions reads the regions that several lists have at the first call: the IDs of a region
// by each of them.
var loadSameRegions = sync.OnceValue(func() map[string][]string {
	same := make(map[string][]string, 3000)
	for _, fields := range lines("sameregions") {
		ids := append(strings.Fields(fields[0]), strings.Fields(fields[1])...)
		for _, id := range ids {
			same[id] = ids
		}
	}
	return same
})

// SameRegions returns the IDs that the lists of ISO 3166-2, NUTS and national offices have for a
// region, by any of them: DE-BY and DE2 for Bavaria, those of ISO 3166-2 first. It is nil if no
// other list is known to have the region. The caller must not change it.
func SameRegions(id string) []string { return loadSameRegions()[strings.ToUpper(id)] }

// IsSameRegion reports whether two IDs mean one region.
func IsSameRegion(a, b string) bool {
	return slices.Contains(SameRegions(a), strings.ToUpper(b))
}

// regionNamesFile has the names of regions and cities in several languages.
const regionNamesFile = "regionnames"

// loadRegionNames reads the names of regions and cities in other languages at the first call, by
// each ID of the region.
var loadRegionNames = sync.OnceValue(func() map[string][][]string {
	table := readLanguages(regionNamesFile)
	names := maps.Clone(table)
	for id, list := range table {
		for _, same := range SameRegions(id) {
			if table[same] == nil {
				names[same] = list
			}
		}
	}
	return names
})

// NamedRegions returns the names of the regions and cities of regionnames.tsv in all languages, by the
// IDs in that table.
var NamedRegions = sync.OnceValue(func() map[string][]string {
	names := map[string][]string{}
	for id, languages := range readLanguages(regionNamesFile) {
		for _, list := range languages {
			names[id] = append(names[id], list[1:]...)
		}
	}
	return names
})

// IsRegion reports whether an ID is that of a part of a country: a subdivision of ISO 3166-2 or of a
// national office, or a region of Eurostat.
func IsRegion(id string) bool {
	return loadSubdivisions().byID[id] != nil || isEurostatRegion(id) && loadTables().own["eurostat"].codes[id] == nil && loadTables().iso[alpha3][id] == nil
}
