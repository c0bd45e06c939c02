package search_test

import (
	"slices"
	"strings"
	"testing"

	"almanac/internal/offer"
	"almanac/internal/search"
)

// The code of a dataset without a title may be the name of a file, whose words for data are no topic.
func TestNoTopicOfFileName(t *testing.T) {
	s := searchOver(t, []offer.Offer{{Source: "bis", Code: "webstat_export_fr", Language: "en"}})
	r, err := s.Find(t.Context(), search.Query{Text: "webstat"})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Hits) != 1 || len(r.Hits[0].Topic) > 0 {
		t.Errorf("found %+v, want a dataset without a topic", r.Hits)
	}
}

// A reason names words that the field has, and none comes twice.
func TestReasons(t *testing.T) {
	s := searchOver(t, []offer.Offer{
		{Source: "eurostat", Code: "lfs", Title: "Activity rate by sex", Topic: "Tables on EU policy", Language: "en"},
		{Source: "worldbank", Code: "gdp", Title: "GDP per capita", Language: "en"},
		{Source: "bis", Code: "assets", Title: "Central bank total assets", Language: "en"},
		{Source: "imf", Code: "inflation", Title: "Inflation, consumer prices", Language: "en"},
	})
	for _, c := range []struct{ text, code, field, asked, want, kind string }{
		{"policy rate", "lfs", "topic", "policy rate", "policy", "exact"},
		{"policy rate", "lfs", "title", "policy rate", "rate", "exact"},
		{"gdp per capta", "gdp", "title", "", "capita", "typo"},
		{"central bank policy rate", "assets", "title", "central", "central", "exact"},
		{"infl*", "inflation", "title", "infl", "inflation", "prefix"},
		{"unemployment inflaton", "inflation", "title", "inflaton", "inflation", "typo"},
	} {
		t.Run(c.text+" "+c.field, func(t *testing.T) {
			r, err := s.Find(t.Context(), search.Query{Text: c.text})
			if err != nil {
				t.Fatal(err)
			}
			at := slices.IndexFunc(r.Hits, func(h search.Hit) bool { return h.Code == c.code })
			if at < 0 {
				t.Fatalf("%q does not find %s: %+v", c.text, c.code, r)
			}
			found := r.Hits[at].Found
			if !slices.ContainsFunc(found, func(f search.Found) bool {
				return f.Field == c.field && (c.asked == "" || f.Asked == c.asked) && strings.Contains(f.Text, c.want) && f.Kind == c.kind
			}) {
				t.Errorf("the reasons are %+v, want %+v", found, c)
			}
			for i, f := range found {
				if slices.Contains(found[:i], f) {
					t.Errorf("%+v comes twice in %+v", f, found)
				}
			}
		})
	}
}

// A dataset that is known to measure something else is none on what only its description mentions, whatever filter is set.
func TestMentions(t *testing.T) {
	w := newWorld(t)
	w.offer("eurostat", offer.Offer{Code: "sdg_08_10", Title: "Real GDP per capita", Description: "GDP adjusted for inflation", Language: "en"},
		offer.Offer{Code: "tec00118", Title: "HICP - inflation rate", Language: "en"})
	w.load("eurostat", "sdg_08_10", "Real GDP per capita", "GDP", "DE", "FR")
	w.waitFor(search.Query{Text: "gdp"}, "sdg_08_10@")
	w.waitFor(search.Query{Text: "inflation Germany"}, "tec00118")
	w.waitFor(search.Query{Text: "inflation", Area: []string{"DE"}}, "tec00118")
	w.waitFor(search.Query{Text: "inflation", Here: "here"}, "")
	w.waitFor(search.Query{Text: "gdp inflation Germany", Here: "here"}, "sdg_08_10@")
}
