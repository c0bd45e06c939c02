package portal_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"almanac/internal/people"
)

// TestMeasuresHaveTexts compares the texts of measures in English with the table of measures: each has one, with its label.
func TestMeasuresHaveTexts(t *testing.T) {
	table, err := os.ReadFile("../defaults/concepts.tsv")
	if err != nil {
		t.Fatal(err)
	}
	texts := readTexts(t, "texts/en.json")
	n := 0
	for line := range strings.Lines(string(table)) {
		fields := strings.Split(line, "\t")
		if n++; len(fields) < 2 || n == 1 {
			continue
		}
		if got := texts["measure."+fields[0]]["other"]; got != fields[1] {
			t.Errorf("measure.%s is %q, want %q", fields[0], got, fields[1])
		}
	}
}

// Topics, measures, offices, groups, tiers and what was asked for are in the language of the page.
func TestWordsInLanguages(t *testing.T) {
	base := serve(t, realStore(t), nil)
	for _, c := range []struct {
		address, language string
		shows             []string
		lacks             []string
	}{
		{"/search?q=ch%C3%B4mage", "fr", []string{"Travail", "(pour « chômage »)", "« chômage » trouve aussi « Unemployment »"}, []string{"Labour", "chomage"}},
		{"/search?q=Bev%C3%B6lkerung", "de", []string{"Weltbank", "Bevölkerung und Wanderung", "(für „Bevölkerung“)"}, []string{"World Bank", "Population and migration"}},
		{"/search?q=population", "es", []string{"Banco Mundial", "Población y migración"}, []string{"World Bank"}},
		{"/areas/PT", "fr", []string{"Taux de chômage", "Banque mondiale"}, []string{"Unemployment rate ", "World Bank"}},
		{"/areas", "fr", []string{"Monde arabe", "Asie de l’Est et Pacifique (hors revenu élevé)"}, []string{"Arab World", "without high income"}},
		{"/areas", "de", []string{"Subsahara-Afrika (IDA und IBRD)"}, nil},
		{"/compare?s=1:&s=5:&country=PT", "es", []string{"Banco Mundial"}, []string{"World Bank"}},
		{"/datasets/5/sp.pop.totl", "fr", []string{"Banque mondiale"}, nil},
		{"/datasets/2/eurofxref", "de", []string{"Europäische Zentralbank"}, nil},
		{"/sources", "fr", []string{"Banque centrale européenne", "Banque mondiale"}, []string{"European Central Bank"}},
		{"/sources/worldbank", "es", []string{"Banco Mundial"}, nil},
	} {
		root := openPage(t, base+c.address+map[bool]string{true: "&", false: "?"}[strings.Contains(c.address, "?")]+"lang="+c.language)
		text := textOf(elements(root, "main")[0])
		for _, want := range c.shows {
			if !strings.Contains(text, want) {
				t.Errorf("%s in %s does not show %q: %.1500s", c.address, c.language, want, text)
			}
		}
		if i := slices.IndexFunc(c.lacks, func(s string) bool { return strings.Contains(text, s) }); i >= 0 {
			t.Errorf("%s in %s shows %q: %.1500s", c.address, c.language, c.lacks[i], text)
		}
	}
}

// The tier of an account has a name in the language of the page.
func TestTiersInLanguages(t *testing.T) {
	o := openOffice(t, nil)
	r := o.member(t, "ann@example.org", "Example Times", people.Owner)
	for language, want := range map[string]string{"en": "tier essential", "de": "Stufe Basis", "fr": "formule Essentiel", "es": "nivel Esencial"} {
		r.open("/account?lang="+language).want(200, "/account", want)
	}
}
