package search_test

import (
	"testing"

	"almanac/internal/offer"
	"almanac/internal/search"
)

// A word that no dataset has is read as another one only if that is near: two words of a language are no misspelt ones.
func TestCorrections(t *testing.T) {
	s := searchOver(t, []offer.Offer{
		{Source: "imf", Code: "weo", Title: "World economic outlook", Language: "en"},
		{Source: "eurostat", Code: "hides", Title: "Production of leather", Language: "en"},
		{Source: "eurostat", Code: "jobs", Title: "Unemployment in urban centers", Language: "en"},
	})
	for text, want := range map[string]string{
		"population projection": "", "outdoor spending": "", "outdoor": "", "weather": "", "century": "", "outlok": "outlook", "outlokk": "outlook",
		"leahter": "leather", "unemploymnet": "unemployment", "unenploymet": "unemployment", "greese": "greece",
	} {
		r, err := s.Find(t.Context(), search.Query{Text: text})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, c := range r.Corrections {
			got += c.ReadAs
		}
		if got != want {
			t.Errorf("%q is read as %q, want %q", text, got, want)
		}
	}
}
