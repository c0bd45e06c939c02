package search_test

import (
	"fmt"
	"testing"

	"almanac/internal/offer"
	"almanac/internal/search"
)

// The facets of a question are what each filter leaves, and the language of the names has no
// influence on what is found.
func TestFacetsAreWhatFiltersLeave(t *testing.T) {
	var list []offer.Offer
	for _, source := range []string{"eurostat", "ilo", "owid"} {
		for i, title := range []string{
			"Unemployment", "Unemployment by sex", "Persons of all kinds with many properties, among them unemployment and other things",
			"Accounts", "Jobless rate of the young", "Length of roads", "Expenditure on benefits in case of sickness, old age and unemployment",
		} {
			list = append(list, offer.Offer{Source: source, Code: fmt.Sprint("c", i), Title: title, Language: "en", Frequency: []string{"A", "M"}[i%2], Last: fmt.Sprint(2000 + 4*i)})
		}
	}
	s := searchOver(t, list)
	all, err := s.Find(t.Context(), search.Query{Text: "unemployment"})
	if err != nil || all.Total == 0 {
		t.Fatal(all, err)
	}
	checkFacets(t, s, search.Query{Text: "unemployment"})
	for name, q := range map[string]search.Query{
		"source":     {Source: []string{"ilo"}},
		"topic":      {Topic: []string{"1.2"}},
		"upper":      {Topic: []string{"1"}},
		"frequency":  {Frequency: []string{"M"}, Source: []string{"ilo", "owid"}},
		"period":     {LastPeriodFrom: "2005", Topic: []string{"1.2"}},
		"here":       {Here: "offered", Source: []string{"eurostat"}},
		"without q":  {Source: []string{"owid"}},
		"code":       {Text: "c2", Source: []string{"owid"}},
		"no matches": {Text: "roads", Frequency: []string{"A"}},
	} {
		t.Run(name, func(t *testing.T) {
			if q.Text == "" && name != "without q" {
				q.Text = "unemployment"
			}
			checkFacets(t, s, q)
		})
	}
	check := func(name string, counts []search.Count, filter func(value string) search.Query) {
		for _, c := range counts {
			q := filter(c.Value)
			q.Text = "unemployment"
			if r, err := s.Find(t.Context(), q); err != nil || r.Total != c.Count {
				t.Errorf("%s %s: the facet has %d datasets and the filter leaves %+v, error %v", name, c.Value, c.Count, r, err)
			}
		}
	}
	check("source", all.Facets.Source, func(v string) search.Query { return search.Query{Source: []string{v}} })
	check("topic", all.Facets.Topic, func(v string) search.Query { return search.Query{Topic: []string{v}} })
	check("here", all.Facets.Here, func(v string) search.Query { return search.Query{Here: v} })
	check("frequency", all.Facets.Frequency, func(v string) search.Query { return search.Query{Frequency: []string{v}} })
	check("name of a frequency", all.Facets.Frequency, func(v string) search.Query {
		return search.Query{Frequency: []string{search.FrequencyNames[v]}}
	})
	for _, language := range []string{"de", "fr", "xx"} {
		if r, err := s.Find(t.Context(), search.Query{Text: "unemployment", Language: language}); err != nil || r.Total != all.Total {
			t.Errorf("with names in %s it finds %+v, error %v", language, r, err)
		}
	}
}

// checkFacets checks that each value of a facet counts what its filter leaves instead of the filter
// of that facet.
func checkFacets(t *testing.T, s *search.Search, q search.Query) {
	t.Helper()
	r, err := s.Find(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	for _, facet := range []struct {
		name   string
		counts []search.Count
		choose func(q *search.Query, value string)
	}{
		{"source", r.Facets.Source, func(q *search.Query, v string) { q.Source = []string{v} }},
		{"topic", r.Facets.Topic, func(q *search.Query, v string) { q.Topic = []string{v} }},
		{"frequency", r.Facets.Frequency, func(q *search.Query, v string) { q.Frequency = []string{v} }},
		{"here", r.Facets.Here, func(q *search.Query, v string) { q.Here = v }},
	} {
		for _, c := range facet.counts {
			chosen := q
			facet.choose(&chosen, c.Value)
			if left, err := s.Find(t.Context(), chosen); err != nil || left.Total != c.Count {
				t.Errorf("%s %s of %+v: the facet has %d datasets and the filter leaves %+v, error %v", facet.name, c.Value, q, c.Count, left, err)
			}
		}
	}
}
