package terms_test

import (
	"slices"
	"testing"

	"almanac/internal/search/terms"
)

func TestFind(t *testing.T) {
	for _, c := range []struct{ name, text, language, want string }{
		{"term of the field", "unemployment", "en", "unemployment"},
		{"everyday words", "how many people are out of work", "en", "unemployment"},
		{"German plural", "Wie viele Arbeitslose gibt es?", "de", "unemployment"},
		{"without accents", "chomage", "fr", "unemployment"},
		{"language not known", "disoccupazione", "", "unemployment"},
	} {
		t.Run(c.name, func(t *testing.T) {
			found := terms.Load().Find(c.text, c.language)
			if len(found) == 0 || found[0].Concept.ID != c.want {
				t.Errorf("Find(%q) = %+v, want %s", c.text, found, c.want)
			}
		})
	}
}

// TestAlso checks that words of other terms of a concept are noted, only if the text has all words of them.
func TestAlso(t *testing.T) {
	for _, c := range []struct {
		text string
		want []int
	}{
		{"hotel nights of French guests", []int{4}}, // guest nights
		{"overnight stays of guests", nil},
		{"exports of services", nil},
	} {
		if found := terms.Load().Find(c.text, "en"); len(found) == 0 || !slices.Equal(found[0].Also, c.want) {
			t.Errorf("Find(%q) = %+v, want also %v", c.text, found, c.want)
		}
	}
}

func TestAreas(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"unemployment in germany", []string{"DE"}},
		{"German and French wages", []string{"DE", "FR"}},
		{"Bevölkerung Südkorea", []string{"KR"}},
		{"prices for us", nil},
		{"prices in the US", []string{"US"}},
		{"GDP of the United States", []string{"US"}},
		{"paro en España", []string{"ES"}},
		{"european union debt", []string{"EU27_2020"}},
		{"debt of the euro zone", []string{"EA"}},
		{"Inflation im Euroraum", []string{"EA"}},
		{"population of the Republic of the Congo", []string{"CG"}},
		{"Republic of Congo exports", []string{"CG"}},
		{"DR Congo exports", []string{"CD"}},
		{"Bevölkerung der Demokratischen Republik Kongo", []string{"CD"}},
		{"sueldos de los españoles", []string{"ES"}},
		{"taux de chômage français", []string{"FR"}},
		{"Löhne der Briten", []string{"GB"}},
		{"rents in Holland", []string{"NL"}},
		{"indian and south korean exports", []string{"IN", "KR"}},
		{"latin american debt", []string{"un:419"}},
		{"Arbeitslosigkeit in Oesterreich", []string{"AT"}},
		{"prezzi in Svizzera e Lombardia", []string{"CH", "IT-25"}},
		{"Northern Ireland and Ireland", []string{"GB-NIR", "IE"}},
		{"tourists in New Zealand", []string{"NZ"}},
		{"population of the Czech Republic", []string{"CZ"}},
		{"Côte d'Ivoire cocoa", []string{"CI"}},
		{"how many people are out of work", nil},
		{"Turkey exports", []string{"TR"}},
		{"US dollar euro", nil},
		{"exchange rate of the Norwegian krone", nil},
		{"New Zealand dollar", nil},
		{"taux de change du dollar canadien", nil},
		{"Schweizer Franken", nil},
		{"euro dollar Canada", []string{"CA"}},
		{"GDP of Japan in US dollars", []string{"JP"}},
		{"GDP (current US$)", nil},
		{"minimum wage Germany dollars", []string{"DE"}}, // the name of a country is no part of a currency that has none
		{"Hong Kong dollar", nil},
		{"turkey inflation", []string{"TR"}},
		{"prices of turkey meat", nil},
		{"Munich population", []string{"DE212"}},
		{"Einwohner Muenchen", []string{"DE212"}},
		{"house prices in London", []string{"UKI"}},
		{"Londres población", []string{"UKI"}},
		{"income in Arkansas and Ohio", []string{"US-AR", "US-OH"}},
		{"Arbeitslose in Kärnten", []string{"AT-2"}},
		{"población de Málaga", []string{"ES-MA"}},
		{"paro en Granada", []string{"ES-GR"}},
		{"turisti a Siena", []string{"IT-SI"}},
		{"population of Georgia", []string{"GE"}},
		{"Mecklenburg-Western Pomerania", []string{"DE-MV"}},
		{"precios corrientes", nil},
		{"world population", nil},
		{"farms in Manitoba", []string{"CA-MB"}},
		{"crime in São Paulo", []string{"BR-SP"}},
	} {
		t.Run(c.text, func(t *testing.T) {
			var got []string
			for _, a := range terms.Load().Areas(c.text) {
				got = append(got, a.ID)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("Areas(%q) = %v, want %v", c.text, got, c.want)
			}
		})
	}
}
