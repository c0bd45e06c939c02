package portal

import (
	"maps"
	"net/url"
	"slices"
	"strconv"

	"golang.org/x/text/collate"

	"almanac/internal/request"
)

// maxSuggested is the number of areas that the field for the area suggests.
const maxSuggested = 300

// suggestedArea is an area as the field for the area suggests it: a text that the interface finds it by, and its name if that is its code.
type suggestedArea struct{ Value, Name string }

// choiceOf is a series of a dataset: the parameters that choose it for all areas.
type choiceOf struct {
	dataset int
	query   url.Values
}

// suggestAreas suggests areas that have values for any of the series in the time of the page: those with the most series, if they are too
// many. It also counts the areas that have values for all.
func (p *page) suggestAreas(c *comparePage, all []choiceOf) error {
	series := map[string]int{} // by area
	for _, one := range all {
		areas, err := p.areasWithValues(c, one)
		if err != nil {
			return err
		}
		for code := range areas {
			series[code]++
		}
	}
	for _, n := range series {
		if len(all) > 1 && n == len(all) {
			c.InAll++
		}
	}
	known, err := p.knownAreas()
	if err != nil {
		return err
	}
	var some []area
	for _, a := range known {
		if series[a.Code] > 0 || len(all) == 0 {
			some = append(some, a)
		}
	}
	slices.SortStableFunc(some, func(a, b area) int { return series[b.Code] - series[a.Code] })
	c.Suggested = p.asSuggested(some[:min(len(some), maxSuggested)])
	return nil
}

// asSuggested lists areas by name.
func (p *page) asSuggested(areas []area) (list []suggestedArea) {
	order := collate.New(p.lang.tag)
	slices.SortStableFunc(areas, func(a, b area) int { return order.CompareString(a.Name, b.Name) })
	for _, a := range areas {
		if text := a.inField(); text == a.Name {
			list = append(list, suggestedArea{Value: text})
		} else {
			list = append(list, suggestedArea{text, a.Name})
		}
	}
	return list
}

// inField is the text by which a field for an area names one: the name of a country, which is found in all languages, and the code of another
// area, whose name others can have.
func (a *area) inField() string {
	if a.Kind == "country" {
		return a.Name
	}
	return a.Code
}

// inField is the text for the area of the page: its name, if the interface finds the area by it.
func (p *page) inField(a *area) string {
	var found struct{ Area areaName }
	if err := p.read("/api/areas/"+url.PathEscape(a.Name), nil, &found); err == nil && found.Area.Code == a.Code {
		return a.Name
	}
	return a.Code
}

// areasWithValues returns the areas for which a series has values in the time of the page.
func (p *page) areasWithValues(c *comparePage, one choiceOf) (areas map[string]bool, err error) {
	query := maps.Clone(one.query)
	c.addTime(query)
	left, err := readValue[*request.Left](p, "/api/datasets/"+strconv.Itoa(one.dataset)+"/availability", query)
	if isRefused(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	areas = map[string]bool{}
	for i, n := range left.Codes[len(left.Dataset.Dimensions)] {
		if n.Observations > 0 {
			areas[left.Dataset.Geography.Codes[i].Area] = true
		}
	}
	return areas, nil
}

// knownAreas returns the areas that datasets here have, countries first.
func (p *page) knownAreas() ([]area, error) {
	return remember(p.memory, "known areas "+p.lang.Code, shortTime, func() (all []area, err error) {
		for _, kind := range []string{"country", "group", "former", "region"} {
			some, err := p.areasHere(kind, "")
			if err != nil {
				return nil, err
			}
			all = append(all, some...)
		}
		return all, nil
	})
}
