package hits

import (
	"slices"

	"almanac/internal/geo"
	"almanac/internal/search"
	"almanac/internal/store"
)

// place is an area that a question asks for.
type place struct {
	Area
	cities []string // its names as in [geo.CityNames]
}

// placesOf returns the areas of a page, with the names by which the question or a filter has them.
func placesOf(areas []Area, q *search.Query, found *search.Result) (list []place) {
	for _, a := range areas[:min(len(areas), maxCovered)] {
		p := place{a, geo.CityNames(found.AreaNames[a.Code])}
		for _, text := range q.Area {
			if slices.Contains(areaIDs([]string{text}), a.Code) {
				p.cities = append(p.cities, geo.CityNames(text)...)
			}
		}
		list = append(list, p)
	}
	return list
}

type citiesKey struct{}

// citiesNamed returns the areas of a dataset that are known by their labels only and have one of the names.
func citiesNamed(v *store.Vintage, names []string) (list []int32) {
	cities := v.Memo(citiesKey{}, func() any {
		at := map[string][]int32{}
		for i := range v.Dataset.Geography.Codes {
			if name, ok := search.CityOf(&v.Dataset.Geography.Codes[i]); ok {
				at[name] = append(at[name], int32(i))
			}
		}
		return at
	}).(map[string][]int32)
	for _, name := range names {
		for _, i := range cities[name] {
			if name != "" && !slices.Contains(list, i) {
				list = append(list, i)
			}
		}
	}
	return list
}

type besideKey struct{}

// placesIn returns the areas of a dataset that a question asks for: by a name that is that of one area of the dataset
// alone, else by the code. Those that are values of another dimension are chosen in the series; isBeside says that there are any.
func (q *question) placesIn(v *store.Vintage, s *series) (areas []int32, isBeside bool) {
	for _, p := range q.areas {
		found := citiesNamed(v, p.cities)
		if len(found) != 1 {
			found = positions(v.Dataset, []Area{p.Area})
		}
		if areas = append(areas, found...); found != nil {
			continue
		}
		beside := v.Memo(besideKey{}, func() any { return search.Beside(v.Dataset) }).(map[string][2]int)
		for _, id := range search.SameAreas(p.Code) {
			if at, ok := beside[id]; ok {
				s.key[at[0]], s.named[at[0]], s.concept, isBeside = int32(at[1]), true, "", true
				break
			}
		}
	}
	return areas, isBeside
}
