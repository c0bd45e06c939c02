package portal

import (
	"net/url"
	"strconv"
	"strings"
)

// searchPage is the content of the page of results.
type searchPage struct {
	Query   string
	Total   int
	Hits    []hit
	Facets  []facet
	Notices []string
	Chips   []link // what narrows the search, with the address without it
	Next    string
	Before  string
	JSON    string
}

// hit is a dataset that was found.
type hit struct {
	ID         int
	Source     string
	SourceName string `json:"source_name"`
	Code       string `json:"dataset_code"`
	Name       string `json:"dataset_name"`
	Here       bool
	Frequency  string
	Oldest     string `json:"oldest_period"`
	Latest     string `json:"latest_period"`
	Value      *struct {
		Area   struct{ Code, Name string }
		Period string
		Value  number
		Unit   string
		Flags  []string
	} `json:"latest"`
	NoLatest string `json:"no_latest"`
	Found    []struct{ Field, Asked, Text, Kind string }
}

// Address is that of the page of the dataset; empty if it is not here.
func (h *hit) Address() string {
	if h.ID == 0 {
		return ""
	}
	return (&metadata{ID: h.ID, Code: h.Code}).address()
}

type facet struct {
	Name, Label string
	Options     []facetOption
}

type facetOption struct {
	Value, Label string
	Count        int
	IsChosen     bool
}

// searchFilters are the parameters of the page, which are those of the interface.
var searchFilters = []string{"q", "area", "source", "topic", "frequency", "last_period_from", "here", "page"}

const hitsOnPage = 20

// search is the page of results.
func (p *page) search() error {
	query := without(only(p.r.URL.Query(), searchFilters...))
	p.Query = strings.TrimSpace(query.Get("q"))
	c := &searchPage{Query: p.Query}
	asked := url.Values{}
	for name, values := range query {
		asked[name] = values
	}
	asked.Set("limit", strconv.Itoa(hitsOnPage))
	asked.Set("lang", p.lang.Code)
	var answer struct {
		Data   []hit
		Areas  []struct{ Code, Name string }
		Facets map[string][]struct {
			Value, Label string
			Count        int
		}
		Notices    []struct{ Message string }
		Pagination struct {
			Page, Total int
			HasMore     bool
		}
	}
	if err := p.read("/api/search", asked, &answer); err != nil {
		return err
	}
	c.Hits, c.Total = answer.Data, answer.Pagination.Total
	for _, n := range answer.Notices {
		c.Notices = append(c.Notices, n.Message)
	}
	for _, name := range []string{"area", "source", "topic", "frequency", "here"} {
		f := facet{Name: name, Label: p.lang.text("facet." + name)}
		for _, v := range answer.Facets[name] {
			label := v.Label
			if label == "" {
				label = v.Value
			}
			f.Options = append(f.Options, facetOption{Value: v.Value, Label: label, Count: v.Count, IsChosen: contains(query[name], v.Value)})
		}
		if len(f.Options) > 0 {
			c.Facets = append(c.Facets, f)
		}
	}
	c.JSON = "/api/search?" + query.Encode()
	if answer.Pagination.HasMore {
		c.Next = searchAddress(query, "page", strconv.Itoa(answer.Pagination.Page+1))
	}
	if answer.Pagination.Page > 0 {
		c.Before = searchAddress(query, "page", strconv.Itoa(answer.Pagination.Page-1))
	}
	p.template, p.Section, p.Content = "search", "datasets", c
	p.Title = p.lang.text("search.title", "n", c.Total, "query", c.Query)
	if c.Query == "" {
		p.Title = p.lang.text("search.all", "n", c.Total)
	}
	p.Trail = []link{{p.lang.text("nav.search"), ""}}
	return nil
}

func searchAddress(query url.Values, name, value string) string {
	q := url.Values{}
	for k, v := range query {
		q[k] = v
	}
	q.Set(name, value)
	return "/search?" + q.Encode()
}

func contains(values []string, value string) bool {
	for _, v := range values {
		if strings.EqualFold(v, value) {
			return true
		}
	}
	return false
}
