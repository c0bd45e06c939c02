package search

import (
	"slices"

	"almanac/internal/geo"
)

// european lists the sources that have the countries of Europe and hardly others.
var european = []string{"eurostat", "estat", "ecb"}

// europe is the ID of the continent in package geo.
const europe = "un:150"

// place is an area that a question asks for.
type place struct {
	id        string
	have      map[int]bool // the IDs of the stored datasets that have it
	isCountry bool
	isInEU    bool // or elsewhere in Europe
}

// place looks up an area by its ID.
func (n *snapshot) place(id string) place {
	p := place{id: id, have: map[int]bool{}}
	if a, ok := geo.Find(id); ok && a.Kind == geo.Country {
		p.isCountry, p.isInEU = true, geo.ContinentOf(id) == europe
	}
	if n.catalog != nil {
		for _, at := range n.catalog.Select(geo.WholeOf(id).Has) {
			p.have[n.catalog.Entries[at].ID] = true
		}
	}
	return p
}

// coverage says whether a dataset has a place.
func (p *place) coverage(r *record) Coverage {
	switch {
	case r.id != 0 && p.have[r.id]:
		return Known
	case r.id != 0:
		return Lacking
	case slices.Contains(r.areas, p.id), r.home == p.id:
		return Presumed
	case r.home != "":
		return Unlikely
	case p.isCountry && slices.ContainsFunc(r.areas, isCountry):
		return Unlikely // the title names another country
	case r.isEuropean && p.isCountry && !p.isInEU:
		return Unlikely
	case r.isEuropean && p.isCountry:
		return Presumed
	}
	return Unknown
}

func isCountry(id string) bool { return len(id) == 2 }

// Factors of the score by whether a dataset has the asked place.
const (
	hasPlace     = 1.4
	mayHavePlace = 1.15
	lacksPlace   = .15
)

// factor weighs a dataset by whether it has the place.
func (p *place) factor(r *record) float32 {
	switch c := p.coverage(r); {
	case c == Known, c == Presumed && !r.isEuropean:
		return hasPlace
	case c == Presumed:
		return mayHavePlace
	case c == Lacking, c == Unlikely:
		return lacksPlace
	}
	return 1
}
