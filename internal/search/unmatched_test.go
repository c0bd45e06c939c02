package search_test

import (
	"slices"
	"testing"

	"almanac/internal/offer"
	"almanac/internal/search"
)

// Words that none of the best hits has are named, and no others.
func TestUnmatched(t *testing.T) {
	s := searchOver(t, []offer.Offer{
		{Source: "worldbank", Code: "gdp", Title: "GDP per capita", Language: "en"},
		{Source: "imf", Code: "inflation", Title: "Inflation, consumer prices", Language: "en"},
		{Source: "eurostat", Code: "milling", Title: "Milling of wheat", Language: "en"},
	})
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"all words", "consumer prices", nil},
		{"another name", "gross domestic product", nil},
		{"a place, a year and words of every question", "latest data on inflation in Spain 2020", nil},
		{"a source", "imf inflation", nil},
		{"a word that nothing has", "outstanding inflation", []string{"outstanding"}},
		{"a term that nothing has", "house prices", []string{"house"}},
		{"a word that is read as another", "inflaton", nil},
		{"a number in words is not misspelt", "gdp in million euro", []string{"euro"}},
		{"a term is not found", "population density of Spain", []string{"population density"}},
		{"nothing is found", "how outstanding in Spain 2020", []string{"outstanding"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, q := range []search.Query{{Text: c.text}, {Text: c.text, Limit: 1}} {
				r, err := s.Find(t.Context(), q)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(r.Unmatched, c.want) {
					t.Errorf("%q has %q that are not matched, want %q", c.text, r.Unmatched, c.want)
				}
			}
		})
	}
}
