package search

import (
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
	country    string // the country itself, or that of a region; empty for groups
	isEuropean bool   // a place in Europe, or a group of countries there
	whole      geo.Whole
	in         map[areaList]bool // whether it is in a list of areas
}

// areaList is the list of areas of a stored dataset. Datasets of a source share lists.
type areaList struct {
	source string
	first  *string
}

// newPlace looks up an area by its ID.
func newPlace(id string) place {
	p := place{id: id, whole: geo.WholeOf(id), in: map[areaList]bool{}}
	a, _ := geo.Find(id)
	switch a.Kind {
	case geo.Country, geo.Former:
		p.country = a.Alpha2
	case geo.Region:
		p.country = countryOf(id)
	default:
		members, _ := geo.MembersOf(id)
		p.isEuropean = len(members) > 0 && !slices.ContainsFunc(members, func(m string) bool { return geo.ContinentOf(m) != europe && m != "CY" })
	}
	if p.country != "" {
		p.isEuropean = geo.ContinentOf(p.country) == europe || geo.IsInEU(p.country)
	}
	return p
}

// isIn reports whether a stored dataset has the place, or only regions of the country.
func (p *place) isIn(r *record) bool {
	if len(r.have) == 0 {
		return false
	}
	list := areaList{r.source, &r.have[0]}
	isIn, ok := p.in[list]
	if !ok {
		isIn = slices.ContainsFunc(r.have, func(area string) bool {
			return strings.EqualFold(area, p.id) || p.country != "" && p.whole.Has(r.source, area)
		})
		p.in[list] = isIn
	}
	return isIn
}

// countryOf returns the country of a region by its code of ISO 3166-2 or NUTS.
func countryOf(region string) string {
	country, _, _ := strings.Cut(region, "-")
	if a, ok := geo.Resolve("eurostat", country[:min(2, len(country))]); ok && a.Kind == geo.Country {
		return a.ID
	}
	return ""
}

// coverage says whether a dataset has a place.
func (p *place) coverage(r *record) Coverage {
	isCountry := p.country == p.id
	switch {
	case r.id != 0 && p.isIn(r):
		return Known
	case r.id != 0:
		return Lacking
	case slices.Contains(r.areas, p.id), isCountry && r.home == p.id:
		return Presumed
	case r.home != "" && r.home == p.country:
		return Unknown
	case r.home != "":
		return Unlikely
	case p.country != "" && slices.Contains(r.areas, p.country):
		return Unknown
	case p.country != "" && slices.ContainsFunc(r.areas, isAlpha2):
		return Unlikely // the title names another country
	case r.isEuropean && p.isEuropean:
		return Presumed
	case r.isEuropean && p.country != "":
		return Unlikely
	}
	return Unknown
}

func isAlpha2(id string) bool { return len(id) == 2 }

// Factors of the score by whether a dataset has the asked place.
const (
	homePlace    = float32(1.7) // of the national office
	hasPlace     = float32(1.4)
	mayHavePlace = float32(1.15)
	lacksPlace   = float32(.15)
)

// factor weighs a dataset by whether it has the place.
func (p *place) factor(r *record) float32 {
	switch c := p.coverage(r); {
	case c == Presumed && r.home == p.id:
		return homePlace
	case c == Known, c == Presumed && !r.isEuropean:
		return hasPlace
	case c == Presumed:
		return mayHavePlace
	case c == Lacking, c == Unlikely:
		return lacksPlace
	}
	return 1
}
