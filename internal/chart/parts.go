package chart

import (
	"maps"
	"math"
	"slices"
	"strings"

	"almanac/internal/chart/caption"
	"almanac/internal/defaults"
	"almanac/internal/geo"
)

// minParts is the number of known subdivisions from which areas are those of a country, and
// not countries of which few have parts.
const minParts = 5

// mostParts returns the subdivisions of the country that has most of them, and the country
// if it is one of the areas.
func (t *selection) mostParts() (whole *int32, parts map[int32]bool) {
	byCountry := map[string]map[int32]bool{}
	most := ""
	for area := range t.areasOf(geo.Region) {
		country, _, ok := strings.Cut(t.dataset.Geography.Codes[area].Area, "-")
		if !ok {
			continue
		}
		if byCountry[country] == nil {
			byCountry[country] = map[int32]bool{}
		}
		byCountry[country][area] = true
		if n := len(byCountry[country]); n > len(byCountry[most]) || n == len(byCountry[most]) && country < most {
			most = country
		}
	}
	for area := range t.areasOf(geo.Country) {
		if t.factsOf(area).alpha == most {
			whole = &area
		}
	}
	return whole, byCountry[most]
}

// addUnknown adds to the known subdivisions of a country those of unknown kind that are taken for others of them.
func (t *selection) addUnknown(parts areaSet) {
	labelled := func(areas areaSet) (order []int32, list []geo.Labelled) {
		for _, area := range slices.Sorted(maps.Keys(areas)) {
			code := &t.own.Geography.Codes[area]
			order, list = append(order, area), append(list, geo.Labelled{Code: code.Area, Label: code.Label})
		}
		return order, list
	}
	_, known := labelled(parts)
	order, unknown := labelled(t.areasOf(""))
	for _, at := range geo.MoreParts(known, unknown) {
		parts[order[at]] = true
	}
}

// isUnknown reports whether an area has only a name, which is not known, and no code of a country,
// region or office.
func (t *selection) isUnknown(area int32) bool {
	id := t.dataset.Geography.Codes[area].Area
	_, isKnown := geo.Find(id)
	return !isKnown && !strings.Contains(id, ":")
}

// keepOneKind leaves out areas of other kinds than most, if an office's codes say which kind an
// area is: municipalities, court districts and employment areas of a country overlap. So do
// provinces and groups of them.
func (t *selection) keepOneKind(o *Options) {
	country := t.factsOf(*t.whole).alpha
	t.kinds += t.remove(o, func(area int32) bool {
		return t.kind(area) == "" && geo.IsSeveralParts(country, t.own.Geography.Codes[area].Label)
	})
	kinds, count := map[int32]string{}, map[string]int{}
	for area := range t.areasOf("") {
		if kind := geo.KindOfCode(t.dataset.Geography.Codes[area].ID); kind != "" {
			kinds[area] = kind
			count[kind]++
		}
	}
	most := ""
	for kind, n := range count {
		if n > count[most] || n == count[most] && kind < most {
			most = kind
		}
	}
	if len(count) < 2 || count[most] < minParts || 10*len(kinds) < 9*len(t.areasOf("")) {
		return
	}
	t.kinds += t.remove(o, func(area int32) bool { return t.kind(area) != geo.Country && kinds[area] != most })
}

// wholeByCode returns the area whose code says that all others are its parts, or nil: 36000 is the
// state of the counties 36001 to 36123.
func (t *selection) wholeByCode() *int32 {
	id := func(s *dataSeries) string { return t.dataset.Geography.Codes[s.area].ID }
	isPart := func(s, whole *dataSeries) bool {
		stem := stemOf(id(whole))
		return s.area == whole.area || stem != id(whole) && stem != "" && len(id(s)) == len(id(whole)) && strings.HasPrefix(id(s), stem)
	}
	for _, whole := range t.series {
		if t.kind(whole.area) != geo.Region || len(t.series) <= minParts {
			continue
		}
		if !slices.ContainsFunc(t.series, func(s *dataSeries) bool { return !isPart(s, whole) }) {
			return &whole.area
		}
	}
	return nil
}

// wholeByName returns the only area that is a total by its label or code, as that of municipalities of which the
// file has some; nil if there is none or others are called so.
func (t *selection) wholeByName() (whole *int32) {
	for _, s := range t.series {
		code := t.own.Geography.Codes[s.area]
		switch isTotal := caption.IsFiller(code.Label) || defaults.IsTotal(code); {
		case !isTotal:
		case whole != nil && *whole != s.area:
			return nil
		default:
			whole = &s.area
		}
	}
	if len(t.series) < 3 {
		return nil
	}
	return whole
}

// stemOf returns a code without the zeros at its end, which stand in place of the numbers of parts.
// The larger area itself has two characters, or one if the code is short: 10000 is the state 10,
// and 12001 is not one of its counties.
func stemOf(code string) string {
	const ofPart = 3 // the shortest numbers of parts, of codes with two characters for the larger area
	shortest := max(min(2, len(code)-ofPart), 0)
	return code[:max(len(strings.TrimRight(code, "0")), shortest)]
}

// sumTolerance is the part of a total by which the sum of its parts may differ.
const sumTolerance = .005

// sumOfAll returns the area whose last values are the sum of all others', or nil. It is the
// total of a table of parts of an area, whatever it is called.
func (t *selection) sumOfAll() *int32 {
	if len(t.distinctAxes) > 0 || len(t.series) < 4 {
		return nil
	}
	last := func(s *dataSeries) float64 { return s.values[len(s.values)-1] }
	largest, sum := t.series[0], 0.0
	for _, s := range t.series {
		if last(s) < 0 || s.periods[len(s.periods)-1] != largest.periods[len(largest.periods)-1] {
			return nil
		}
		if sum += last(s); last(s) > last(largest) {
			largest = s
		}
	}
	if total := last(largest); math.Abs(sum-2*total) <= sumTolerance*total {
		return &largest.area
	}
	return nil
}
