package hits

import "testing"

// TestOtherKind says which questions are not answered by which series.
func TestOtherKind(t *testing.T) {
	for _, c := range []struct{ question, unit, text, want string }{
		{"unemployment rate", "Percentage of active population", "Unemployment rate", ""},
		{"unemployment rate", "Thousand persons", "Unemployment rate", "a rate or share"},
		{"unemployment rate", "", "Unemployed persons", "a rate or share"},
		{"Arbeitslosenquote", "Persons", "Arbeitslose", ""}, // the words say it
		{"share of renewable energy", "Terajoule", "Energy balances", "a rate or share"},
		{"exchange rate", "Pound sterling", "Euro exchange rates", ""},
		{"suicide rate", "Per 100 000", "Suicides", ""},
		{"taux de chômage", "%", "Chômage", ""},
		{"number of unemployed", "Percentage", "Unemployment", "a number"},
		{"number of unemployed", "Thousand persons", "Unemployment", ""},
		{"Alkoholtote Polen", "Percent", "Deaths, Alcohol use", "a number"},
		{"Verkehrstoten in Polen", "Percent", "Deaths, Road injuries", "a number"},
		{"Krebstodesfälle Polen", "Percent", "Deaths, Neoplasms", "a number"},
		{"Lebendgeburten Polen", "Per 1 000 persons", "Live births", "a number"},
		{"morts par alcool en Pologne", "Percent", "Deaths, Alcohol use", "a number"},
		{"muertos por alcohol en Polonia", "Percent", "Deaths, Alcohol use", "a number"},
		{"fallecidos en Polonia", "Percent", "Deaths", "a number"},
		{"Alkoholtote Polen", "Number", "Deaths, Alcohol use", ""},
		{"Verkehrstote pro 100 000 Einwohner", "Per 100 000", "Deaths, Road injuries", ""},
		{"Geburtenrate Polen", "Per 1 000 persons", "Live births", ""},
		{"Quote der Mädchen", "Percent", "Girls", ""},
		{"wieviele Arbeitslose", "Percentage", "Unemployment", "a number"},
		{"price index", "Percent", "Percentage Change from Corresponding Quarter of Previous Year", "an index"},
		{"Preisindex", "Percent", "Percentage Change from Corresponding Quarter of Previous Year", "an index"},
		{"indice des prix", "%", "Prix à la consommation, variation", "an index"},
		{"índice de precios", "%", "Variación anual", "an index"},
		{"price index", "Index Numbers", "Index Numbers; All groups CPI", ""},
		{"índice de fecundidad", "Births per woman", "Fertility", ""},
		{"growth of the price index", "Percent", "Percentage change", ""},
		{"persons at risk of poverty", "Percentage", "Persons at risk of poverty", ""},
		{"GDP growth", "Million euro", "Gross domestic product", "growth"},
		{"GDP growth", "Percentage change on previous period", "Gross domestic product", ""},
		{"GDP per capita", "Million euro", "Gross domestic product", "values per inhabitant"},
		{"GDP per capita", "Euro per inhabitant", "Gross domestic product", ""},
		{"GDP pro Kopf", "CLV20_EUR_HAB", "Bruttoinlandsprodukt", ""},
		{"population", "Persons", "Population", ""},
		{"discount rate", "", "discount_rate", ""},
	} {
		if got := otherKind(c.question, c.unit, []string{c.text}); got != c.want {
			t.Errorf("%s with %s, %s: got %q, want %q", c.question, c.unit, c.text, got, c.want)
		}
	}
}

// TestRatesOfChange says which questions a rate of change does not answer.
func TestRatesOfChange(t *testing.T) {
	const change = "Percentage change on previous period"
	for _, c := range []struct {
		question, unit, text string
		isAnswer             bool
	}{
		{"GDP real France", change, "Gross domestic product, volume", false},
		{"industrial production Germany", "", "Production in industry, annual rate of change", false},
		{"real GDP growth France", change, "Gross domestic product, volume", true},
		{"recession France", change, "Gross domestic product, volume", true},
		{"inflation France", "Annual rate of change", "HICP", true},
		{"consumer prices France", "Annual rate of change", "HICP", true},
		{"taux de croissance du PIB", "% change", "GDP", true},
		{"GDP real France", "Million euro", "Gross domestic product, changes in inventories", true},
		{"GDP real France", "Index, 2015 = 100", "Gross domestic product, volume", true},
	} {
		if got := !isOfChange(c.unit, []string{c.text}) || mayAskChange(c.question); got != c.isAnswer {
			t.Errorf("%s with %s, %s: an answer is %v, want %v", c.question, c.unit, c.text, got, c.isAnswer)
		}
	}
}
