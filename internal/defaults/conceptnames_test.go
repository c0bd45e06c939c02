package defaults

import (
	"strings"
	"testing"
)

// A concept is found by its names only. What is more, less or something else finds none, but those that share words with it.
func TestConceptNamed(t *testing.T) {
	for _, c := range []struct{ text, want, similar string }{
		{"Infant mortality", "infant-mortality", ""},
		{"maternal mortality", "maternal-mortality", ""},
		{"neonatal mortality rate", "neonatal-mortality", ""},
		{"youth unemployment", "youth-unemployment-rate", ""},
		{"unemployment-rate", "unemployment-rate", ""},
		{"Taux de chômage", "unemployment-rate", ""},
		{"GDP", "gdp", ""},
		{"GDP growth", "gdp-growth", ""},
		{"real GDP", "gdp-volume", ""},
		{"GDP per head", "gdp-per-capita", ""},
		{"BIP pro Kopf", "gdp-per-capita", ""},
		{"gross domestic product volume", "gdp-volume", ""},
		{"birth rate", "birth-rate", ""},
		{"death rate", "death-rate", ""},
		{"births per woman", "fertility-rate", ""},
		{"house prices", "house-prices", ""},
		{"oil price", "oil-price", ""},
		{"dollars per euro", "euro-dollar-rate", ""},
		{"births", "", "birth-rate"},
		{"teenage births", "", "adolescent-fertility"},
		{"number of deaths", "", "death-rate"},
		{"long-term unemployment", "", "unemployment-rate"},
		{"life expectancy at 65", "", "life-expectancy"},
		{"population growth", "", "population"},
		{"GNI per capita", "", "gdp-per-capita"},
		{"number of people in prison", "", ""},
		{"people in poverty", "", ""},
	} {
		var similar []string
		for _, s := range SimilarConcepts(c.text) {
			similar = append(similar, s.ID)
		}
		id := ""
		if found := ConceptNamed(c.text); found != nil {
			id = found.ID
		}
		if id != c.want || !strings.Contains(strings.Join(similar, " "), c.similar) || c.want == "" && c.similar == "" && similar != nil {
			t.Errorf("%q: %q, similar %v; want %q, %q", c.text, id, similar, c.want, c.similar)
		}
	}
}

func TestNamesOfTwoConcepts(t *testing.T) {
	list := []Concept{{ID: "a", Label: "A", Names: []string{"Rate of A"}}, {ID: "b", Label: "B", Names: []string{"rate-of a"}}}
	if _, err := indexNames(list); err == nil || !strings.Contains(err.Error(), `"rate-of a" is a name of a and of b`) {
		t.Errorf("error %v", err)
	}
}
