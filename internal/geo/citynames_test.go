package geo_test

import (
	"slices"
	"testing"

	"almanac/internal/geo"
)

func TestCityNames(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string // among the names; nil if the text is no name of a city
	}{
		{"Warsaw", []string{"warsaw", "warschau", "warszawa"}},
		{"Munich", []string{"munich", "munchen"}},
		{"Łódź", []string{"lodz"}},
		{"Poznań", []string{"poznan"}}, // unknown
		{"Germany", nil},
		{"PL-14", nil},
		{"DE", nil},
	} {
		got := geo.CityNames(c.text)
		if c.want == nil && got != nil || slices.ContainsFunc(c.want, func(name string) bool { return !slices.Contains(got, name) }) {
			t.Errorf("%s: got %q, want %q among them", c.text, got, c.want)
		}
	}
	if got := geo.CityNames("Warsaw"); slices.Contains(got, "masovia") {
		t.Errorf("the region is no name of Warsaw: %q", got)
	}
}

func TestCityOfLabel(t *testing.T) {
	for label, want := range map[string]string{
		"Łódź (1)":                  "lodz",
		"M.st.Warszawa od 2002 (1)": "warszawa",
		"Miasto Warszawa":           "warszawa",
		"München, kreisfreie Stadt": "munchen",
		"Sofia (stolitsa)":          "sofia",
		"Byen København":            "kobenhavn",
		"München, Landkreis":        "",
		"Łódzkie":                   "",
		"Mexico City":               "mexico",
	} {
		if got, ok := geo.CityOfLabel(label); ok != (want != "") || ok && got != want {
			t.Errorf("%s: got %q %v, want %q", label, got, ok, want)
		}
	}
}
