package agent

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"almanac/internal/geo"
)

// maxPlaceWords is the number of words of the longest name of a country.
const maxPlaceWords = 6

// ambiguousPlaces says which countries of a search may be others of the same name: "Congo" of two countries, and Georgia, which is
// also a state of the United States. texts are the question and the areas of the filter.
func (p *searchPage) ambiguousPlaces(texts ...string) (notices []string) {
	var told []string
	for _, text := range texts {
		words := strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("?!;:\"“”", r) })
		for n := min(len(words), maxPlaceWords); n > 0; n-- { // "Republic of Congo" before "Congo"
			for i := range len(words) - n + 1 {
				name := strings.Trim(strings.Join(words[i:i+n], " "), ",.")
				code, others := p.othersNamed(name)
				if code == "" || slices.Contains(told, code) {
					continue
				}
				if told = append(told, code); others != nil {
					notices = append(notices, fmt.Sprintf("%q is read as %s; it may also mean %s; for that, leave the name out of query and give the code in area", name, p.areaText(code), strings.Join(others, " or ")))
				}
			}
		}
	}
	return notices
}

// othersNamed returns the country of the search that a text is a name of, and other countries and regions outside it with the same
// name. code is empty if there is none.
func (p *searchPage) othersNamed(name string) (code string, others []string) {
	found := geo.Lookup(name)
	if len(found) == 0 || found[0].Kind != geo.Country || !slices.Contains(found[0].Lists, geo.NameList) || p.areaText(found[0].Key) == "" {
		return "", nil
	}
	own := geo.WholeOf(found[0].Key)
	for _, r := range found[1:] {
		isSame := strings.Contains(strings.ToLower(r.Name), strings.ToLower(name)) // Hong Kong is not meant by "China"
		if isSame && (r.Kind == geo.Country || r.Kind == geo.Region) && !r.IsWithin(own) {
			others = append(others, withCode(r.Name, r.Key))
		}
	}
	return found[0].Key, others
}

// areaText returns an area of the search, empty if it is none of them.
func (p *searchPage) areaText(code string) string {
	for _, a := range p.Areas {
		if a.Code == code {
			return withCode(a.Name, a.Code)
		}
	}
	return ""
}
