package hits

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"almanac/internal/geo"
	"almanac/internal/lazyregexp"
	"almanac/internal/search"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// place is an area that a question asks for.
type place struct {
	Area
	ids    []string // by which lists and offices have it, see [search.AreasNamed]
	cities []string // its names as in [geo.CityNames]
	texts  []string // as the question and the filters have it
}

// placesOf returns the areas of a page, with the names by which the question or a filter has them.
func placesOf(areas []Area, q *search.Query, found *search.Result) (list []place) {
	for _, a := range areas[:min(len(areas), maxCovered)] {
		name := found.AreaNames[a.Code]
		p := place{a, search.AreasNamed(a.Code, cmp.Or(name, a.Code)), search.OwnNames(a.Code, name), []string{name}}
		for _, text := range q.Area {
			if slices.Contains(areaIDs([]string{text}), a.Code) {
				p.cities, p.texts = append(p.cities, geo.CityNames(text)...), append(p.texts, text)
			}
		}
		list = append(list, p)
	}
	return list
}

// regionWords match what official names of regions have besides the name that they share with a city.
var regionWords = lazyregexp.New(`(?i)\b(län|autonomous community|comunidad|comunitat|región|region|regione|provincia|province|provincie|canton|kanton|county|fylke|maakunta|maakond|województwo|voivodeship|kraj|oblast|prefecture|department|landkreis|kreis)\b`)

// readAs returns notices on the names of cities that were read as regions: Helsinki as Uusimaa, and Stockholm as the
// county of the same name. There is none if all values of the page are of a city, which they name.
func (page *Page) readAs(q *search.Query, found *search.Result) (list []Notice) {
	add := func(parameter, text string, a Area) {
		hasValue, hasRegion := false, false
		for _, h := range page.Data {
			hasValue = hasValue || h.Latest != nil
			hasRegion = hasRegion || h.Latest != nil && slices.Contains(search.AreasNamed(a.Code, ""), h.Latest.Area.Code)
		}
		if hasValue && !hasRegion {
			return
		}
		if region, ok := regionOfCity(text, a); ok {
			message := fmt.Sprintf("%q is read as the region %s [%s], except in datasets that have a place of this name itself; the values of the region are not those of a city", text, region, a.Code)
			list = append(list, Notice{parameter, text, message, []string{}})
		}
	}
	for _, a := range page.Areas {
		add("q", found.AreaNames[a.Code], a)
		for _, text := range q.Area {
			if slices.Contains(areaIDs([]string{text}), a.Code) {
				add("area", text, a)
			}
		}
	}
	return list
}

// regionOfCity returns the name of the region that a text was read as. ok is false if it is only the name of the region, or
// the region is the city.
func regionOfCity(text string, a Area) (region string, ok bool) {
	if text == "" || !geo.IsRegion(a.Code) || geo.CityNames(text) == nil || regionWords.MatchString(text) {
		return "", false
	}
	names := []string{a.Name}
	for _, id := range append([]string{a.Code}, geo.SameRegions(a.Code)...) {
		if e, ok := geo.FindEntry(id); ok {
			names = append(names, e.Name)
		}
	}
	for _, name := range names {
		if _, isCity := geo.CityOfLabel(name); isCity {
			return "", false
		}
		if regionWords.MatchString(name) {
			return name, true
		}
	}
	return a.Name, isProvinceOfCity(a.Code) || !geo.IsMainName(a.Code, text) && !strings.EqualFold(a.Name, text)
}

// cityRegions are regions of the first levels that bear the name of a city which is a part of them: cantons, provinces, counties, states.
var cityRegions = strings.Fields(`AR-B AR-X AT-5 BE-VAN BE-WLG BE-WNA CH-BE CH-FR CH-GE CH-GL CH-LU CH-NE CH-SG CH-SH CH-SO CH-SZ CH-ZG CH-ZH
	IE-CO IE-D IE-G IE-KK IE-LK IE-SO IE-WD IE-WX JP-26 JP-27 JP-33 JP-34 JP-40 JP-42 NL-GR NL-UT
	PT-01 PT-02 PT-03 PT-04 PT-05 PT-06 PT-07 PT-08 PT-09 PT-10 PT-11 PT-12 PT-13 PT-14 PT-15 PT-16 PT-17 PT-18 US-NY US-WA`)

// isProvinceOfCity reports whether a region is one of those that bear the name of their capital: the provinces of Italy and Spain.
func isProvinceOfCity(id string) bool {
	e, ok := geo.FindEntry(id)
	return slices.Contains(cityRegions, id) || ok && (strings.HasPrefix(id, "IT-") || strings.HasPrefix(id, "ES-")) && strings.Contains(e.Above, "-")
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

// labelled returns the areas of a dataset that a place is by their codes, if the text is the label of one of them: Bremen is the
// Land and not "Bremen, Kreisfreie Stadt".
func (p *place) labelled(d *stat.Dataset) []int32 {
	found := positions(d, p.ids)
	isLabel := func(i int32) bool {
		return slices.ContainsFunc(p.texts, func(text string) bool {
			return text != "" && search.LabelKey(text) == search.LabelKey(cmp.Or(d.Geography.Codes[i].SourceLabel, d.Geography.Codes[i].Label))
		})
	}
	if !slices.ContainsFunc(found, isLabel) {
		return nil
	}
	return found
}

// placesIn returns the areas of a dataset that a question asks for: by their label, by a name that is that of one area of the
// dataset alone, else by the code. Those that are values of another dimension are chosen in the series; isBeside says that there are any.
func (q *question) placesIn(v *store.Vintage, s *series) (areas []int32, isBeside bool) {
	for _, p := range q.narrowest() {
		found := p.labelled(v.Dataset)
		if found == nil {
			found = citiesNamed(v, p.cities)
		}
		if county, ok := p.county(v); len(found) != 1 && ok {
			found = []int32{county}
			s.addReadAs(readAsCode(p.texts[0], &v.Dataset.Geography.Codes[county]))
		} else if len(found) == 1 && p.isCity() && !slices.Contains(positions(v.Dataset, p.ids), found[0]) {
			s.addReadAs(readAsCity(p.texts[0], &v.Dataset.Geography.Codes[found[0]]))
		} else if len(found) != 1 {
			found = positions(v.Dataset, p.ids)
		}
		if len(found) > 1 && geo.Editions(p.Code) != nil {
			found = mostRecent(v, s, found)
		}
		if areas = append(areas, found...); found != nil {
			if text := p.readAsArea(v, found); text != "" {
				s.addReadAs(text)
			}
			continue
		}
		if namesake, readAs := p.namesake(v); readAs != "" {
			areas = append(areas, namesake)
			s.addReadAs(readAs)
			continue
		}
		beside := v.Memo(besideKey{}, func() any { return search.Beside(v.Dataset) }).(map[string][2]int)
		for _, id := range p.ids {
			if at, ok := beside[id]; ok {
				s.key[at[0]], s.named[at[0]], s.concept, isBeside = int32(at[1]), true, "", true
				break
			}
		}
	}
	return areas, isBeside
}

// namesake returns the only area of a dataset that is a region with the name of the place: the state of Georgia, in a dataset that has no
// countries. readAs says which; it is empty if there is none, or several, or if a filter names the place.
func (p *place) namesake(v *store.Vintage) (area int32, readAs string) {
	text := p.texts[0]
	if text == "" || len(p.texts) > 1 {
		return 0, ""
	}
	n := 0
	for _, e := range geo.Namesakes(text, p.Code) {
		if e.Kind != geo.Region {
			continue // one Korea is not the other
		}
		for _, area = range positions(v.Dataset, search.SameAreas(e.Key)) {
			readAs = fmt.Sprintf("%q is read as %s [%s], as the dataset has no other place of this name", text, e.FullName(), e.Key)
			n++
		}
	}
	if n != 1 {
		return 0, ""
	}
	return area, readAs
}

// nameOf returns the name of the area of a value: with its country if it is another place with the name of one that the question asks for.
func (q *question) nameOf(a Area) string {
	isAsked := func(p place) bool {
		return slices.ContainsFunc(p.ids, func(id string) bool { return strings.EqualFold(id, a.Code) })
	}
	if slices.ContainsFunc(q.areas, isAsked) {
		return a.Name
	}
	for _, p := range q.areas {
		for _, e := range geo.Namesakes(p.texts[0], p.Code) {
			if slices.Contains(search.SameAreas(e.Key), a.Code) {
				return e.FullName()
			}
		}
	}
	return a.Name
}

// isCity reports whether the question has the place by the name of a city that is read as its region.
func (p *place) isCity() bool {
	_, isCity := regionOfCity(p.texts[0], p.Area)
	return isCity
}

// readAsCity says which area of a dataset the name of a city stands for.
func readAsCity(text string, c *stat.Code) string {
	return fmt.Sprintf("%q is read as %s [%s]", text, cmp.Or(c.Label, c.SourceLabel), cmp.Or(c.Area, c.ID))
}

// countyWords are the words that official names of counties in the United States have behind that of a city.
var countyWords = []string{"county", "parish", "borough"}

// county returns the county of a dataset with the name of a city that is read as its state: San Francisco County, and not California.
// ok is false if there is not just one.
func (p *place) county(v *store.Vintage) (area int32, ok bool) {
	text := p.texts[0]
	if _, isCity := regionOfCity(text, p.Area); !isCity || geo.IsMainName(p.Code, text) {
		return 0, false
	}
	var found []int32
	for _, word := range countyWords {
		for _, at := range labelsOf(v)[search.LabelKey(text+" "+word)] {
			if at.axis == len(v.Dataset.Dimensions) && geo.WholeOf(p.Code).Has(v.Dataset.Source.ID, v.Dataset.Geography.Codes[at.code].Area) {
				found = append(found, at.code)
			}
		}
	}
	if len(found) != 1 {
		return 0, false
	}
	return found[0], true
}

// mostRecent returns the composition of a group that a series has, of several the one that [store.Vintage.MostRecent] chooses.
func mostRecent(v *store.Vintage, s *series, found []int32) []int32 {
	sel := make([][]int32, len(s.key))
	for axis, code := range s.key {
		sel[axis] = []int32{code}
	}
	if chosen, err := v.MostRecent(sel, found); err == nil {
		return []int32{chosen}
	}
	return found[:1] // reading the values has the error
}
