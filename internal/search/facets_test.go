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
