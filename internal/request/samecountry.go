package request

import (
	"cmp"
	"fmt"
	"strings"

	"almanac/internal/geo"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// sameCountries says which areas of a geography have the name of a country that is another area of it: of UNCTAD, 842 is the
// United States of America with Puerto Rico, and 840, which is US, has a longer label.
type sameCountries struct {
	byLabel map[int32][]int32 // of an area, the countries of which its label is a name
	byName  map[int32][]int32 // of a country, the areas whose labels are names of it
}

type sameCountriesKey struct{}

func sameCountriesOf(v *store.Vintage) *sameCountries {
	v = v.Stored() // the same areas in each language
	return v.Memo(sameCountriesKey{}, func() any {
		s := &sameCountries{byLabel: map[int32][]int32{}, byName: map[int32][]int32{}}
		d := v.Dataset
		isCountry := func(c *stat.Code) bool { return geo.AreaOf(d.Source.ID, c.ID, c.Area).Kind == geo.Country }
		countries := map[string]int32{} // by name
		for i := range d.Geography.Codes {
			if c := &d.Geography.Codes[i]; isCountry(c) {
				for _, name := range namesOf(c.Area, cmp.Or(d.Language, english)) {
					countries[strings.ToLower(name)] = int32(i)
				}
			}
		}
		for i := range d.Geography.Codes {
			own := &d.Geography.Codes[i]
			at, isName := countries[strings.ToLower(cmp.Or(own.SourceLabel, own.Label))]
			if isName && !isCountry(own) && !geo.WholeOf(d.Geography.Codes[at].Area).Has(d.Source.ID, own.Area) {
				s.byLabel[int32(i)], s.byName[at] = append(s.byLabel[int32(i)], at), append(s.byName[at], int32(i))
			}
		}
		return s
	}).(*sameCountries)
}

// namesOf returns the usual names of a country in English, and the formal one in a language.
func namesOf(id, language string) (names []string) {
	if name, ok := geo.ShortName(id); ok {
		names = append(names, name)
	}
	if name, ok := geo.OfficialName(id, language); ok {
		names = append(names, name)
	}
	return append(names, geo.AreaOf("", "", id).Name)
}

// labelNotice returns a notice if the label by which an area is selected is a name of another one, which is a country.
func (s *sameCountries) labelNotice(v *store.Vintage, text string, pos int32) []Notice {
	c := &v.Dataset.Geography.Codes[pos]
	if s.byLabel[pos] == nil || text == c.ID || c.SourceLabel != "" { // with a code behind it, the label is that of one area
		return nil
	}
	return sameName(v, text, pos, s.byLabel[pos])
}

// nameNotice returns a notice if other areas have labels that are names of the country that is selected by a name.
func (s *sameCountries) nameNotice(v *store.Vintage, text string, pos int32) []Notice {
	if s.byName[pos] == nil || len(geo.AreasOf(text).Named) == 0 {
		return nil
	}
	return sameName(v, text, pos, s.byName[pos])
}

// sameName returns the notice that a name selects one area of several.
func sameName(v *store.Vintage, text string, taken int32, others []int32) []Notice {
	texts := areaTexts(v, others)
	message := fmt.Sprintf("%.*q is read as %s; it is also a name of %s: give the code of the one that is meant", maxNamedLength, text, areaTexts(v, []int32{taken})[0], strings.Join(texts, ", "))
	n := NewNotice("country", text, message)
	for _, at := range append([]int32{taken}, others...) {
		if len(n.Nearest) < maxSuggested {
			n.Nearest = append(n.Nearest, v.Dataset.Geography.Codes[at].ID)
		}
	}
	return []Notice{n}
}
