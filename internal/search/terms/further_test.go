package terms_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"almanac/internal/search/terms"
)

// TestFurther checks that words of further languages find their concept, unless they are words of the table.
func TestFurther(t *testing.T) {
	for text, want := range map[string]string{
		"lakónépesség":                      "population",
		"a lakónépesség nem szerint":        "population",
		"népességének":                      "population",
		"míra nezaměstnanosti":              "unemployment_rate",
		"ludność Polski":                    "population",
		"Índice de Preços no Consumidor":    "consumer_prices",
		"ανεργία":                           "unemployment",
		"hrubý domácí produkt":              "gdp",
		"hospitals":                         "hospitals",
		"Levensverwachting bij de geboorte": "life_expectancy",
	} {
		found := terms.Load().Find(text, "")
		if !slices.ContainsFunc(found, func(m terms.Match) bool { return m.Concept.ID == want }) {
			t.Errorf("Find(%q) = %+v, want %s", text, found, want)
		}
	}
}

// TestFurtherTerms checks that each term of languages.txt finds its concept, or one of which the table has the words.
func TestFurtherTerms(t *testing.T) {
	languages := map[string]bool{}
	for _, c := range terms.Load().Concepts() {
		for _, f := range c.Further {
			languages[f.Language] = true
			found := terms.Load().Find(strings.ReplaceAll(f.Term, "*", ""), "")
			if !slices.ContainsFunc(found, func(m terms.Match) bool { return m.Concept == c || slices.Contains(terms.Languages, m.Language) }) {
				t.Errorf("%s: %s: %q finds %v", c.ID, f.Language, f.Term, found)
			}
		}
	}
	if len(languages) < 19 {
		t.Errorf("there are %d further languages", len(languages))
	}
}

func TestWrongFurther(t *testing.T) {
	files := fstest.MapFS{"concepts/a.txt": {Data: []byte("topic 1.1\npopulation\nen: x\nde: a\nfr: b\nes: c\nit: d\n")}}
	table, err := terms.Parse(files, "", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, want string }{
		{"nothing_known\nhu: x", `line 1: "nothing_known" is no concept`},
		{"population\nen: x", `line 2: "en" is no code of a further language`},
		{"population\nhu: nép*", `"nép*" is too short`},
		{"population\nhu: , x", `has no letter`},
		{"population\nhu: népesség*, lakosság", ""},
	} {
		if err := table.ReadFurther(c.text); c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%q: error %v, want %q", c.text, err, c.want)
		}
	}
}
