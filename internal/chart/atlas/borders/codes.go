package borders

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/chart/atlas"
	"almanac/internal/chart/atlas/topology"
	"almanac/internal/geo"
)

// property returns the property of a layer that holds the codes of its areas.
func (f *file) property(l *topology.Layer) (string, error) {
	if f.Code != "" {
		for _, feature := range l.Features {
			if feature.Properties[f.Code] == "" && !(f.Code == "id" && feature.Properties[topology.IDKey] != "") {
				return "", fmt.Errorf("feature %d has no property %q, which %s states as that of the code", feature.Number, f.Code, statements)
			}
		}
		if l.Features[0].Properties[f.Code] == "" {
			return topology.IDKey, nil
		}
		return f.Code, nil
	}
	values := valuesOf(l)
	known := map[string]int{}
	for property, of := range values {
		for value := range of {
			if isKnown(value) {
				known[property]++
			}
		}
	}
	properties := slices.SortedFunc(maps.Keys(values), func(a, b string) int {
		return cmp.Or(cmp.Compare(known[b], known[a]), cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b))
	})
	if len(properties) > 0 {
		if best := properties[0]; 2*known[best] >= max(len(values[best]), len(l.Features)/2) && known[best] > 1 {
			return best, nil
		}
	}
	own := slices.DeleteFunc(properties, func(p string) bool { return !areOwnCodes(values[p], len(l.Features)) })
	switch {
	case len(own) == 1 || len(own) > 1 && rank(own[0]) < rank(own[1]):
		return own[0], nil
	case len(own) > 1:
		return "", fmt.Errorf("the codes may be in the properties %s; state one in %s", strings.Join(own, ", "), statements)
	}
	return "", fmt.Errorf("no property holds codes of areas; the properties are %s; state one in %s", strings.Join(slices.Sorted(maps.Keys(values)), ", "), statements)
}

// valuesOf returns the different values of each property.
func valuesOf(l *topology.Layer) map[string]map[string]bool {
	values := map[string]map[string]bool{}
	for _, feature := range l.Features {
		for property, value := range feature.Properties {
			if values[property] == nil {
				values[property] = map[string]bool{}
			}
			if value != "" {
				values[property][value] = true
			}
		}
	}
	return values
}

// isKnown reports whether a text is the code of a country or region that package geo knows.
// Of numbers, only those of three digits are known: UN M49.
func isKnown(text string) bool {
	if text != strings.ToUpper(text) || strings.ContainsRune(text, ' ') || isDigits(text) && len(text) != 3 {
		return false
	}
	a, ok := geo.Find(text)
	return ok && (a.Kind == geo.Country || a.Kind == geo.Region)
}

var (
	codeName = regexp.MustCompile(`(?i)(^|_)(nuts_?id|code?|id|key|iso_3166_2|geoid|fips|ags|lau_?id|insee|istat)$`)
	codeForm = regexp.MustCompile(`^[0-9A-Z][0-9A-Z._-]*$`)
)

// rank returns a lower number for properties with a name that suits codes. The id of a
// feature comes after them, because programs number features.
func rank(property string) int {
	switch {
	case codeName.MatchString(property):
		return 0
	case property == topology.IDKey:
		return 1
	}
	return 2
}

// areOwnCodes reports whether values look like codes of an office: each of one feature, of
// one length, in capitals and digits.
func areOwnCodes(values map[string]bool, features int) bool {
	length := 0
	for value := range values {
		if length == 0 {
			length = len(value)
		}
		if len(value) != length || len(value) < 2 || !codeForm.MatchString(value) {
			return false
		}
	}
	return len(values) > 1 && len(values) == features
}

// codes converts the codes of a layer to the IDs of outlines.
type codes struct {
	country  string // whose office's codes they are; empty: unknown
	byLength bool   // the areas of each length are a level, as in NUTS
}

func (f *file) codesOf(l *topology.Layer, property string) codes {
	c := codes{country: cmp.Or(f.Country, countryOf(l)), byLength: true}
	for _, feature := range l.Features {
		if code := feature.Properties[property]; code != "" && (!isKnown(code) || strings.Contains(code, "-")) {
			c.byLength = false
		}
	}
	return c
}

// level returns a number that the areas of one level have in common.
func (c *codes) level(code string) int {
	if c.byLength {
		return len(code)
	}
	return 0
}

// id returns the ID of an outline, as [atlas.OutlineID] returns it.
func (c *codes) id(code string) string {
	if isDigits(code) && c.country != "" {
		return c.country + ":" + code
	}
	return strings.ToUpper(code)
}

// countryOf returns the country in which most features lie, empty if they lie in several.
func countryOf(l *topology.Layer) string {
	const samples = 40
	count, n := map[string]int{}, 0
	for i := 0; i < len(l.Features); i += max(len(l.Features)/samples, 1) {
		ring := l.Features[i].Polygons[0][0]
		if len(ring) == 0 {
			continue
		}
		count[atlas.CountryAt(ring[len(ring)/2])]++
		n++
	}
	for country, of := range count {
		if country != "" && 2*of > n {
			return country
		}
	}
	return ""
}

func isDigits(text string) bool { return strings.Trim(text, "0123456789") == "" && text != "" }
