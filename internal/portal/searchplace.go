package portal

import (
	"net/url"
	"slices"
)

// leadWithPlace sets the area that a question is nothing but the name or a code of, such as germany or EL, if datasets here have
// it. If no dataset has the question as words, it returns the search for the datasets of the area in its place.
func (p *page) leadWithPlace(c *searchPage, query url.Values, answer *searchAnswer) (url.Values, *searchAnswer, error) {
	if c.Query == "" || len(only(query, "q", "sort")) < len(query) {
		return query, answer, nil
	}
	var found struct{ Area area }
	if err := p.read("/api/areas/"+url.PathEscape(c.Query), url.Values{"lang": {p.lang.Code}}, &found); err != nil {
		if isRefused(err) { // it is no area
			err = nil
		}
		return query, answer, err
	}
	place := &found.Area
	isRead := slices.ContainsFunc(answer.Areas, func(a areaName) bool { return a.Code == place.Code })
	if place.Datasets == 0 || !isRead && answer.Pagination.Total > 0 {
		return query, answer, nil
	}
	c.Place = place
	if answer.Pagination.Total > 0 {
		return query, answer, nil
	}
	c.Query = ""
	query = withChange(withChange(query, "q"), "area", place.Code)
	answer, err := p.find(query, hitsOnPage)
	return query, answer, err
}
