package search_test

import (
	"testing"

	"almanac/internal/offer"
	"almanac/internal/search"
)

// TestNamedSources asks for sources by their names, alone and beside words.
func TestNamedSources(t *testing.T) {
	s := searchOver(t, []offer.Offer{
		{Source: "boi", Code: "er", Title: "Exchange rates", Language: "en"},
		{Source: "bis", Code: "cbs", Title: "Consolidated banking of Israel", Language: "en"},
		{Source: "statcan", Code: "jobs", Title: "Labour force characteristics, unemployment and participation by age", Language: "en"},
		{Source: "eurostat", Code: "une", Title: "Unemployment", Language: "en"},
		{Source: "eurostat", Code: "bank", Title: "Norges and other banks", Language: "en"},
		{Source: "who", Code: "life", Title: "Life expectancy", Language: "en"},
		{Source: "destatis_regional", Code: "bev", Title: "Bevölkerung", Language: "de"},
	})
	for text, want := range map[string]string{
		"Bank of Israel": "er", "bank of israel exchange rates": "er", "Banque d'Israël": "er", "Statistics Canada unemployment": "jobs",
		"unemployment": "une", "Destatis": "bev", "Statistisches Bundesamt Bevölkerung": "bev", "WHO": "life", "who is unemployed": "une",
		"Norges Bank": "bank", // it has no dataset here
	} {
		r, err := s.Find(t.Context(), search.Query{Text: text})
		if err != nil || len(r.Hits) == 0 || r.Hits[0].Code != want || r.Weak {
			t.Errorf("%q finds %+v, not %s first; error %v", text, r, want, err)
		}
	}
}
