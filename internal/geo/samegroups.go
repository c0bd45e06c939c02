package geo

import (
	"maps"
	"slices"
	"strings"
	"sync"
)

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
// have the same members now, or a name of the group. IDs that mean different groups for two offices
// are left out. The first is the ID itself.
func SameGroups(id string) []string {
	d := loadDirectory()
	ids, own := []string{id}, id
	if e := d.entryOf(id); e != nil {
		own = e.ID
	}
	add := func(e *Entry) {
		if e != nil && e.Kind == Group && d.byID[e.ID] == 1 && !slices.Contains(ids, e.ID) {
			ids = append(ids, e.ID)
		}
	}
	add(d.byKey[strings.ToUpper(own)])
	if c, ok := CompositionOf(own); ok {
		members := c.Current()
		for key, other := range loadCompositions().byGroup {
			if slices.Equal(members, other.Current()) {
				add(d.byKey[strings.ToUpper(key)])
			}
		}
	}
	for _, e := range d.entries {
		if e.ID != own || e.Kind != Group {
			continue
		}
		for _, name := range e.names {
			for _, named := range d.byName[nameKey(name)] {
				add(named)
			}
		}
	}
	for _, other := range slices.Clone(ids) {
		for _, same := range sameNumbers(other) {
			if !slices.Contains(ids, same) {
				ids = append(ids, same)
			}
		}
	}
	slices.Sort(ids[1:])
	return ids
}

// loadNumberSources lists the sources whose areas are numbers of M49.
var loadNumberSources = sync.OnceValue(func() []string {
	var sources []string
	for _, source := range slices.Sorted(maps.Keys(loadOffices())) {
		if slices.Contains(officeOf(source).own, "m49") {
			sources = append(sources, source)
		}
	}
	return sources
})

// sameNumbers returns the IDs that the sources with numbers of M49 have for an area of one of
// them: unsd:150 for un:150.
func sameNumbers(id string) []string {
	source, number, _ := strings.Cut(id, ":")
	if !slices.Contains(loadNumberSources(), source) || !isDigits(number) {
		return nil
	}
	own, ok := Resolve(source, number)
	if !ok {
		return nil
	}
	var ids []string
	for _, other := range loadNumberSources() {
		if a, ok := Resolve(other, number); ok && a.Name == own.Name && a.ID == other+":"+number {
			ids = append(ids, a.ID)
		}
	}
	return ids
}

// entryOf returns the entry of an area by its key, or by the ID that another source with numbers of
// M49 has for it; nil if there is none.
func (d *directory) entryOf(id string) *Entry {
	if e := d.byKey[strings.ToUpper(id)]; e != nil {
		return e
	}
	for _, same := range sameNumbers(strings.ToLower(id)) {
		if e := d.byKey[strings.ToUpper(same)]; e != nil {
			return e
		}
	}
	return nil
}
