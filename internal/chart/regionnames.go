package chart

import (
	"cmp"
	"slices"
	"strings"

	"almanac/internal/chart/atlas"
	"almanac/internal/chart/caption"
	"almanac/internal/geo"
	"almanac/internal/lazyregexp"
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
var nutsCode = lazyregexp.New(`^[A-Z]{2}[0-9A-Z]{1,3}$`)

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
	return t.countryName(country.ID)
}

// countryName returns the name of a country in the reader's language.
func (t *selection) countryName(alpha string) string {
	if t.dataset.Base != nil {
		if name, ok := geo.NameFor(alpha, t.dataset.Language); ok {
			return name
		}
	}
	if name, ok := geo.LocalName(alpha, t.language.Code); ok {
		return name
	}
	name, _ := geo.ShortName(alpha)
	return name
}

// sharedCountry returns the country of which all areas of a picture are parts, unless it is one of
// them. Parts with codes of their office alone are of its country if others are known to be.
func (t *selection) sharedCountry() string {
	if !t.areas {
		return ""
	}
	country := ""
	for _, s := range t.series {
		alpha, isKnown := t.countryOfPart(s.area)
		if isKnown && alpha == "" || country != "" && alpha != "" && alpha != country {
			return ""
		}
		country = cmp.Or(country, alpha)
	}
	return t.countryName(country)
}

// placeOfParts returns the region of which all areas are parts, with its country: districts of one
// region are not those of the country.
func (t *selection) placeOfParts() string {
	if !t.areas || t.whole == nil || t.kind(*t.whole) == geo.Country {
		return ""
	}
	region, country := t.areaLabel(*t.whole), t.sharedCountry()
	if country == "" || caption.IsFiller(region) || caption.Contains(region, country) || caption.Contains(country, region) {
		return ""
	}
	return region + ", " + country
}

// countryOfPart returns the country of which an area is a part: nothing for a country or a group.
func (t *selection) countryOfPart(area int32) (alpha string, isKnown bool) {
	code := &t.dataset.Geography.Codes[area]
	switch kind := t.kind(area); {
	case kind == geo.Region && nutsCode.MatchString(code.Area):
		country, _ := geo.Resolve("eurostat", code.Area[:2])
		return country.Alpha2, true
	case kind == geo.Region:
		alpha, _, _ = strings.Cut(code.Area, "-")
		return alpha, true
	case kind == "":
		home, isNational := geo.HomeOf(t.dataset.Source.ID)
		return home.Alpha2, isNational
	}
	return "", true
}

// nameWhole tells the area of which the others are parts from a part with its name: the state of New
// York from the county.
func (t *selection) nameWhole() {
	if t.whole == nil || t.names.areas[*t.whole] == "" {
		return
	}
	codes, name := t.own.Geography.Codes, t.names.areas[*t.whole]
	for _, area := range t.positions(len(t.dataset.Dimensions)) {
		if area == *t.whole || t.localAreaName(area) != name {
			continue
		}
		t.names.areas[*t.whole] = t.language.Text("%s (as a whole)", name)
		if county.MatchString(atlas.OutlineID(codes[area].Area)) {
			t.names.areas[area] = name + " County"
		}
	}
}

// nameOtherExtents adds the code to the name of an area that is not the country in ISO 3166, but has its
// name beside it: "United States of America [842]" with Puerto Rico.
func (t *selection) nameOtherExtents() {
	var countries []string
	for area := range t.areasOf(geo.Country) {
		countries = append(countries, t.factsOf(area).alpha)
	}
	for area := range t.areasOf("") {
		own, label := t.own.Geography.Codes[area], t.dataset.Geography.Codes[area].Label
		hasName := slices.ContainsFunc(countries, func(alpha string) bool { return geo.IsName(alpha, own.Label) })
		if hasName && own.ID != own.Label && !strings.Contains(own.Label, own.ID) {
			t.names.areas[area] = label + " [" + own.ID + "]"
		}
	}
}

// nameCompositions tells groups from the same ones with other members in the dataset, drawn or not: "EU-27 (2020)" beside "EU-28". So
// an area has one name in all pictures of a dataset. Labels of the office that say so stay.
func (t *selection) nameCompositions() {
	all := t.own.Geography.Codes
	names := geo.NamesBeside(func(yield func(string) bool) {
		for i := range all {
			if !yield(all[i].Area) {
				return
			}
		}
	})
	for area := range t.names.areas {
		own := all[area]
		short, _ := geo.ShortName(own.Area)
		if name := names[own.Area]; name != "" && (own.Label == short || geo.NameInUse(own.Area, own.Label) == short) {
			t.names.areas[area] = t.language.Text(name)
		}
	}
}

// county matches the outlines of counties of the United States.
var county = lazyregexp.New(`^US:\d{5}$`)

// kindOfAreas returns what the areas are, if many of them have the names of states and cities.
func (t *selection) kindOfAreas() string {
	n := 0
	for _, s := range t.series {
		switch {
		case t.isApart(s.area):
		case !county.MatchString(atlas.OutlineID(t.dataset.Geography.Codes[s.area].Area)):
			return ""
		default:
			n++
		}
	}
	if n < minParts {
		return ""
	}
	return "county"
}
