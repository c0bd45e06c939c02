package geo

import (
	"slices"
	"strings"
	"sync"
)

// membersFile has the countries of groups.
const membersFile = "members"

var loadMembers = sync.OnceValue(func() map[string][]string {
	members := map[string][]string{}
	for _, fields := range lines(membersFile) {
		members[fields[0]] = strings.Fields(fields[1])
	}
	for id, c := range loadCompositions().byGroup {
		if members[id] == nil {
			members[id] = c.Current()
		}
	}
	return members
})

// Whole is an area with all its parts.
type Whole struct {
	ids       []string // of the areas that the text means, in upper case
	countries []string // alpha-2, for countries and the members of groups
	spellings []string // of countries at Eurostat, by which the codes of regions begin
}

// WholeOf returns the areas that a person may mean by a text (see [AreasOf]), with their
// parts: the subdivisions and regions of a country or subdivision, and the countries of
// a group if they are listed.
func WholeOf(text string) Whole {
	text = strings.TrimSpace(text)
	var w Whole
	for _, id := range AreasOf(text).All() {
		if id = strings.ToUpper(id); !slices.Contains(w.ids, id) {
			w.ids = append(w.ids, id)
		}
	}
	t, members := loadTables(), loadMembers()
	for _, id := range w.ids {
		for _, same := range SameRegions(id) {
			if !slices.Contains(w.ids, same) {
				w.ids = append(w.ids, same)
			}
		}
	}
	for _, id := range w.ids {
		if t.iso[alpha2][id] != nil {
			w.countries = append(w.countries, id)
		}
		if w.countries = append(w.countries, members[id]...); strings.HasPrefix(id, "UN:") {
			w.countries = append(w.countries, members["un"+id[2:]]...)
		}
	}
	for _, country := range w.countries {
		w.spellings = append(w.spellings, eurostatCountry(country))
	}
	return w
}

// Has reports whether an area is the whole or a part of it. id is as in available_geo,
// source the ID of the dataset's source: the own codes of a national office are parts
// of its country.
func (w Whole) Has(source, id string) bool {
	id = strings.ToUpper(id)
	if slices.Contains(w.ids, id) || slices.Contains(w.countries, id) {
		return true
	}
	if s := loadSubdivisions().byID[id]; s != nil {
		return w.hasSubdivision(s)
	}
	if above := areaAbove(id); above != "" {
		return w.Has(source, above)
	}
	office := officeOf(canonicalSource(source))
	switch {
	case office.System == National:
		return slices.Contains(w.countries, office.home) && !isElsewhere(id)
	case !isEurostatRegion(id) || loadTables().own["eurostat"].codes[id] != nil:
		return false
	case office.System != Local && !office.regions:
		return false
	}
	return slices.Contains(w.spellings, id[:2]) || slices.ContainsFunc(w.ids, func(whole string) bool {
		return len(whole) > 2 && isEurostatRegion(whole) && strings.HasPrefix(id, whole)
	})
}

func (w Whole) hasSubdivision(s *subdivision) bool {
	for ; s != nil; s = loadSubdivisions().byID[s.parent] {
		if slices.Contains(w.ids, s.area.ID) || slices.Contains(w.countries, s.country) {
			return true
		}
	}
	return false
}

// isElsewhere reports whether an area in the tables of a national office is no part of
// its country: another country, a group, or no area.
func isElsewhere(id string) bool {
	t := loadTables()
	if t.iso[alpha2][id] != nil || id == "_Z" {
		return true
	}
	key := foldName(id)
	return loadNames().any[key] != nil || isGroupName(key) || t.findOwn(id) != nil
}
