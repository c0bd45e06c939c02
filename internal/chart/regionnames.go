package chart

import (
	"regexp"
	"slices"

	"almanac/internal/chart/caption"
	"almanac/internal/geo"
)

// nameCountries adds to the names of regions in which country they lie, if the picture has regions
// of several countries: "Nord-Est, Romania".
func (t *selection) nameCountries() {
	country := map[int32]string{}
	var countries []string
	for area := range t.names.areas {
		if name := t.countryOf(area); name != "" {
			country[area] = name
			countries = append(countries, name)
		}
	}
	slices.Sort(countries)
	if len(slices.Compact(countries)) < 2 {
		return
	}
	for area, name := range country {
		if !caption.Contains(t.names.areas[area], name) {
			t.names.areas[area] += ", " + name
		}
	}
}

// nutsCode matches codes of regions in NUTS: the code of the country and up to three characters.
var nutsCode = regexp.MustCompile(`^[A-Z]{2}[0-9A-Z]{1,3}$`)

// countryOf returns the name of the country in which a region of NUTS lies, else nothing.
func (t *selection) countryOf(area int32) string {
	id := t.dataset.Geography.Codes[area].Area
	if t.kind(area) != geo.Region || !nutsCode.MatchString(id) {
		return ""
	}
	country, ok := geo.Resolve("eurostat", id[:2])
	if !ok || country.Kind != geo.Country {
		return ""
	}
	if name, ok := geo.LocalName(country.ID, t.language.Code); ok {
		return name
	}
	name, _ := geo.ShortName(country.ID)
	return name
}
