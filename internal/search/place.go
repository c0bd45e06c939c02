package search

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/geo"
)

// european lists the sources that have the countries of Europe and hardly others.
var european = []string{"eurostat", "estat", "ecb"}

// europe is the ID of the continent in package geo.
const europe = "un:150"

// place is an area that a question asks for.
type place struct {
	id         string
	ids        []string // by which lists and offices have it
	cities     []string // its names as in [geo.CityNames], if the name may be that of a city
	country    string   // the country itself, or that of a region; empty for groups
	members    []string // of a group, if they are listed
	above      []string // the regions in which a region lies
	level      int      // of a region in NUTS; 0: it is none
	isEuropean bool     // a place in Europe, or a group of countries there
	whole      geo.Whole
	namesakes  [][]string            // the IDs of regions with the name in the question, of each those by which lists and offices have it
	in         map[areaList]Coverage // by a list of areas
}

// areaList is the list of areas of a stored dataset. Datasets of a source share lists.
type areaList struct {
	source string
	first  *string
	cities *string // nil: none
	beside *string
}

// mainlands are the IDs of areas that stand for a country whose overseas parts they lack.
var mainlands = map[string][]string{"FR": {"FXFR", "FX", "FM", "insee:FM"}}

// AreasNamed returns the IDs by which lists and offices have the area with an ID, the ID itself first. A group that
// was asked for by a text without a number of members ("euro area") is also meant in any other composition.
func AreasNamed(id, text string) []string {
	ids := SameAreas(id)
	if strings.ContainsAny(text, "0123456789") {
		return ids
	}
	for _, other := range geo.Editions(id) {
		if !slices.Contains(ids, other) {
			ids = append(ids, other)
		}
	}
	return ids
}

// SameAreas returns the IDs by which lists and offices have an area, the ID itself first. A country is
// also meant by those of its mainland: Metropolitan France.
func SameAreas(id string) []string {
	ids := geo.SameAreas(id)
	return append(ids[:len(ids):len(ids)], mainlands[id]...)
}

// OwnNames returns the names by which a dataset may have an area that only its label makes known, in the form of [CityOf]: those of a
// city, or of a group of countries of which the office has a code of its own.
func OwnNames(id, text string) []string {
	a, ok := geo.Find(id)
	if !ok || a.Kind != geo.Group {
		return geo.CityNames(text)
	}
	var names []string
	for _, label := range []string{text, a.Name, compositions.ReplaceAllString(a.Name, "$1 $2")} {
		name, _ := geo.CityOfLabel(label)
		names = append(names, name)
	}
	return names
}

// compositions match names of groups of which UNCTAD and others state only the first year: European Union (2020 …).
var compositions = regexp.MustCompile(`^(.*) (?:\(| - ).*\b(\d{4})\)$`)

// newPlace looks up an area by its ID. text is what it was called in the question or filter.
func newPlace(id, text string) place {
	p := place{id: id, ids: []string{id}, cities: OwnNames(id, text), whole: geo.WholeOf(id), in: map[areaList]Coverage{}}
	if text != "" && text != id {
		for _, e := range geo.Namesakes(text, id) {
			if e.Kind != geo.Region {
				continue
			}
			p.namesakes = append(p.namesakes, SameAreas(e.Key))
		}
	}
	a, _ := geo.Find(id)
	switch a.Kind {
	case geo.Country, geo.Former:
		p.country, p.ids = a.Alpha2, SameAreas(id)
	case geo.Region:
		p.fillRegion()
	default:
		p.ids = AreasNamed(id, text)
		p.members, _ = geo.MembersOf(id)
		p.isEuropean = len(p.members) > 0 && !slices.ContainsFunc(p.members, func(m string) bool { return geo.ContinentOf(m) != europe && m != "CY" })
	}
	if p.country != "" {
		p.isEuropean = geo.ContinentOf(p.country) == europe || geo.IsInEU(p.country)
	}
	return p
}

// fillRegion looks up the codes of a region, and the areas in which it lies.
func (p *place) fillRegion() {
	p.ids = geo.SameAreas(p.id)
	for _, id := range p.ids {
		if geo.IsNUTS(id) {
			p.level = cmp.Or(p.level, len(id)-2)
		}
		e, ok := geo.FindEntry("eurostat:" + id) // DEA is a group for the World Bank
		if !ok {
			e, ok = geo.FindEntry(id)
		}
		for ok && e.Above != "" {
			if e, ok = geo.FindEntry(e.Above); ok && e.Kind == geo.Region {
				p.above = append(p.above, e.ID)
				p.above = append(p.above, geo.SameRegions(e.ID)...)
			} else if ok {
				p.country = cmp.Or(p.country, e.Alpha2)
			}
		}
	}
	if p.country == "" {
		p.country = countryOf(p.id)
	}
}

// countryOf returns the country of a region by its code of ISO 3166-2 or NUTS.
func countryOf(region string) string {
	country, _, _ := strings.Cut(region, "-")
	if a, ok := geo.Resolve("eurostat", country[:min(2, len(country))]); ok && a.Kind == geo.Country {
		return a.ID
	}
	return ""
}

// isRegion reports whether the place is a part of a country.
func (p *place) isRegion() bool { return p.country != "" && p.country != p.id }

// minMembers is the share of the members of a group that a dataset has at least if it has
// the group by its members.
const minMembers = .5

// isIn says whether a stored dataset has the place, or only its parts.
func (p *place) isIn(r *record) Coverage {
	list := areaList{source: r.source, first: firstOf(r.have)}
	if r.own != nil {
		list.cities, list.beside = firstOf(r.own.cities), firstOf(r.own.beside)
	}
	c, ok := p.in[list]
	if !ok {
		c = p.find(r)
		p.in[list] = c
	}
	return c
}

func firstOf(list []string) *string {
	if len(list) == 0 {
		return nil
	}
	return &list[0]
}

func (p *place) find(r *record) Coverage {
	if p.isKnown(r) {
		return Known
	}
	members, hasPart := 0, false
	for _, area := range r.have {
		hasPart = hasPart || p.country != "" && p.whole.Has(r.source, area)
		if slices.Contains(p.members, area) {
			members++
		}
	}
	if hasPart || members > 0 && float64(members) >= minMembers*float64(len(p.members)) {
		return Parts
	}
	if r.own != nil && slices.ContainsFunc(p.ids, func(id string) bool { _, ok := slices.BinarySearch(r.own.beside, id); return ok }) {
		return InDimension
	}
	return Lacking
}

// isKnown reports whether a stored dataset has the place itself.
func (p *place) isKnown(r *record) bool {
	return p.isCityOf(r) || slices.ContainsFunc(r.have, func(area string) bool {
		return slices.ContainsFunc(p.ids, func(id string) bool { return strings.EqualFold(area, id) })
	})
}

// isCityOf reports whether a dataset has an area with a name of the place, which need not be the area that the name
// usually stands for: Helsinki is also a name of the region around it.
func (p *place) isCityOf(r *record) bool {
	return r.own != nil && slices.ContainsFunc(p.cities, func(city string) bool { _, ok := slices.BinarySearch(r.own.cities, city); return ok })
}

// coverage says whether a dataset has a place.
func (p *place) coverage(r *record) Coverage {
	isHome := r.home != "" && r.home == p.country
	switch {
	case r.id != 0:
		return p.isIn(r)
	case p.isRegion():
		return p.regionCoverage(r, isHome)
	case slices.Contains(r.areas, p.id):
		return Presumed
	case isHome && len(r.regions) > 0: // the title names a region of the country
		return Unknown
	case isHome:
		return Presumed
	case r.home != "":
		return Unlikely
	case p.country != "" && slices.ContainsFunc(r.areas, isAlpha2):
		return Unlikely // the title names another country
	case r.isEuropean && p.isEuropean:
		return Presumed
	case r.isEuropean && (p.country != "" || p.isElsewhere()):
		return Unlikely
	}
	return Unknown
}

// isElsewhere reports whether the place is a group without a country of Europe.
func (p *place) isElsewhere() bool {
	return len(p.members) > 0 && !slices.ContainsFunc(p.members, func(m string) bool { return geo.ContinentOf(m) == europe || geo.IsInEU(m) })
}

// regionCoverage says whether a dataset that is only offered has a region: its title names the
// region, or it is by region and has the country.
func (p *place) regionCoverage(r *record, isHome bool) Coverage {
	switch {
	case p.isNamed(r):
		return Presumed
	case slices.ContainsFunc(r.regions, func(id string) bool { return slices.Contains(p.above, id) }), slices.ContainsFunc(r.regions, func(id string) bool { return p.whole.Has("eurostat", id) }):
		return Unknown // the title names a part of it, or what it is a part of
	case len(r.regions) > 0, r.home != "" && !isHome:
		return Unlikely
	case len(r.areas) > 0 && !slices.Contains(r.areas, p.country) && slices.ContainsFunc(r.areas, isAlpha2):
		return Unlikely
	case r.isEuropean && !p.isEuropean:
		return Unlikely
	case p.isBy(r) && (isHome || r.isEuropean || r.hasRegions):
		return Presumed
	}
	return Unknown
}

// isNamed reports whether the titles of a dataset name a region.
func (p *place) isNamed(r *record) bool {
	return slices.ContainsFunc(r.regions, func(id string) bool { return slices.Contains(p.ids, id) })
}

// isBy reports whether a dataset is by regions of the level of the place.
func (p *place) isBy(r *record) bool {
	if r.by.Level != 0 && p.level > r.by.Level {
		return r.by.ByCity
	}
	return r.by.ByRegion || r.by.ByCity && p.level != 1 && p.level != 2
}

func isAlpha2(id string) bool { return len(id) == 2 }

// Factors of the score by whether a dataset has the asked place.
const (
	namedPlace   = float32(2)   // a region that the title names
	homeHere     = float32(2.1) // of the national office, in the store: before others with equal titles that are newer
	homePlace    = float32(1.7) // of the national office
	hasPlace     = float32(1.4)
	hasParts     = float32(1.3)
	hasBeside    = float32(.5) // as a value of another dimension
	mayHaveName  = float32(.5) // only a region of the same name, or the place in a label
	mayHavePlace = float32(1.15)
	noRegions    = float32(.6) // for a region, of which nothing is known
	lacksPlace   = float32(.06)
)

// isNamedIn reports whether a stored dataset has a region of the same name, or the place in the label of a value.
func (p *place) isNamedIn(r *record) bool {
	return slices.Contains(r.labelled, p.id) || slices.ContainsFunc(p.namesakes, func(ids []string) bool {
		return slices.ContainsFunc(r.have, func(area string) bool { return slices.Contains(ids, area) })
	})
}

// factor weighs a dataset by whether it has the place.
func (p *place) factor(r *record) float32 {
	c := p.coverage(r)
	switch {
	case c == Lacking && p.isNamedIn(r):
		return mayHaveName
	case c == Lacking, c == Unlikely:
		return lacksPlace
	case c == Known && r.home != "" && r.home == p.country:
		return homeHere
	case c == Known:
		return hasPlace
	case c == Parts:
		return hasParts
	case c == InDimension:
		return hasBeside
	case p.isRegion() && c == Presumed && p.isNamed(r):
		return namedPlace
	case p.isRegion() && c == Presumed && r.isByTheme:
		return mayHavePlace
	case p.isRegion() && c == Presumed && r.home != "":
		return homePlace
	case p.isRegion() && c == Presumed:
		return hasPlace
	case p.isRegion() && r.home == "":
		return noRegions
	case c == Presumed && r.home == p.id:
		return homePlace
	case c == Presumed && !r.isEuropean:
		return hasPlace
	case c == Presumed:
		return mayHavePlace
	}
	return 1
}
