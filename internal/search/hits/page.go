// Package hits turns the result of a search into what a reader of it wants to know: where
// each dataset is from, what it covers, its latest value, and which other sources measure
// the same. Only the hits of one page are completed, so a page costs little whatever the
// number of datasets.
//
// The types have the JSON form of GET /api/search and of almanac search.
package hits

import (
	"cmp"
	"slices"
	"strings"

	"almanac/internal/geo"
	"almanac/internal/search"
	"almanac/internal/stat"
	"almanac/internal/topics"
)

// Page is a page of hits.
type Page struct {
	Data  []Hit  `json:"data"`
	Areas []Area `json:"areas,omitempty"` // that the question names, or a filter
	// Concept is the one that the words of the question name, besides areas, periods, currencies and sources.
	Concept    *Concept   `json:"concept,omitempty"`
	Facets     Facets     `json:"facets"`
	Pagination Pagination `json:"pagination"`
	Notices    []Notice   `json:"notices,omitempty"`

	present []string // see [details]
}

// Hit is a dataset that was found.
type Hit struct {
	Source       string     `json:"source"`
	SourceName   string     `json:"source_name,omitempty"`
	Code         string     `json:"dataset_code"`
	Name         string     `json:"dataset_name"`
	Language     string     `json:"language,omitempty"` // of the name, ISO 639-1
	ID           int        `json:"id,omitempty"`       // 0: only offered
	Here         bool       `json:"here"`
	CanBeBrought *bool      `json:"can_be_brought,omitempty"` // nil: it is here, or nothing is known of the service
	Found        []Found    `json:"found"`
	Topics       []Topic    `json:"topics"`
	Theme        string     `json:"theme,omitempty"` // place in the office's list
	Frequency    string     `json:"frequency,omitempty"`
	Annual       string     `json:"annual_frequency,omitempty"` // see [search.Hit]
	OldestPeriod string     `json:"oldest_period,omitempty"`
	LatestPeriod string     `json:"latest_period,omitempty"`
	LastUpdate   string     `json:"last_update,omitempty"`  // 2025-07-04T11:00:00+0200
	AreaCount    int        `json:"areas,omitempty"`        // of a dataset that is here
	Observations int        `json:"observations,omitempty"` // likewise
	Coverage     []Coverage `json:"coverage,omitempty"`     // of the areas of the page
	// Selection are the parameters of the data that select what the question names and the dataset has: areas, values of dimensions, periods.
	Selection string  `json:"selection,omitempty"`
	Latest    *Latest `json:"latest,omitempty"`
	// LatestOthers are likewise for the other areas that the question names, in its order.
	LatestOthers []*Latest `json:"latest_others,omitempty"`
	NoLatest     string    `json:"no_latest,omitempty"` // why a dataset that is here has no latest value
	Concept      *Concept  `json:"concept,omitempty"`
	AlsoFrom     []Other   `json:"also_from,omitempty"` // datasets of other sources that measure the concept

	lacks, lacksAsked bool // see [details]
}

// Found is why a dataset was found.
type Found struct {
	Field string `json:"field"`
	Asked string `json:"asked"`
	Text  string `json:"text"`
	Kind  string `json:"kind"`
}

// Topic is a subject-matter domain.
type Topic struct {
	Code string `json:"code"`
	Name string `json:"name"`
}

// Area is an area by the code of available_geo.
type Area struct {
	Code string `json:"code"`
	Name string `json:"name"`
}

// Coverage says whether a dataset has an area.
type Coverage struct {
	Area         string          `json:"area"`
	Status       search.Coverage `json:"status"`
	LatestPeriod string          `json:"latest_period,omitempty"` // with an observed value of the default series
}

// Concept is what the default series of a dataset measures.
type Concept struct {
	ID    string `json:"id"`
	Label string `json:"label"`
}

// Other is a dataset of another source that measures the same concept.
type Other struct {
	Source string `json:"source"`
	Code   string `json:"dataset_code"`
	Name   string `json:"dataset_name,omitempty"`
	ID     int    `json:"id,omitempty"`     // 0: not here
	Remark string `json:"remark,omitempty"` // its unit, and how it differs
	// Selection is that of [Hit], in the first datasets here for a hit that is not here.
	Selection string `json:"selection,omitempty"`
}

// Facets count the datasets of all pages by value, the most frequent value first.
type Facets struct {
	Source     []Facet `json:"source"`
	Topic      []Facet `json:"topic"`
	Frequency  []Facet `json:"frequency"`
	Area       []Facet `json:"area"`
	LastPeriod []Facet `json:"last_period"`
	Here       []Facet `json:"here"`
	// Coverage counts the datasets of all pages by whether they have the areas of the page.
	Coverage []CoverageCount `json:"coverage,omitempty"`
}

// CoverageCount is how many datasets have an area in one way.
type CoverageCount struct {
	Area   string          `json:"area"`
	Status search.Coverage `json:"status"`
	Count  int             `json:"count"`
}

// Facet is how many datasets have a value of a filter.
type Facet struct {
	Value string `json:"value"`
	Label string `json:"label,omitempty"`
	Count int    `json:"count"`
}

// Pagination says which page it is.
type Pagination struct {
	Page    int  `json:"page"`
	Limit   int  `json:"limit"`
	Total   int  `json:"total"`
	HasMore bool `json:"hasMore"`
}

// Notice reports something valid that is probably not intended.
type Notice struct {
	Parameter string   `json:"parameter"`
	Value     string   `json:"value"`
	Message   string   `json:"message"`
	Nearest   []string `json:"nearest"`
}

// maxFacets is the number of values of a facet, but for years, of which there are few and all are needed to count those from
// one on.
const maxFacets = 20

// updateTime is the form of the catalogue.
const updateTime = "2006-01-02T15:04:05-0700"

// newHit returns a hit without the details that need the store.
func newHit(h *search.Hit, areas []Area) Hit {
	hit := Hit{
		Source: h.Source, Code: h.Code, Name: h.Name, Language: h.Language, ID: h.ID, Here: h.ID != 0, Theme: h.Theme,
		Frequency: h.Frequency, Annual: h.Annual, OldestPeriod: periodText(h.First, h.Frequency), LatestPeriod: periodText(h.Last, h.Frequency),
		Found: []Found{}, Topics: []Topic{},
	}
	for _, f := range h.Found {
		if !isInTerm(f, h.Found) {
			hit.Found = append(hit.Found, Found(f))
		}
	}
	for _, code := range h.Topic {
		if t, ok := topics.Find(code); ok {
			hit.Topics = append(hit.Topics, Topic{t.Code, t.Name})
		}
	}
	if !h.Updated.IsZero() {
		hit.LastUpdate = h.Updated.Format(updateTime)
	}
	for _, area := range areas {
		hit.Coverage = append(hit.Coverage, Coverage{Area: area.Code, Status: cmp.Or(h.Areas[area.Code], search.Unknown)})
	}
	hit.Selection = placesSelected(hit.Coverage).Encode()
	return hit
}

// isInTerm reports whether f is about a word of a term that matched as a whole in the same
// field: "life" of "life expectancy".
func isInTerm(f search.Found, all []search.Found) bool {
	return slices.ContainsFunc(all, func(term search.Found) bool {
		return term.Field == f.Field && len(term.Asked) > len(f.Asked) && strings.Contains(" "+term.Asked+" ", " "+f.Asked+" ")
	})
}

// periodText returns a period in the form of the interface: the month of a day in the list of
// a monthly dataset. One that cannot be read stays as the source writes it.
func periodText(text, frequency string) string {
	p, err := stat.ParsePeriod(text)
	if err != nil {
		return text
	}
	for f := stat.Annual; f < p.Frequency(); f++ {
		if f.Code() == frequency {
			return p.In(f).String()
		}
	}
	return p.String()
}

func newFacets(f *search.Facets) Facets {
	var coverage []CoverageCount
	for _, c := range f.Coverage {
		coverage = append(coverage, CoverageCount(c))
	}
	return Facets{
		Source: newFacet(f.Source, nil),
		Topic: newFacet(f.Topic, func(v string) string {
			t, _ := topics.Find(v)
			return t.Name
		}),
		Frequency:  newFacet(f.Frequency, func(v string) string { return search.FrequencyNames[v] }),
		Area:       newFacet(f.Area, areaName),
		LastPeriod: allOf(f.LastPeriod, nil),
		Here:       newFacet(f.Here, nil),
		Coverage:   coverage,
	}
}

func newFacet(counts []search.Count, label func(string) string) []Facet {
	return allOf(counts[:min(len(counts), maxFacets)], label)
}

func allOf(counts []search.Count, label func(string) string) []Facet {
	list := make([]Facet, len(counts))
	for i := range list {
		list[i] = Facet{Value: counts[i].Value, Count: counts[i].Count}
		if label != nil {
			list[i].Label = label(counts[i].Value)
		}
	}
	return list
}

func areaName(id string) string {
	a, ok := geo.Find(id)
	if !ok {
		return ""
	}
	if name, ok := geo.NameIn(a.ID, "en"); ok && a.Name == a.ID {
		return name
	}
	if e, ok := geo.FindEntry(a.ID); ok && a.Name == a.ID {
		return e.Name // a region of NUTS
	}
	return a.Name
}
