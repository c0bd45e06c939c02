package search

import (
	"slices"
	"testing"
)

// TestUS reads "us" as the United States beside key words, wherever it stands, and as a word of a sentence else.
func TestUS(t *testing.T) {
	s := New(Options{})
	for text, want := range map[string][]string{
		"unemployment us": {"US"}, "us inflation 2023": {"US"}, "co2 per capita us 2020": {"US"}, "population of us": {"US"}, "us gdp per person in 2020": {"US"},
		"what is the us gdp": {"US"}, "us vs china gdp": {"US", "CN"}, "gdp china and us": {"CN", "US"},
		"tell us about inflation": nil, "how many of us smoke": nil, "how old are most of us": nil, "all of us": nil, "gdp us dollars": nil, "exchange rate of the us dollar": nil,
	} {
		r, err := s.read(s.current.Load(), text)
		if err != nil || !slices.Equal(r.areas, want) {
			t.Errorf("%s: the areas are %v, want %v; error %v", text, r.areas, want, err)
		}
	}
}
