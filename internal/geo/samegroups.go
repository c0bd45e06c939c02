package geo

import "slices"

// SameAreas returns the IDs by which lists and offices have an area, by any of them: the ID first.
func SameAreas(id string) []string {
	if same := SameRegions(id); same != nil {
		ids := []string{id}
		for _, other := range same {
			if other != id {
				ids = append(ids, other)
			}
		}
		return ids
	}
	return SameGroups(id)
}

// SameGroups returns the IDs by which offices call a group of countries, by any of them: groups that
// have the same members now, or a name of the group. The first is the ID itself.
func SameGroups(id string) []string {
	d := loadDirectory()
	ids := []string{id}
	add := func(e *Entry) {
		if e != nil && e.Kind == Group && !slices.Contains(ids, e.ID) {
			ids = append(ids, e.ID)
		}
	}
	if c, ok := CompositionOf(id); ok {
		members := c.Current()
		for key, other := range loadCompositions().byGroup {
			if slices.Equal(members, other.Current()) {
				add(d.byKey[key])
			}
		}
	}
	for _, e := range d.entries {
		if e.ID != id || e.Kind != Group {
			continue
		}
		for _, name := range e.names {
			for _, named := range d.byName[nameKey(name)] {
				add(named)
			}
		}
	}
	slices.Sort(ids[1:])
	return ids
}
