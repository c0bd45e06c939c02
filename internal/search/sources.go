package search

import (
	"maps"
	"slices"
	"strings"
)

// Sources returns the IDs of the sources of all datasets in lower case, sorted. It visits
// all datasets.
func (s *Search) Sources() []string {
	found := map[string]bool{}
	last := ""
	for _, g := range s.current.Load().segments {
		for i := range g.records {
			if source := g.records[i].source; source != last {
				last = source
				found[strings.ToLower(source)] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}
