package search

import (
	"cmp"
	"slices"
	"strings"

	"almanac/internal/geo"
	"almanac/internal/stat"
)

// Datasets have places that package geo does not know by their codes: municipalities with codes of the
// office, and places that are values of another dimension than the geography, such as partners.

// ownPlaces are such places of a dataset. Datasets with the same share the lists.
type ownPlaces struct {
	cities []string // names of areas, see [CityOf]
	beside []string // IDs of places of other dimensions, see [Beside]
}

// newOwnPlaces returns nil if there are no such places.
func newOwnPlaces(cities, beside []string) *ownPlaces {
	if len(cities)+len(beside) == 0 {
		return nil
	}
	return &ownPlaces{cities, beside}
}

// CityOf returns the name of an area by its label, in the form of [geo.CityNames], if its code does not say
// which area it is or the label says that it is a city.
func CityOf(c *stat.Code) (name string, ok bool) {
	name, isCity := geo.CityOfLabel(cmp.Or(c.SourceLabel, c.Label))
	if isCity || name == "" {
		return name, isCity
	}
	return name, isOwnArea(c)
}

// isOwnArea reports whether an area is known by its label only.
func isOwnArea(c *stat.Code) bool {
	_, isKnown := geo.Find(c.Area)
	return !isKnown
}

// NamesOtherGroup reports whether the label of an area names another group of countries than its code, such as "Euro area (15
// countries)" with the code EU15. Its values are no answer for either.
func NamesOtherGroup(c *stat.Code) bool {
	own := geo.Editions(cmp.Or(c.Area, c.ID))
	if own == nil {
		return false
	}
	name, _, _ := strings.Cut(cmp.Or(c.SourceLabel, c.Label), " (")
	found := geo.Lookup(name)
	return len(found) > 0 && geo.Editions(found[0].ID) != nil && !slices.Contains(own, found[0].ID)
}

// areasOf returns the IDs of the areas of a dataset whose labels do not name another one, as [stat.Dataset.Areas] has them.
func areasOf(d *stat.Dataset) []string {
	var others []string
	for i := range d.Geography.Codes {
		if c := &d.Geography.Codes[i]; NamesOtherGroup(c) {
			others = append(others, cmp.Or(c.Area, c.ID))
		}
	}
	return slices.DeleteFunc(slices.Clone(d.Areas()), func(id string) bool { return slices.Contains(others, id) })
}

// citiesOf returns the names of the areas of a dataset for which [CityOf] has one, sorted.
func citiesOf(d *stat.Dataset) (names []string) {
	for i := range d.Geography.Codes {
		if name, ok := CityOf(&d.Geography.Codes[i]); ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// cityNames returns the names of all areas that are known by their labels only, sorted.
func (n *snapshot) cityNames() (names []string) {
	lists := map[*string]bool{} // datasets share them
	for doc := range n.index.All() {
		own := n.record(doc).own
		if own == nil || lists[firstOf(own.cities)] {
			continue
		}
		lists[firstOf(own.cities)] = true
		names = append(names, own.cities...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// A dimension is of places if at least half of its labels are names of places, and not only a few.
const minPlaces = 4

// Beside returns the places that are values of dimensions besides the geography by the IDs of package geo: the
// dimension and the position of the value. A place that stands in several is that of the first.
func Beside(d *stat.Dataset) map[string][2]int {
	found := map[string][2]int{}
	for axis := range d.Dimensions {
		codes := d.Dimensions[axis].Codes
		if len(codes) < minPlaces || d.Dimensions[axis].Role == stat.RoleUnit {
			continue
		}
		ids, places := make([]string, len(codes)), 0
		for i := range codes {
			if ids[i] = placeNamed(codes[i].Label); ids[i] != "" {
				places++
			}
		}
		for i, id := range ids {
			if _, has := found[id]; id != "" && !has && places >= max(minPlaces, len(codes)/2) {
				found[id] = [2]int{axis, i}
			}
		}
	}
	return found
}

// placeNamed returns the ID of the place that a label is a name of; empty if it is none.
func placeNamed(label string) string {
	if len(label) < 4 {
		return "" // codes are ambiguous
	}
	found := geo.Lookup(label)
	if len(found) == 0 || !slices.Contains(found[0].Lists, geo.NameList) || found[0].Kind != geo.Country && found[0].Kind != geo.Former && found[0].Kind != geo.Region {
		return ""
	}
	return found[0].ID
}

// besideOf returns the IDs of the places of other dimensions, sorted.
func besideOf(d *stat.Dataset) (ids []string) {
	for id := range Beside(d) {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// maxFewAreas is the number of areas up to which labels may name the places that a dataset is of.
const maxFewAreas = 10

// placesInLabels returns the IDs of the places that labels of a dataset of few areas name, sorted: those of "Natural gas, Europe".
func (s *Search) placesInLabels(d *stat.Dataset) (ids []string) {
	if len(d.Geography.Codes) > maxFewAreas {
		return nil
	}
	for axis := range d.Dimensions {
		codes := d.Dimensions[axis].Codes
		for _, c := range codes[:min(len(codes), maxLabels)] {
			for _, a := range s.table.Areas(c.Label) {
				ids = append(ids, a.ID)
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// HasCity reports whether a dataset of the store has an area that is known by its label only, with this name.
func (s *Search) HasCity(name string) bool {
	n, p := s.current.Load(), place{cities: geo.CityNames(name)}
	for doc := range n.index.All() {
		if r := n.record(doc); p.isCityOf(r) {
			return true
		}
	}
	return false
}
