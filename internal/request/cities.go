package request

import (
	"fmt"
	"slices"
	"strings"

	"almanac/internal/geo"
	"almanac/internal/stat"
	"almanac/internal/store"
)

type citiesKey struct{}

// citiesOf returns the positions of the areas whose labels are those of cities, by the name of the
// city.
func citiesOf(v *store.Vintage) map[string][]int32 {
	return v.Memo(citiesKey{}, func() any {
		at := map[string][]int32{}
		for i, c := range v.Dataset.Geography.Codes {
			if name, ok := geo.CityOfLabel(c.Label); ok {
				at[name] = append(at[name], int32(i))
			}
		}
		return at
	}).(map[string][]int32)
}

// cityPositions returns the areas whose labels say that they are the city of a name, in any language:
// "Łódź (1)", "Miasto Warszawa".
func cityPositions(v *store.Vintage, text string) []int32 {
	cities := citiesOf(v)
	if len(cities) == 0 {
		return nil
	}
	var found []int32
	for _, name := range geo.CityNames(text) {
		for _, pos := range cities[name] {
			if !slices.Contains(found, pos) {
				found = append(found, pos)
			}
		}
	}
	return found
}

// namedPositions returns the positions of an area by a name: the city of the dataset that has the
// name, else what [areaPositions] finds. Notices say what the name is read as if that is not its
// usual meaning, and which other places have the name. If several cities have it, none is selected and the notice names them.
func namedPositions(v *store.Vintage, text string) (found []int32, lost []Notice, ok bool) {
	areas, cities := areaPositions(v, text), cityPositions(v, text)
	others := slices.DeleteFunc(slices.Clone(areas), func(pos int32) bool { return slices.Contains(cities, pos) })
	switch {
	case len(cities) > 1:
		n := NewNotice("country", text, fmt.Sprintf("%.*q may mean %s; give one of these labels or codes", maxNamedLength, text, strings.Join(areaTexts(v, cities), ", ")))
		for _, pos := range cities[:min(maxSuggested, len(cities))] {
			n.Nearest = append(n.Nearest, v.Dataset.Geography.Codes[pos].Label)
		}
		return nil, []Notice{n}, true
	case len(cities) == 1 && len(others) > 0:
		return cities, readAs(v, text, cities, ", not as "+strings.Join(areaTexts(v, others), ", ")), true
	case len(cities) == 1:
		return cities, readAs(v, text, cities, ""), true
	case len(areas) == 0:
		return nil, nil, false
	}
	if named := namesakes(v, "country", text); named != nil {
		return areas, named, true
	}
	if isOtherName(v, text, areas) {
		return areas, readAs(v, text, areas, "; no area of the dataset has this name itself"), true
	}
	return areas, nil, true
}

// isOtherName reports whether a text is neither the label nor the main name in any language of the
// regions that it was read as: it may be the name of a city in it.
func isOtherName(v *store.Vintage, text string, areas []int32) bool {
	if geo.CityNames(text) == nil {
		return false
	}
	return !slices.ContainsFunc(areas, func(pos int32) bool {
		c := &v.Dataset.Geography.Codes[pos]
		return geo.IsMainName(c.Area, text) || strings.EqualFold(c.Label, text) || !geo.IsRegion(c.Area)
	})
}

type hasRegionsKey struct{}

// hasRegions reports whether a dataset has parts of countries.
func hasRegions(v *store.Vintage) bool {
	return v.Memo(hasRegionsKey{}, func() any {
		return slices.ContainsFunc(v.Dataset.Geography.Codes, func(c stat.Code) bool { return geo.IsRegion(c.Area) })
	}).(bool)
}

type regionsKey struct{}

// regionNotice returns a notice if a text is the label of a region and also the name of a city in it. The label
// counts, as everywhere, and nobody would see by it that the number is that of the region.
func regionNotice(v *store.Vintage, text string, pos int32) []Notice {
	c := &v.Dataset.Geography.Codes[pos]
	if c.Label != text || !geo.IsRegion(c.Area) {
		return nil
	}
	rest := v.Memo(regionsKey{}, func() any { return regionsNamedAsCities(v) }).(map[int32]string)[pos]
	if rest == "" {
		return nil
	}
	return []Notice{NewNotice("country", text, fmt.Sprintf("%.*q is the region %s; %s", maxNamedLength, text, codeText(c), rest))}
}

// regionsNamedAsCities says of the regions whose labels are names of cities what the dataset has of the city.
func regionsNamedAsCities(v *store.Vintage) map[int32]string {
	texts := map[int32]string{}
	for i, c := range v.Dataset.Geography.Codes {
		if !geo.IsRegion(c.Area) {
			continue
		}
		pos := int32(i)
		cities, entries := cityPositions(v, c.Label), geo.Cities(c.Label)
		for _, e := range entries {
			cities = append(cities, areaPositions(v, e.ID)...)
		}
		slices.Sort(cities)
		switch cities = slices.Compact(cities); {
		case slices.Contains(cities, pos):
		case len(cities) > 0:
			texts[pos] = "the city is " + strings.Join(areaTexts(v, cities), " or ")
		case len(entries) > 0:
			texts[pos] = "the dataset does not have the city by itself"
		}
	}
	return texts
}

func readAs(v *store.Vintage, text string, areas []int32, rest string) []Notice {
	return []Notice{NewNotice("country", text, fmt.Sprintf("%.*q is read as %s%s", maxNamedLength, text, strings.Join(areaTexts(v, areas), ", "), rest))}
}

// areaTexts returns the labels of areas with their codes, at most [maxSuggested] of them.
func areaTexts(v *store.Vintage, areas []int32) []string {
	texts := make([]string, 0, len(areas))
	for _, pos := range areas {
		if len(texts) == maxSuggested {
			return append(texts, "others")
		}
		texts = append(texts, codeText(&v.Dataset.Geography.Codes[pos]))
	}
	return texts
}

// codeText returns the label of a code, and the code if the label does not end with it.
func codeText(c *stat.Code) string {
	code := "[" + c.ID + "]"
	if c.Label == c.ID || strings.HasSuffix(c.Label, code) {
		return c.Label
	}
	return c.Label + " " + code
}
