package search_test

import (
	"testing"

	"almanac/internal/offer"
	"almanac/internal/search"
)

// A word with wildcards is read as the word that it fits.
func TestWildcards(t *testing.T) {
	s := searchOver(t, []offer.Offer{
		{Source: "eurostat", Code: "une", Title: "Unemployment by sex", Language: "en"},
		{Source: "eurostat", Code: "debt", Title: "Government debt", Language: "en"},
		{Source: "eurostat", Code: "hicp", Title: "Inflation rate", Language: "en"},
	})
	for _, c := range []struct{ text, first, readAs string }{
		{"unempl?yment", "une", "unemployment"},
		{"unemp*ment", "une", "unemployment"},
		{"UNEMPL%NT", "une", "unemployment"},
		{"*flation", "hicp", "inflation"},
		{"gover*ment debt", "debt", "government"},
		{"deb* of government", "debt", "debt"},
		{"unemploy*", "une", ""},
		{"unemployment *", "une", ""},
		{"what is unemployment?", "une", ""},
		{"unemployment in %", "une", ""},
	} {
		r, err := s.Find(t.Context(), search.Query{Text: c.text})
		if err != nil || len(r.Hits) == 0 || r.Hits[0].Code != c.first {
			t.Errorf("%q finds %+v, not %s first; error %v", c.text, r, c.first, err)
			continue
		}
		if len(r.Corrections) > 1 || (c.readAs != "") != (len(r.Corrections) == 1) || c.readAs != "" && r.Corrections[0].ReadAs != c.readAs {
			t.Errorf("%q is read as %v, want %q", c.text, r.Corrections, c.readAs)
		}
	}
}
