package hits

import (
	"slices"
	"testing"

	"almanac/internal/stat"
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

// TestMoveLesser checks that old values, and without a place those of one country or region, come behind the last of the others, but keep their
// places behind what has no value.
func TestMoveLesser(t *testing.T) {
	hit := func(code, area, period string) Hit {
		p, err := stat.ParsePeriod(period)
		if err != nil {
			t.Fatal(err)
		}
		return Hit{Code: code, Latest: &Latest{Area: Area{Code: area}, period: p}}
	}
	list := []Hit{hit("old", "OECD", "2011"), hit("region", "CA-SK", "12/2018"), {Code: "no value"}, hit("union", "EU27_2020", "2019"), hit("country", "AU", "2019"), hit("recent", "WLD", "2013"), {Code: "last"}}
	for name, c := range map[string]struct {
		places []place
		list   []Hit
		want   []string
	}{
		"no place":          {nil, list, []string{"no value", "union", "recent", "old", "region", "country", "last"}},
		"a place":           {[]place{{}}, list, []string{"region", "no value", "union", "country", "recent", "old", "last"}},
		"only one value":    {nil, list[:1], []string{"old"}},
		"only of a country": {nil, list[4:5], []string{"country"}},
	} {
		got := slices.Clone(c.list)
		(&question{areas: c.places}).moveLesser(got)
		var codes []string
		for _, h := range got {
			codes = append(codes, h.Code)
		}
		if !slices.Equal(codes, c.want) {
			t.Errorf("%s: %v, want %v", name, codes, c.want)
		}
	}
}
