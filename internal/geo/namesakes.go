package geo

import "slices"

// Namesakes returns the other countries and regions of which a text is a name, if it is read as the area with an ID: Congo is two
// countries, Limburg a region of Belgium and one of the Netherlands, Georgia a country and a state. Parts of the area, and areas
// of which it is a part, are none of them. Each area is listed once, whatever lists have it.
func Namesakes(text, id string) []*Entry {
	known := []Whole{WholeOf(id)}
	var others []*Entry
	for _, r := range Lookup(text) {
		isPlace := r.Kind == Country || r.Kind == Region
		isKnown := slices.ContainsFunc(known, r.IsWithin) || WholeOf(r.Key).Has("eurostat", id)
		if !isPlace || !slices.Contains(r.Lists, NameList) || isKnown || IsTerritory(r.ID, id) { // Hong Kong is "China, Hong Kong" in some lists
			continue
		}
		others, known = append(others, r.Entry), append(known, WholeOf(r.Key))
	}
	return others
}

// FullName returns the name of an area with its country, if it is a region: "Limburg, Netherlands".
func (e *Entry) FullName() string {
	for above := e; above.Kind == Region; {
		next, ok := FindEntry(above.Above)
		if !ok {
			break
		}
		if above = next; above.Kind == Country {
			return e.Name + ", " + above.Name
		}
	}
	return e.Name
}
