package hits

import (
	"strings"

	"almanac/internal/lazyregexp"
	"almanac/internal/search"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// choosePlaced chooses the only value whose label has all that is asked for besides the titles, together with the places of the question:
// "Natural gas, Europe". It reports whether there is one. A dataset that has one of the places as an area has the value there.
func (q *question) choosePlaced(v *store.Vintage, s *series) bool {
	titles := q.affirmed([]string{s.name, s.dataset.Name})
	ofTitles := search.WordsOf(titles...)
	var things []*search.Asked
	for i := range q.asked {
		if a := &q.asked[i]; !a.IsIn(ofTitles) {
			things = append(things, a)
		}
	}
	if len(things) == 0 || !q.isWorld && len(q.areas) == 0 {
		return false
	}
	var places []string
	for _, p := range q.areas {
		if positions(v.Dataset, p.ids) != nil || citiesNamed(v, p.cities) != nil {
			return false
		}
		places = append(places, p.Code)
	}
	at, ok := only(v, s.key, s.withLabel(func(label string) bool {
		if q.isWorld {
			of := worldWords.ReplaceAllString(label, "")
			return of != label && search.IsPlaced(titles, of, things, q.asked, nil)
		}
		return search.IsPlaced(titles, label, things, q.asked, places)
	}))
	if ok {
		s.key[at.axis], s.named[at.axis], s.concept, s.isPlaced = at.code, true, "", true
	}
	return ok
}

// diseaseCodes match the codes of the classification of diseases behind the name of one: "Malignant neoplasms (C00-C97)".
var diseaseCodes = lazyregexp.New(`^(.+) \((\*?[A-Z]\d\d(\.\d+)?(-[A-Z]\d\d(\.\d+)?)?,?)+\)$`)

// shorterLabels returns names of a value that are a part of its label: without the codes of a disease, and without another name for the
// same, as in Maize (corn).
func shorterLabels(c *stat.Code) (names []string) {
	if m := diseaseCodes.FindStringSubmatch(c.Label); m != nil {
		names = append(names, m[1])
	}
	if name, other, ok := strings.Cut(c.Label, " ("); ok && search.IsSameTerm(name, strings.TrimSuffix(other, ")")) {
		names = append(names, name)
	}
	return names
}
