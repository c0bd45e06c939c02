package topics_test

import (
	"slices"
	"testing"

	"almanac/internal/topics"
)

func TestFindByCodeAndName(t *testing.T) {
	for _, text := range []string{"1.2", "Labour", "arbeit", "Travail", "trabajo", " lavoro "} {
		if got, ok := topics.Find(text); !ok || got.Code != "1.2" {
			t.Errorf("Find(%q) = %v, %v, want 1.2", text, got.Code, ok)
		}
	}
	if got, ok := topics.Find("9.9"); ok {
		t.Errorf("Find(9.9) = %v, want none", got)
	}
}

func TestOfTheme(t *testing.T) {
	for _, c := range []struct{ name, theme, title, want string }{
		{"below an umbrella", "General and regional statistics > European and national indicators for short-term analysis > National accounts",
			"GDP and main components (output, expenditure and income)", "2.2"},
		{"with slashes", "General and regional statistics / European and national indicators for short-term analysis / National accounts", "", "2.2"},
		{"an umbrella alone", "Database by themes", "Consumer prices", "2.7"},
		{"regions below an umbrella", "General and regional statistics > Regional statistics by NUTS classification", "", "3.2"},
	} {
		if got := topics.Of(c.theme, c.title); len(got) == 0 || got[0] != c.want {
			t.Errorf("%s: Of(%q, %q) = %v, want %s first", c.name, c.theme, c.title, got, c.want)
		}
	}
	if got := topics.Of("General and regional statistics"); len(got) > 0 {
		t.Errorf("Of an umbrella = %v, want none", got)
	}
}

func TestOf(t *testing.T) {
	if got := topics.Of("Unemployment by sex and age"); !slices.Equal(got, []string{"1.2"}) {
		t.Errorf("Of = %v, want 1.2", got)
	}
	for title, want := range map[string][]string{
		"Índices nacionales y por comunidad autónoma de divisiones.":                           nil,
		"24369 - Taxa de desocupação - PNADC - %":                                              {"1.2"},
		"Main Economic Indicators Publication":                                                 nil,
		"Utenrikshandel med varer (tonn), etter import/eksport":                                {"2.6"},
		"Gross domestic product (GDP) at current market prices by NUTS 2 regions":              {"2.2"},
		"Disposable income of private households by NUTS 2 regions":                            {"1.5"},
		"Population by province of residence, place of birth, age, gender and year in Galicia": {"1.1"},
		"Indice CVS-CJO de la production industrielle (base 100 en 2015)":                      {"2.4.3"},
		"Price indexes of non-residential building construction":                               {"2.4.3", "2.7"},
		"Number of households": {"1.1"},
	} {
		if got := topics.Of("", title); !slices.Equal(got, want) && len(got)+len(want) > 0 {
			t.Errorf("Of(%q) = %v, want %v", title, got, want)
		}
	}
}
