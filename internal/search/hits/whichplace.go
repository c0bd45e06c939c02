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

var (
	worldWords  = lazyregexp.New(`(?i)\b(world|worldwide|global|globally|welt|weltweit|weltweite|monde|mondiale?|mundo|mundial|mondo)\b|\b(earth|erde|la terre|la tierra|sulla terra)$`)
	otherWorlds = lazyregexp.New(`(?i)\b(world bank|world (population|economic) \pL+|rest of the world|rest der welt|reste du monde|resto del mundo|resto del mondo)\b`)
)

// unclearName says which countries a name in a question may mean, if it is also that of a country with more people than the
// one that it was read as: "Congo". It is empty if there is no such name, or a filter says which country is meant.
func unclearName(q *search.Query, found *search.Result) string {
	for _, u := range found.Unclear {
		return whyUnclear(u)
	}
	for _, id := range found.Areas {
		text := found.AreaNames[id]
		meant, ok := geo.FindEntry(id)
		if !ok || len(q.Area) > 0 || isInAreas(meant, found.Areas) {
			continue
		}
		for _, e := range geo.Namesakes(text, id) {
			if e.Kind == geo.Country && geo.Population(e.ID) > geo.Population(id) {
				return fmt.Sprintf("%q may mean %s [%s] or %s [%s]; ask for one of them by its full name, or by its code as the area", text, meant.Name, id, e.Name, e.ID)
			}
		}
	}
	return ""
}

// isInAreas reports whether a place is a region of one of some countries: Luxembourg, if the question also names Belgium.
func isInAreas(e *geo.Entry, countries []string) bool {
	country := e.Country()
	return e.Kind == geo.Region && country != nil && slices.Contains(countries, country.ID)
}

// capitalsElsewhere are the capitals that bear the name of a region of which they are no part, by that region.
var capitalsElsewhere = map[string]string{"US-WA": "US-DC", "AR-B": "AR-C"}

// namesakes returns notices on the names of places that are also those of other countries and regions: Virgin Islands, Georgia.
// Those of regions that [search.Result] has as unclear have a notice of their own.
func namesakes(areas []Area, q *search.Query, found *search.Result) (list []Notice) {
	add := func(parameter, text string, a Area) {
		isUnclear := slices.ContainsFunc(found.Unclear, func(u search.Unclear) bool { return u.Text == text })
		others := geo.Namesakes(text, a.Code)
		if capital, ok := geo.FindEntry(capitalsElsewhere[a.Code]); ok {
			others = append(others, capital)
		}
		isFiltered := parameter == "q" && slices.Contains(areaIDs(q.Area), a.Code)
		if text == "" || isUnclear || isFiltered || len(others) == 0 {
			return
		}
		var names, codes []string
		for _, e := range others[:min(maxSuggested, len(others))] {
			names, codes = append(names, fmt.Sprintf("%s [%s]", e.FullName(), e.Key)), append(codes, e.Key)
		}
		message := fmt.Sprintf("%q is taken to mean %s [%s]; for %s of the same name, give the code as the area in place of the name", text, a.Name, a.Code, strings.Join(names, " or "))
		list = append(list, Notice{parameter, text, message, codes})
	}
	for _, a := range areas {
		add("q", found.AreaNames[a.Code], a)
		for _, text := range q.Area {
			if slices.Contains(areaIDs([]string{text}), a.Code) {
				add("area", text, a)
			}
		}
	}
	return list
}

// dropCodes leaves words that may be codes of countries as ordinary ones in a question for the world: "WORLD POPULATION IN 2020".
func dropCodes(text string, found *search.Result) {
	if worldWords.MatchString(text) {
		found.Unclear = slices.DeleteFunc(found.Unclear, func(u search.Unclear) bool { return len(u.Areas) == 1 })
	}
}

// whyUnclear says which places a name may mean.
func whyUnclear(u search.Unclear) string {
	var names []string
	for _, id := range u.Areas {
		name := areaName(id)
		if e, ok := geo.FindEntry(id); ok {
			name = e.FullName()
		}
		names = append(names, fmt.Sprintf("%s [%s]", name, id))
	}
	if len(names) == 1 {
		return fmt.Sprintf("%q may be the code of %s or an ordinary word, and is not read as the country; ask for it by its name, or by its code as the area", u.Text, names[0])
	}
	return fmt.Sprintf("%q may mean %s; ask for one of them by its full name, or by its code as the area", u.Text, strings.Join(names, " or "))
}

// narrowest returns the areas without those that have another of them as a part: a question for Vienna, Austria is for Vienna.
func (q *question) narrowest() []place {
	if q.isFiltered {
		return q.areas // alternatives
	}
	return slices.DeleteFunc(slices.Clone(q.areas), func(wide place) bool {
		whole := geo.WholeOf(wide.Code)
		return slices.ContainsFunc(q.areas, func(p place) bool { return p.Code != wide.Code && whole.Has("", p.Code) })
	})
}

// flows matches what asks for values from one place to another.
var flows = lazyregexp.New(`(?i)\b(exports?|imports?|trade|migra\pL+|e?migration|immigra\pL+|emigra\pL+|remittances|from|aus|nach|vers|desde|hacia|verso|\pL*(handel|ausfuhr|einfuhr|exporte|importe|wanderung)\pL*|commerce|export\pL+|import\pL+|comercio|commercio)\b`)

// connectors match the words between places of a comparison: "Bavaria and Catalonia", but "London, Ontario".
var connectors = lazyregexp.New(`(?i)\b(and|or|vs|versus|compared|und|oder|gegen|et|ou|contre|y|o|contra|e|contro)\b`)

// whyPlaces says why a value of one of the areas is no answer: the question names another one which is no alternative. It is
// empty if it is one.
func (q *question) whyPlaces(isBeside bool) string {
	list := q.narrowest()
	if len(list) < 2 || isBeside || q.isFiltered {
		return ""
	}
	isAlternative := func(p place) bool {
		first := list[0]
		isRegion := geo.IsRegion(first.Code)
		return geo.IsRegion(p.Code) == isRegion && (!isRegion || connectors.MatchString(q.text) || p.Code[:2] == first.Code[:2])
	}
	if !flows.MatchString(withoutSince(q.text)) && !slices.ContainsFunc(list, func(p place) bool { return !isAlternative(p) }) {
		return ""
	}
	return fmt.Sprintf("the question names %s and %s, and a value of one of them alone may be no answer; ask for one place, or choose a series by the dimensions of the dataset", list[0].Name, list[1].Name)
}

// withoutSince returns a question, folded, without words such as "desde" before a period, which may also stand before a place.
func withoutSince(question string) string {
	_, phrase, ok := periodIn(question)
	if !ok {
		phrase = years.FindString(question)
	}
	before, after, _ := strings.Cut(foldMarks(question), phrase)
	return sinceWords.ReplaceAllString(before, "") + after
}

// partAreas returns the area of a dataset that has the name of a part of a place that the question names, or why there is
// none. isPart is false if the question names no such part.
func (q *question) partAreas(v *store.Vintage) (areas []int32, why string, isPart bool) {
	for _, part := range q.partsOf {
		whole := geo.WholeOf(part.Area)
		at := slices.IndexFunc(v.Dataset.Geography.Codes, func(c stat.Code) bool {
			return search.LabelKey(c.Label) == search.LabelKey(part.Text) && whole.Has(v.Dataset.Source.ID, c.Area)
		})
		if at < 0 {
			return nil, fmt.Sprintf("%q is a part of %s [%s], and the dataset has no area of this name; its dimensions list the areas that it has", part.Text, areaName(part.Area), part.Area), true
		}
		areas = append(areas, int32(at))
	}
	return areas, "", len(q.partsOf) > 0
}

// isInside reports whether an area of a dataset lies in one of the places that the question names, if it names any.
func (q *question) isInside(v *store.Vintage, area int32) bool {
	c := &v.Dataset.Geography.Codes[area]
	return len(q.areas) == 0 || slices.ContainsFunc(q.areas, func(p place) bool { return geo.WholeOf(p.Code).Has(v.Dataset.Source.ID, c.Area) })
}

// similarAreas says which areas of a dataset have the name of a place that the question names in their labels, besides those with the
// labels of some: "Área Metropolitana de Lisboa". It is empty if there are none.
func similarAreas(v *store.Vintage, places []place, besides []int32) string {
	var names []string
	for i := range v.Dataset.Geography.Codes {
		c, isSimilar := &v.Dataset.Geography.Codes[i], false
		label := cmp.Or(c.SourceLabel, c.Label)
		words := search.WordsOf(label)
		for _, p := range places {
			isIn := len(p.Code) > 1 && geo.WholeOf(p.Code[:2]).Has(v.Dataset.Source.ID, c.Area)
			isSimilar = isSimilar || isIn && slices.ContainsFunc(p.cities, words.Has)
		}
		isKnown := slices.ContainsFunc(besides, func(at int32) bool {
			own := &v.Dataset.Geography.Codes[at]
			return search.LabelKey(cmp.Or(own.SourceLabel, own.Label)) == search.LabelKey(label)
		})
		if isSimilar && !isKnown && len(names) < maxSimilar {
			names = append(names, fmt.Sprintf("%s [%s]", label, cmp.Or(c.Area, c.ID)))
		}
	}
	if names == nil {
		return ""
	}
	return "areas with a similar name are " + strings.Join(names, ", ")
}

// readAsArea says which area of a dataset a name was taken for, if there are others with the name: Kassel, and not "Kassel, Landkreis".
// It is empty if there are none.
func (p place) readAsArea(v *store.Vintage, found []int32) string {
	others := similarAreas(v, []place{p}, found)
	if len(found) == 0 || others == "" {
		return ""
	}
	c := &v.Dataset.Geography.Codes[found[0]]
	return fmt.Sprintf("%q is read as %s [%s]; %s", cmp.Or(p.texts[0], p.Name), cmp.Or(c.SourceLabel, c.Label), cmp.Or(c.Area, c.ID), others)
}

// maxSimilar is how many areas with a similar name are listed.
const maxSimilar = 3
