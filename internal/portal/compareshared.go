package portal

import (
	"net/url"
	"slices"
)

// compareAddress is the address that compares the sources of the measure that a question names. It is empty if the question names none, or
// if fewer than two sources have values for its area.
func (p *page) compareAddress(answer *searchAnswer) (string, error) {
	if answer.Concept.ID == "" {
		return "", nil
	}
	query := url.Values{}
	if at := slices.IndexFunc(answer.Data, func(h hit) bool { return h.ID != 0 }); at >= 0 {
		selected, _ := url.ParseQuery(answer.Data[at].Selection)
		query = only(selected, "period_from", "period_to")
	}
	all, err := p.concepts(url.Values{"concept": {answer.Concept.ID}})
	if err != nil || len(all) == 0 {
		return "", err
	}
	if len(answer.Areas) > 0 {
		text, err := p.comparedArea(answer.Areas[0].Code)
		if err != nil {
			return "", err
		}
		query.Set("country", text)
	}
	c := &comparePage{Area: query.Get("country"), From: query.Get("period_from"), To: query.Get("period_to")}
	if isShared, err := p.isOfSources(c, &all[0]); err != nil || !isShared {
		return "", err
	}
	query.Set("concept", answer.Concept.ID)
	return "/compare?" + query.Encode(), nil
}

// comparedArea is the text by which a comparison finds an area that a question names: its code, or the name of a group, by which each
// dataset has the group in one of its compositions.
func (p *page) comparedArea(code string) (string, error) {
	var found struct{ Area area }
	err := p.read("/api/areas/"+url.PathEscape(code), url.Values{"lang": {p.lang.Code}}, &found)
	if isRefused(err) { // a city has only its name
		return code, nil
	}
	if found.Area.Kind == "group" {
		return found.Area.Name, err
	}
	return code, err
}

// isOfSources reports whether two sources have values of a measure for the area of the page, or for any area if the page has none.
func (p *page) isOfSources(c *comparePage, k *concept) (bool, error) {
	isOfTwo := func(some []*conceptSeries) bool {
		return slices.ContainsFunc(some, func(s *conceptSeries) bool { return s.Source != some[0].Source })
	}
	if c.Area == "" {
		series, err := p.seriesByArea(c, k)
		for _, some := range series {
			if isOfTwo(some) {
				return true, err
			}
		}
		return false, err
	}
	var some []*conceptSeries
	for i := 0; i < len(k.Series) && !isOfTwo(some); i++ {
		read, err := p.readOffered(c, &k.Series[i])
		if err != nil {
			return false, err
		}
		if len(read.Points) > 0 {
			some = append(some, &k.Series[i])
		}
	}
	return isOfTwo(some), nil
}

// seriesByArea returns which series of a measure have values for each area in the time of the page.
func (p *page) seriesByArea(c *comparePage, k *concept) (map[string][]*conceptSeries, error) {
	series := map[string][]*conceptSeries{}
	for i := range k.Series {
		s := &k.Series[i]
		areas, err := p.areasWithValues(c, choiceOf{s.ID, s.query("")})
		if err != nil {
			return nil, err
		}
		for code := range areas {
			series[code] = append(series[code], s)
		}
	}
	return series, nil
}

// addMeasures adds the measures that can be compared: those of several series, of which the page offers the chosen ones, and those for which two
// have values of the same area.
func (p *page) addMeasures(c *comparePage) error {
	all, err := p.concepts(nil)
	if err != nil {
		return err
	}
	c.Measures = slices.DeleteFunc(all, func(k concept) bool { return len(k.Series) < 2 })
	shared, err := remember(p.memory, "shared measures", shortTime, func() ([]string, error) { return p.sharedMeasures(c.Measures) })
	for _, k := range c.Measures {
		if c.HasConcept(k.ID) || slices.Contains(shared, k.ID) {
			c.Choices = append(c.Choices, k)
		}
	}
	return err
}

// sharedMeasures returns the measures for which two series have values of the same area.
func (p *page) sharedMeasures(all []concept) (ids []string, err error) {
	for i := range all {
		series, err := p.seriesByArea(&comparePage{}, &all[i])
		if err != nil {
			return nil, err
		}
		for _, some := range series {
			if len(some) > 1 {
				ids = append(ids, all[i].ID)
				break
			}
		}
	}
	return ids, nil
}
