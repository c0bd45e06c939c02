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
	if country := e.Country(); e.Kind == Region && country != nil {
		return e.Name + ", " + country.Name
	}
	return e.Name
}

// Country returns the country that an area is or that it is a part of; nil for groups.
func (e *Entry) Country() *Entry {
	for e != nil && e.Kind == Region {
		e, _ = FindEntry(e.Above)
	}
	if e == nil || e.Kind != Country {
		return nil
	}
	return e
}
