package hits

import (
	"slices"
	"testing"
)

// TestSortByValues checks that hits without a value of the place or period come after those with one that have the same words, hits without a
// word for what is asked for after all with a value, and all others stay where they are.
func TestSortByValues(t *testing.T) {
	found := func(asked, kind string) []Found {
		return []Found{{"title", asked, asked, kind}, {"area", "DE", "DE", "area"}}
	}
	value := &Latest{Period: "2022"}
	for name, c := range map[string]struct {
		hits []Hit
		want []string
	}{
		"one that lacks the place": {[]Hit{
			{Code: "lands", Found: found("population", "exact"), lacks: true}, {Code: "country", Found: found("population", "synonym"), Latest: value}},
			[]string{"country", "lands"}},
		"several": {[]Hit{
			{Code: "a", Found: found("x", "exact"), lacks: true}, {Code: "b", Found: found("x", "exact")}, {Code: "c", Found: found("x", "exact"), Latest: value},
			{Code: "d", Found: found("x", "exact"), lacks: true}, {Code: "e", Found: found("x", "exact"), Latest: value}, {Code: "f", Found: found("x", "exact"), lacks: true}},
			[]string{"b", "c", "e", "a", "d", "f"}},
		"one with other words": {[]Hit{
			{Code: "a", Found: found("x", "exact"), lacks: true}, {Code: "b", Found: found("y", "exact"), Latest: value}},
			[]string{"a", "b"}},
		"one with only broader terms": {[]Hit{
			{Code: "a", Found: found("x", "broader"), Here: true}, {Code: "b", Found: found("x", "broader")}, {Code: "c", Found: found("x", "exact"), Latest: value}},
			[]string{"b", "c", "a"}},
		"one without a word for what is asked": {[]Hit{
			{Code: "a", Found: found("index", "exact"), lacksAsked: true}, {Code: "b", Found: found("price index", "exact"), Latest: value}, {Code: "c", Found: found("index", "exact"), lacksAsked: true}},
			[]string{"b", "a", "c"}},
		"no value": {[]Hit{{Code: "a", lacks: true}, {Code: "b"}}, []string{"a", "b"}},
	} {
		page := &Page{Data: c.hits}
		page.sortByValues()
		var got []string
		for _, h := range page.Data {
			got = append(got, h.Code)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
