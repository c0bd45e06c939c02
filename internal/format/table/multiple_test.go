package table

import "testing"

// TestMultiplierIn: a heading states a multiplier where it states a unit.
func TestMultiplierIn(t *testing.T) {
	p := &plan{Mapping: &Mapping{HasMultiples: true}}
	for heading, want := range map[string]string{
		"Value (thousands)":                       "3",
		"Value (in millions)":                     "6",
		"Value in millions":                       "6",
		"Value, '000":                             "3",
		"Exports, mio":                            "6",
		"Exports (€m)":                            "6",
		"Exports (USD million)":                   "6",
		"Output (1000 tonnes)":                    "3",
		"Umsatz in 1000 Euro":                     "3",
		"value_thousands":                         "3",
		"Persons (thousands, 2020=100)":           "3",
		"Value":                                   "",
		"Deaths (per million)":                    "",
		"Deaths in 1000 births":                   "",
		"Index (1913=1000)":                       "",
		"zmiana ludności na 1000 mieszkańców":     "",
		"zmiana ludności (na 1000 mieszkańców)":   "",
		"zmiana ludności, na 1000":                "",
		"Cities with more than 1 million persons": "",
		"Paper mill":                              "",
	} {
		if got := p.multiplierIn(heading); got != want {
			t.Errorf("multiplierIn(%q) = %q, want %q", heading, got, want)
		}
	}
}

// TestMultiplied: a unit gets a multiplier if it has none and is no share.
func TestMultiplied(t *testing.T) {
	for unit, want := range map[string]string{
		"Persons": "Persons (thousands)", "USD": "USD (thousands)", "": "", "%": "%", "Thousand persons": "Thousand persons",
		"THS_PER": "THS_PER", "tys. osób": "tys. osób", "MIO_EUR": "MIO_EUR", "Index, 2015=100": "Index, 2015=100",
	} {
		if got := multiplied(unit, "3"); got != want {
			t.Errorf("multiplied(%q) = %q, want %q", unit, got, want)
		}
	}
}
