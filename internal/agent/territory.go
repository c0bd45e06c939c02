package agent

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"almanac/internal/geo"
)

// Places of levels in the order of their areas, the coarsest first. Those of NUTS are the numbers 1 to 3.
const (
	countryLevel     = "0"
	nutsLevel        = "1 " // with its number
	subdivisionLevel = "2"
	officeLevel      = "3 " // with the letters by which an office's codes tell kinds of areas
	regionLevel      = "4"  // an office's own regions
	unknownLevel     = "5"  // areas of which nothing is known
)

// id returns the area as it is in available_geo.
func (v *codeLabel) id() string { return cmp.Or(v.ISO, v.Code) }

// isOwn reports whether the area is known by a text or code of the source alone, such as local:ES.
func (v *codeLabel) isOwn() bool { return strings.Contains(v.id(), ":") }

// levelsOf sorts areas of a source by their level, the coarsest first. A level is what is declared: countries,
// subdivisions of ISO 3166-2, a level of NUTS, or the kind that the letters of an office's codes tell. All other areas are of
// one level, whatever their codes look like. Groups and totals have none and are apart.
func levelsOf(source string, areas []codeLabel) (levels []level, apart []codeLabel) {
	byKey := map[string][]codeLabel{}
	known := map[string]bool{}
	for _, v := range areas {
		known[v.id()] = true
	}
	for _, v := range areas {
		key := levelKey(source, v)
		if key == unknownLevel && namesCountry(v.Label, known) {
			key = countryLevel
		}
		if key == "" {
			apart = append(apart, v)
			continue
		}
		byKey[key] = append(byKey[key], v)
	}
	moveTerritories(byKey)
	mergeUnknown(byKey)
	splitByLetters(byKey)
	next := 1
	for _, key := range slices.Sorted(maps.Keys(byKey)) {
		l := level{number: next, areas: byKey[key], isNUTS: strings.HasPrefix(key, nutsLevel), isISO: key == subdivisionLevel}
		switch {
		case key == countryLevel:
			l.number = 0
		case l.isNUTS:
			l.number = int(key[len(nutsLevel)] - '0')
		}
		next = max(next, l.number+1)
		levels = append(levels, l)
	}
	return levels, apart
}

// levelKey returns the key of the level of an area, empty for groups and totals.
func levelKey(source string, v codeLabel) string {
	id := v.id()
	if geo.IsAggregate(source, v.Code, id, v.Label) {
		return ""
	}
	switch geo.KindOf(source, v.Code, id, v.Label) {
	case geo.Country, geo.Former, geo.Group: // the Channel Islands are a group of two
		return countryLevel
	case geo.Other:
		return ""
	case "":
		if !geo.IsNUTS(id) {
			return unknownLevel
		}
	}
	if _, ok := geo.FindSubdivision(id); ok {
		return subdivisionLevel
	}
	if isNUTS(source, id) {
		return fmt.Sprint(nutsLevel, len(id)-2)
	}
	return regionLevel
}

// isNUTS reports whether an area of a source is a region of NUTS. Of a national office, it must be one of its country:
// SK011 of Finland is a sub-region.
func isNUTS(source, id string) bool {
	home, _ := geo.HomeOf(source)
	country := map[string]string{"GR": "EL", "GB": "UK"}[home.Alpha2]
	return geo.IsNUTS(id) && (home.Alpha2 == "" || id[:2] == cmp.Or(country, home.Alpha2))
}

// namesCountry reports whether a label is the name of a country that no other area is.
func namesCountry(label string, known map[string]bool) bool {
	found := geo.Lookup(label)
	return len(found) > 0 && found[0].Kind == geo.Country && !known[found[0].Alpha2] && geo.IsWrittenName(found[0].Alpha2, label)
}

// moveTerritories adds the territories of a country to its subdivisions in a table of these: Puerto Rico to the states. The
// country is their whole.
func moveTerritories(byKey map[string][]codeLabel) {
	countries, parts := byKey[countryLevel], byKey[subdivisionLevel]
	if len(parts) == 0 {
		return
	}
	home, _, _ := strings.Cut(parts[0].id(), "-")
	isElsewhere := func(v codeLabel) bool { return v.id() != home && !geo.IsTerritory(v.id(), home) }
	isOther := func(v codeLabel) bool { return !strings.HasPrefix(v.id(), home+"-") }
	if slices.ContainsFunc(countries, isElsewhere) || slices.ContainsFunc(parts, isOther) {
		return
	}
	delete(byKey, countryLevel)
	for _, v := range countries {
		key := countryLevel
		if v.id() != home {
			key = subdivisionLevel
		}
		byKey[key] = append(byKey[key], v)
	}
}

// mergeUnknown adds areas of unknown kind to the few countries of a table without their parts, and to the subdivisions of a
// country those that may be others of it, if they are few.
func mergeUnknown(byKey map[string][]codeLabel) {
	countries, parts, unknown := byKey[countryLevel], byKey[subdivisionLevel], byKey[unknownLevel]
	switch {
	case len(unknown) == 0:
	case len(parts) == 0 && len(countries) > 1 && !geo.AreUnknownGroups(len(countries)):
		byKey[countryLevel] = append(countries, unknown...)
		delete(byKey, unknownLevel)
	case len(parts) > 0:
		more := geo.MoreParts(labelled(parts), labelled(unknown))
		var others []codeLabel
		for i, v := range unknown {
			if slices.Contains(more, i) {
				byKey[subdivisionLevel] = append(byKey[subdivisionLevel], v)
			} else {
				others = append(others, v)
			}
		}
		if byKey[unknownLevel] = others; len(others) == 0 {
			delete(byKey, unknownLevel)
		}
	}
}

func labelled(areas []codeLabel) (list []geo.Labelled) {
	for _, v := range areas {
		list = append(list, geo.Labelled{Code: v.id(), Label: v.Label})
	}
	return list
}

// splitByLetters splits an office's own regions by the kinds of areas that an office's codes tell, if nearly all do.
func splitByLetters(byKey map[string][]codeLabel) {
	regions := byKey[regionLevel]
	split, told := map[string][]codeLabel{}, 0
	for _, v := range regions {
		kind := geo.KindOfCode(v.Code)
		if kind != "" {
			told++
		}
		split[kind] = append(split[kind], v)
	}
	if len(split) < 2 || 10*told < 9*len(regions) {
		return
	}
	delete(byKey, regionLevel)
	for kind, areas := range split {
		key := officeLevel + kind
		if kind == "" {
			key = regionLevel
		}
		byKey[key] = areas
	}
}

// noteApart notes the groups and totals that a ranking leaves out.
func (f *fetched) noteApart(apart []codeLabel) {
	if len(apart) == 0 {
		return
	}
	var names []string
	for _, v := range apart[:min(len(apart), examples)] {
		names = append(names, withCode(v.Label, v.Code))
	}
	f.lacking = append(f.lacking, fmt.Sprintf("%d groups and totals are left out of the ranking, such as %s", len(apart), strings.Join(names, ", ")))
}
