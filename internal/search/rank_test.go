package search_test

import (
	"testing"

	"almanac/internal/offer"
	"almanac/internal/search"
)

func TestOrder(t *testing.T) {
	s := searchOver(t, []offer.Offer{
		{Source: "eurostat", Code: "tps", Title: "Population on 1 January", Language: "en"},
		{Source: "eurostat", Code: "vit", Title: "Wine-grower holdings by production", Language: "en"},
		{Source: "eurostat", Code: "lab", Title: "Labour productivity", Language: "en"},
		{Source: "eurostat", Code: "ext", Title: "Exports", Language: "en"},
		{Source: "eurostat", Code: "job2", Title: "Employed persons with a second job", Language: "en"},
		{Source: "eurostat", Code: "mig", Title: "People who move and work, by job", Language: "en"},
		{Source: "eurostat", Code: "beds", Title: "Hospital beds", Language: "en"},
		{Source: "eurostat", Code: "hosp", Title: "Hospital discharges", Language: "en"},
		{Source: "eurostat", Code: "grain", Title: "Cereals and rice by area", Language: "en"},
		{Source: "eurostat", Code: "life", Title: "Life expectancy at birth", Language: "en"},
		{Source: "eurostat", Code: "school", Title: "School life expectancy", Topic: "What pupils can expect", Language: "en"},
		{Source: "insee", Code: "old", Title: "Debt of widgets (stopped series)", Language: "en"},
		{Source: "insee", Code: "base90", Title: "Debt of gadgets, base 1990", Language: "en"},
		{Source: "insee", Code: "base20", Title: "Debt of gadgets, base 2020", Language: "en"},
		{Source: "insee", Code: "new", Title: "Debt of widgets (current series)", Language: "en"},
		{Source: "owid", Code: "re", Title: "Zellwig Re disaster losses", Language: "en"},
		{Source: "who", Code: "wine", Title: "Exports of wine in hectolitres and in many other units of measurement", Language: "en"},
		{Source: "fred", Code: "wheat", Title: "Wheat: production of all kinds of farms, seasonally adjusted", Language: "en"},
	})
	for _, c := range []struct{ name, text, first string }{
		{"all words before a part", "wheat production", "wheat"},
		{"word as it is typed before its kind", "wheat", "wheat"},
		{"words of speech", "how long can i expect to live", "life"},
		{"all words before a short title", "wine exports", "wine"},
		{"name that goes with nothing else", "Zellwig population", "tps"},
		{"term that is being typed", "hospital be", "beds"},
		{"ended after continued", "debt of widgets series", "new"},
		{"newest base year", "debt of gadgets", "base20"},
		{"word of a question is not misspelt", "how many people work in more than one job", "job2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := s.Find(t.Context(), search.Query{Text: c.text})
			if err != nil || len(r.Hits) == 0 || r.Hits[0].Code != c.first || len(r.Corrections) > 0 {
				t.Fatalf("%q finds %+v, not %s first; error %v", c.text, r, c.first, err)
			}
		})
	}
}

// Words that no dataset has are parted or read as others, and the rare term of a question counts most.
func TestReading(t *testing.T) {
	s := searchOver(t, []offer.Offer{
		{Source: "eurostat", Code: "milk", Title: "Collection of milk", Language: "en"},
		{Source: "eurostat", Code: "wheat", Title: "Wheat prices", Language: "en"},
		{Source: "eurostat", Code: "what", Title: "What people think of what they pay", Language: "en"},
		{Source: "eurostat", Code: "bop", Title: "Balance of payments", Language: "en"},
		{Source: "eurostat", Code: "pay", Title: "Pay and earnings", Language: "en"},
		{Source: "eurostat", Code: "sun", Title: "Solar energy", Language: "en"},
		{Source: "eurostat", Code: "home1", Title: "Housing", Language: "en"},
		{Source: "eurostat", Code: "home2", Title: "Housing costs", Language: "en"},
		{Source: "eurostat", Code: "home3", Title: "Housing stock", Language: "en"},
	})
	for _, c := range []struct{ name, text, first string }{
		{"compound that no title has", "Milchproduktion", "milk"},
		{"misspelt word is no function word", "whaet prices", "wheat"},
		{"begun term that ends in a word", "balance of pay", "bop"},
		{"rare term before a frequent one", "how many homes have solar panels", "sun"},
	} {
		r, err := s.Find(t.Context(), search.Query{Text: c.text})
		if err != nil || len(r.Hits) == 0 || r.Hits[0].Code != c.first {
			t.Errorf("%s: %q finds %+v, not %s first; error %v", c.name, c.text, r, c.first, err)
		}
	}
}

// A name is in the language asked for, else in that of the question, else in English.
func TestLanguageOfNames(t *testing.T) {
	s := searchOver(t, []offer.Offer{
		{Source: "insee", Code: "x", Title: "Taux de chômage", Language: "fr"},
		{Source: "insee", Code: "x", Title: "Jobless persons as a share", Language: "en"},
		{Source: "insee", Code: "x", Title: "Erwerbslose nach Alter", Language: "de"},
	})
	for _, c := range []struct{ text, language, want string }{
		{"unemployment rate", "", "en"}, {"unemployment rate", "fr", "fr"}, {"unemployment rate", "it", "en"},
		{"quel est le taux de chômage", "", "fr"},
	} {
		r, err := s.Find(t.Context(), search.Query{Text: c.text, Language: c.language})
		if err != nil || len(r.Hits) != 1 || r.Hits[0].Language != c.want {
			t.Errorf("%q in %q: %+v, error %v; the name must be in %s", c.text, c.language, r, err, c.want)
		}
	}
}

// A word of the name of a place is no misspelt other word.
func TestWordsOfPlacesStay(t *testing.T) {
	s := searchOver(t, []offer.Offer{
		{Source: "eurostat", Code: "corn", Title: "Corn production, articles of associations", Language: "en"},
		{Source: "insee", Code: "provence", Title: "Population de la Provence", Language: "fr"},
	})
	for text, areas := range map[string]int{"population Netherlands Antilles": 1, "population by province": 0, "cork production": 0, "Brandenburg population": 1} {
		r, err := s.Find(t.Context(), search.Query{Text: text})
		if err != nil || len(r.Corrections) > 0 || len(r.Areas) != areas {
			t.Errorf("%q: corrections %v, areas %v, error %v; want no correction and %d areas", text, r.Corrections, r.Areas, err, areas)
		}
	}
	if r, err := s.Find(t.Context(), search.Query{Text: "corm production"}); err != nil || len(r.Corrections) != 1 {
		t.Errorf("a misspelt word: corrections %v, error %v", r.Corrections, err)
	}
}
