package request

import (
	"testing"

	"almanac/internal/stat"
)

// TestWhyNoAmount checks which series may be divided by a population, as offices name them.
func TestWhyNoAmount(t *testing.T) {
	for _, c := range []struct {
		name, title, unit, label string
		isAmount                 bool
	}{
		{"money by its unit", "World Economic Outlook", "U.S. dollars", "Gross domestic product, current prices", true},
		{"money for each head by its label", "World Economic Outlook", "U.S. dollars", "Gross domestic product per capita, current prices", false},
		{"money by its label", "Per capita GDP", "", "GDP in current prices (millions of US dollars)", true},
		{"money for each head beside it", "Per capita GDP", "", "GDP per capita (US dollars)", false},
		{"money by its title", "GDP (current US$)", "", "", true},
		{"growth by its title", "GDP growth (annual %)", "", "", false},
		{"tonnes", "Annual CO₂ emissions", "tonnes", "", true},
		{"tonnes of each person by its unit", "CO₂ emissions", "tonnes per person", "", false},
		{"tonnes of each person by its title", "CO₂ emissions per capita", "tonnes", "", false},
		{"persons in thousands", "Unemployment", "Thousands of Persons", "", true},
		{"thousands", "Employment by industry", "Thousands", "Total", true},
		{"a rate by its unit", "Unemployment", "% of the labor force", "", false},
		{"a rate by its title", "Unemployment rate", "", "", false},
		{"years", "Life expectancy at birth", "Years", "Both sexes", false},
		{"years without a unit", "Life expectancy at birth (years)", "", "Both sexes", false},
		{"balances of opinion", "Business and consumer surveys", "BAL", "Confidence", false},
		{"an index", "Consumer prices", "2015 = 100", "", false},
		{"a price", "Commodity prices", "US dollars", "Gold", false},
		{"a price for each unit", "Commodities", "$/bbl", "Crude oil, Brent", false},
		{"prices of valuation", "National accounts", "Current prices, million euro", "Exports of goods", true},
		{"prices of the previous year", "National accounts", "Previous year prices, million units of national currency", "Imports", true},
		{"two names of a currency", "National accounts", "Millions of euro/ECU", "Imports", true},
		{"an exchange rate", "Euro exchange rates", "USD", "US dollar", false},
		{"a wage", "Monthly minimum wages", "Euro", "", false},
		{"a mean", "Mean income", "Euro", "", false},
		{"a number", "Live births", "Number", "Total", true},
		{"a number in German", "Bevölkerung", "Anzahl", "Insgesamt", true},
		{"a number of ages", "Population on 1 January", "Number", "From 15 to 64 years", true},
		{"a yield", "Crops and livestock", "hg/ha", "Yield", false},
		{"a harvest", "Crops and livestock", "tonnes", "Production", true},
		{"a purchasing power parity", "Purchasing power parities", "National currency", "", false},
		{"an unknown unit", "Something", "foo", "", false},
		{"nothing", "Something", "", "", false},
		{"a real rate", "Real effective exchange rate", "", "", false},
		{"a rate beside the name of a survey", "Unemployment rate by sex", "", "LFS - Household Labour Force Survey", false},
		{"a wage in one of several currencies", "Average annual wages", "Euro", "Total", false},
		{"a net wage", "Annual net earnings", "US dollars", "Single person without children", false},
		{"the unit in the title's brackets", "gdp", "current US$", "", true},
		{"deaths for each birth", "Infant mortality", "Number", "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := &stat.Dataset{Name: c.title, Unit: c.unit, Dimensions: []stat.Dimension{{ID: "item", Codes: []stat.Code{{ID: "1", Label: c.label}}}}}
			if why := whyNoAmount(d, &stat.Block{Key: []int32{0}}); (why == "") != c.isAmount {
				t.Errorf("got %q, want an amount: %v", why, c.isAmount)
			}
		})
	}
}

// A code of money goes before a slash in its label, but not before words such as per.
func TestAmountsByCode(t *testing.T) {
	for _, c := range []struct {
		code, label string
		isAmount    bool
	}{
		{"MIO_EUR", "Millions of euro (from 1.1.1999)/Millions of ECU (up to 31.12.1998)", true},
		{"CP_MNAC", "Current prices, million national currency/euro", true},
		{"EUR_KG", "Euro/kilogram", false},
		{"EUR", "Euro per tonne", false},
		{"PC_GDP", "Percentage of gross domestic product (GDP)", false},
	} {
		units := stat.Dimension{ID: "unit", Role: stat.RoleUnit, Codes: []stat.Code{{ID: c.code, Label: c.label}}}
		d := &stat.Dataset{Name: "Government deficit and debt", Dimensions: []stat.Dimension{units}}
		if why := whyNoAmount(d, &stat.Block{Key: []int32{0}}); (why == "") != c.isAmount {
			t.Errorf("%s, %s: got %q, want an amount: %v", c.code, c.label, why, c.isAmount)
		}
	}
}

// A currency beside the measure shows no amount, but a measure with the name of one does.
func TestAmountsBesideCurrency(t *testing.T) {
	for label, isAmount := range map[string]bool{
		"hc": false, "Human capital index": false, "Share of imports": false, "Imports of goods": true, "Gross domestic product": true, "Government debt": true, "labsh": false,
	} {
		dims := []stat.Dimension{{ID: "currency_unit", Role: stat.RoleOther, Codes: []stat.Code{{ID: "Euro", Label: "Euro"}, {ID: "Lek", Label: "Lek"}}}, {ID: "INDICATOR", Role: stat.RoleOther, Codes: []stat.Code{{ID: label, Label: label}}}}
		d := &stat.Dataset{Name: "table", Dimensions: dims}
		if why := whyNoAmount(d, &stat.Block{Key: []int32{0, 0}}); (why == "") != isAmount {
			t.Errorf("%s: got %q, want an amount: %v", label, why, isAmount)
		}
	}
}
