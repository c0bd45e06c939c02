package portal

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// searchPage is the content of the page of results.
type searchPage struct {
	Query      string
	Areas      string   // names of those that the question or a filter names
	Having     []string // how many of the datasets have each of the areas, unless all have them
	Surely     int      // how many of the datasets surely have the only area of the page, unless all have it
	Total      int
	Hits       []hit
	Facets     []facet
	Notices    []searchNotice
	Also       []found    // what a word also finds
	Chips      []link     // what narrows the search, with the address without it
	Chosen     []areaName // areas of the filter
	Places     []areaName // what the question names if it finds nothing
	Place      *area      // which is all that the question names; nil: it names more
	OnWords    string     // how many datasets have the words of such a question
	Hidden     []hidden
	Orders     []choice
	Clear      string // the address without filters
	Unfiltered string // likewise, if there are filters
	Next       string
	Before     string
	Beyond     *beyond // nil: the page has hits, or there are none
	JSON       string
	Sort       string
	Flags      []flagName
	Compare    string // see [page.compareAddress]

	Bringing *bringing // nil: no hit can be brought
}

// IsOffered reports whether hits are not here, and nobody can have them brought.
func (c *searchPage) IsOffered() bool {
	isBrought := c.Bringing != nil && (c.Bringing.May || c.Bringing.Advice != "")
	return !isBrought && slices.ContainsFunc(c.Hits, func(h hit) bool { return !h.Here })
}

// beyond is what a page says that comes after the last one.
type beyond struct {
	Pages       int
	First, Last string
}

// searchNotice is a remark of the interface on the question.
type searchNotice struct {
	Parameter, Value, Message string
	Language                  string // of the message; empty: that of the page
	Nearest                   []string
	Links                     []link // to what is similar
}

// hidden is what a filter leaves out.
type hidden struct {
	Text    string
	Address string // without the filter
	Names   []link // of the datasets, if they are few
}

// choice is one of several states of a page.
type choice struct {
	Text, Address string
	IsChosen      bool
}

// searchAnswer is the response of the search.
type searchAnswer struct {
	Data       []hit
	Areas      []areaName
	Concept    struct{ ID string } // that the question names
	Facets     facetCounts
	Notices    []searchNotice
	Pagination struct {
		Page, Total int
		HasMore     bool
	}
}

// The parameters of the page are those of the interface.
var (
	searchFilters = []string{"area", "source", "topic", "frequency", "last_period_from", "here"}
	searchState   = append([]string{"q", "sort", "page"}, searchFilters...)
	searchOrders  = []string{"", "-latest_period", "-areas"}
)

const (
	hitsOnPage = 20
	maxHits    = 10_000 // on all pages, of the interface
)

// search is the page of results.
func (p *page) search() error {
	query, err := p.known("unknown parameter %q; this page has q, area, source, topic, frequency, last_period_from, here, sort and page", searchState...)
	if err != nil {
		return err
	}
	if here, err := strconv.ParseBool(query.Get("here")); err == nil { // as programs write it
		query.Set("here", map[bool]string{true: "here", false: "offered"}[here])
	}
	p.Query = strings.TrimSpace(query.Get("q"))
	c := &searchPage{Query: p.Query, Sort: query.Get("sort"), JSON: "/api/search?" + query.Encode()}
	answer, err := p.find(query, hitsOnPage)
	if err != nil {
		return err
	}
	p.reader = p.opts.Aside
	if query, answer, err = p.leadWithPlace(c, query, answer); err != nil {
		return err
	}
	c.Hits, c.Total = answer.Data, answer.Pagination.Total
	base := answer
	isNarrow := len(only(query, searchFilters...)) > 0
	if isNarrow && p.Query != "" {
		if base, err = p.find(only(query, "q"), 1); err != nil {
			return err
		}
	}
	if c.Facets, err = p.facets(query, answer, base); err != nil {
		return err
	}
	p.addAreas(c, query, answer)
	if c.Total == 0 {
		c.Places = p.placesOf(p.Query, answer)
	}
	if err := p.addHidden(c, query, answer); err != nil {
		return err
	}
	for i := range c.Hits {
		if err := p.complete(&c.Hits[i], answer.Areas); err != nil {
			return err
		}
	}
	if slices.ContainsFunc(c.Hits, func(h hit) bool { return h.CanBeBrought && !h.Here }) {
		if c.Bringing, err = p.bringing(); err != nil {
			return err
		}
	}
	c.Also, c.Flags = p.synonyms(c.Hits), p.flagsOf(c.Hits)
	p.addNotices(c, query, answer.Notices)
	p.addLinks(c, query, answer)
	if c.Compare, err = p.compareAddress(answer); err != nil {
		return err
	}
	p.template, p.Section, p.Content = "search", "datasets", c
	p.Title = p.searchTitle(c)
	if c.Place != nil && c.Query != "" {
		c.OnWords = p.countTitle(c)
	}
	p.Trail = []link{{p.lang.text("nav.search"), ""}}
	return nil
}

// allDatasets leads to the list of datasets, which is a search for all.
func (p *page) allDatasets() error {
	http.Redirect(p.w, p.r, addressWith("/search", p.r.URL.Query()), http.StatusMovedPermanently) // with the language, if the address has one
	return nil
}

// find asks the search of the interface.
func (p *page) find(query url.Values, limit int) (*searchAnswer, error) {
	asked := url.Values{"limit": {strconv.Itoa(limit)}, "lang": {p.lang.Code}}
	for name, values := range query {
		asked[name] = values
	}
	answer := &searchAnswer{}
	if err := p.read("/api/search", asked, answer); err != nil {
		return nil, err
	}
	for i := range answer.Areas { // in the language of the page
		var found struct{ Area areaName }
		if err := p.read("/api/areas/"+url.PathEscape(answer.Areas[i].Code), url.Values{"lang": {p.lang.Code}}, &found); err == nil {
			answer.Areas[i].Name = found.Area.Name
		} else if !isRefused(err) { // a city has only its name
			return nil, err
		}
	}
	return answer, nil
}

func (p *page) searchTitle(c *searchPage) string {
	if c.Place != nil {
		return p.lang.text("search.all.areas", "n", c.Place.Datasets, "areas", c.Place.Name)
	}
	return p.countTitle(c)
}

// countTitle says how many datasets the search finds, and on what.
func (p *page) countTitle(c *searchPage) string {
	key := "search.title"
	if c.Query == "" {
		key = "search.all"
	}
	if len(c.Hits) > 0 && c.Hits[0].isNamedBy(c.Query) {
		if c.Total == 1 {
			return p.lang.text("search.title.code", "query", c.Query)
		}
		return p.lang.text("search.title.code.also", "n", c.Total-1, "query", c.Query)
	}
	if c.Surely > 0 {
		return p.lang.text(key+".some", "n", c.Surely, "all", c.Total, "query", c.Query, "areas", c.Areas)
	}
	if c.Areas != "" && c.Having == nil {
		key += ".areas"
	}
	return p.lang.text(key, "n", c.Total, "query", c.Query, "areas", c.Areas)
}

// addAreas takes over the areas of the filter, and names all that the page is about.
func (p *page) addAreas(c *searchPage, query url.Values, answer *searchAnswer) {
	var names []string
	for _, a := range answer.Areas {
		names = append(names, a.Name)
	}
	c.Areas = strings.Join(names, ", ")
	if c.Having = p.having(answer); c.Having != nil && len(answer.Areas) == 1 {
		for _, has := range answer.Facets["coverage"] {
			if has.Status == "known" || has.Status == "dimension" { // parts of it are not the area
				c.Surely += has.Count
			}
		}
	}
	filtered := answer.Areas[max(0, len(answer.Areas)-len(query["area"])):]
	for i, value := range query["area"] {
		one := areaName{value, value}
		if len(filtered) == len(query["area"]) {
			one.Name = filtered[i].Name
		}
		c.Chosen = append(c.Chosen, one)
	}
}

// coverages are the ways in which a dataset has an area, or lacks it.
var coverages = []string{"known", "parts", "dimension", "presumed", "unknown", "unlikely", "lacking"}

// having says for each area of the page how many of the datasets have it. It is nil if all have all of them.
func (p *page) having(answer *searchAnswer) (list []string) {
	isEverywhere := true
	for _, a := range answer.Areas {
		var ways []string
		for _, status := range coverages {
			for _, c := range answer.Facets["coverage"] {
				if c.Area != a.Code || c.Status != status {
					continue
				}
				ways = append(ways, p.lang.text("coverage."+status, "n", c.Count))
				isEverywhere = isEverywhere && status == "known"
			}
		}
		if ways != nil {
			list = append(list, a.Name+p.lang.text("colon")+strings.Join(ways, p.lang.text("semicolon")))
		}
	}
	if isEverywhere {
		return nil
	}
	return list
}

// placesOf returns the areas that a question names, also if it is only a name or code of one, such as EL.
func (p *page) placesOf(question string, answer *searchAnswer) []areaName {
	if len(answer.Areas) > 0 || len(answer.Data) > 0 || question == "" {
		return answer.Areas
	}
	var found struct{ Area areaName }
	if err := p.read("/api/areas/"+url.PathEscape(question), url.Values{"lang": {p.lang.Code}}, &found); err != nil {
		return nil // it is none
	}
	return []areaName{found.Area}
}

// addHidden says for each filter how many more datasets there are without it.
func (p *page) addHidden(c *searchPage, query url.Values, answer *searchAnswer) error {
	if c.Query == "" {
		return nil
	}
	for _, name := range searchFilters {
		if len(query[name]) == 0 {
			continue
		}
		other := withChange(query, name)
		all, err := p.find(without(only(other, append([]string{"q"}, searchFilters...)...)), hitsOnPage)
		if err != nil {
			return err
		}
		more := all.Pagination.Total - answer.Pagination.Total
		if more <= 0 {
			continue
		}
		one := hidden{Address: "/search?" + other.Encode(), Text: p.lang.text("search.hidden."+name, "n", more, "areas", c.Areas)}
		if more <= 3 && all.Pagination.Total <= hitsOnPage {
			for i := range all.Data {
				h := &all.Data[i]
				if !slices.ContainsFunc(answer.Data, func(o hit) bool { return o.Source == h.Source && o.Code == h.Code }) {
					one.Names = append(one.Names, link{h.Name, h.page()})
				}
			}
		}
		c.Hidden = append(c.Hidden, one)
	}
	return nil
}

// synonyms returns the other words that the hits were found by, as the titles have them.
func (p *page) synonyms(hits []hit) (list []found) {
	for i := range hits {
		for _, f := range hits[i].Found {
			asked := strings.Fields(f.Asked)
			hasOther := slices.ContainsFunc(strings.Fields(f.Text), func(word string) bool { return !slices.Contains(asked, word) })
			if f.Asked = p.asTyped(f.Asked); f.Field == "title" {
				f.Text = p.asIn(hits[i].Name, f.Text)
			}
			isNew := !slices.ContainsFunc(list, func(o found) bool { return o.Asked == f.Asked && strings.EqualFold(o.Text, f.Text) })
			if f.Kind == "synonym" && hasOther && isNew && len(list) < 3 {
				list = append(list, f)
			}
		}
	}
	return list
}

// flagsOf explains the flags of the latest values of hits.
func (p *page) flagsOf(hits []hit) (list []flagName) {
	for i := range hits {
		if v := hits[i].Value; v != nil {
			list = p.lang.addFlags(list, v.FlagText())
		}
		for k := range hits[i].Others {
			list = p.lang.addFlags(list, hits[i].Others[k].FlagText())
		}
	}
	return list
}

// addNotices adds the remarks of the interface, with links to what is similar.
func (p *page) addNotices(c *searchPage, query url.Values, notices []searchNotice) {
	for _, n := range notices {
		for _, near := range n.Nearest {
			other := withChange(query, "page")
			if n.Parameter == "q" || n.Parameter == "" {
				other.Set("q", near)
			} else {
				other[n.Parameter] = append(slices.DeleteFunc(slices.Clone(other[n.Parameter]), func(v string) bool { return v == n.Value }), near)
			}
			n.Links = append(n.Links, link{near, "/search?" + other.Encode()})
		}
		var isForeign bool
		if n.Message, isForeign = p.translated(n.Message); isForeign {
			n.Language = "en"
		}
		n.Message = upperFirst(n.Message)
		c.Notices = append(c.Notices, n)
	}
}

// addLinks adds the addresses of other states of the page.
func (p *page) addLinks(c *searchPage, query url.Values, answer *searchAnswer) {
	if answer.Pagination.HasMore {
		c.Next = "/search?" + withChange(query, "page", strconv.Itoa(answer.Pagination.Page+1)).Encode()
	}
	if last := (min(answer.Pagination.Total, maxHits) - 1) / hitsOnPage; answer.Pagination.Page > last && c.Total > 0 {
		c.Beyond = &beyond{last + 1, addressWith("/search", withChange(query, "page")), addressWith("/search", without(withChange(query, "page", strconv.Itoa(last))))}
	} else if answer.Pagination.Page > 0 {
		c.Before = "/search?" + withChange(query, "page", strconv.Itoa(answer.Pagination.Page-1)).Encode()
	}
	for _, order := range searchOrders {
		one := choice{Text: p.lang.text("search.sort." + strings.TrimPrefix(cmp.Or(order, "relevance"), "-")), IsChosen: order == c.Sort}
		one.Address = "/search?" + without(withChange(withChange(query, "page"), "sort", order)).Encode()
		c.Orders = append(c.Orders, one)
	}
	c.Clear = "/search?" + only(query, "q", "sort").Encode()
	if len(only(query, searchFilters...)) > 0 {
		c.Unfiltered = "/search?" + only(query, "q").Encode()
	}
	for _, name := range searchFilters {
		for i, value := range query[name] {
			text := p.chipText(c, name, value)
			if name == "area" {
				text = c.Chosen[i].Name
			}
			others := slices.Delete(slices.Clone(query[name]), i, i+1)
			c.Chips = append(c.Chips, link{text, "/search?" + withChange(withChange(query, "page"), name, others...).Encode()})
		}
	}
}

// chipText is the text of a chosen value, as its facet has it.
func (p *page) chipText(c *searchPage, name, value string) string {
	for _, f := range c.Facets {
		if f.Name != name {
			continue
		}
		for _, o := range append(slices.Clone(f.Options), f.More...) {
			if strings.EqualFold(o.Value, value) {
				return o.Label
			}
		}
	}
	return value
}

// withChange returns a query with other values of a parameter; without values it is left out.
func withChange(query url.Values, name string, values ...string) url.Values {
	q := url.Values{}
	for k, v := range query {
		q[k] = v
	}
	if q[name] = values; len(values) == 0 {
		delete(q, name)
	}
	return q
}

func contains(values []string, value string) bool {
	return slices.ContainsFunc(values, func(v string) bool { return strings.EqualFold(v, value) })
}
