package caption_test

import (
	"testing"

	"almanac/internal/chart/caption"
)

func TestCutMultiple(t *testing.T) {
	for _, test := range []struct {
		unit, counted string
		power         int
	}{
		{"Thousand", "", 3},
		{"US dollar (millions)", "US dollar", 6},
		{"millions of US dollars", "US dollars", 6},
		{"Current prices, million euro", "Current prices, euro", 6},
		{"Chain linked volumes (2015), million units of national currency", "Chain linked volumes (2015), units of national currency", 6},
		{"in millions Euro", "Euro", 6},
		{"Euro Million", "Euro", 6},
		{"Mrd. EUR", "EUR", 9},
		{"Million euro", "Euro", 6},
		{"billions of current dollars", "current dollars", 9},
		{"thousands of persons", "persons", 3},
		{"Tones (thousands)", "Tones", 3},
		{"1000s", "", 3},
		{"1 000 tonnes", "tonnes", 3},
		{"Absolute value in thousands", "Absolute value", 3},
		{"Employees aged 15-74 (LFS), 1000s", "Employees aged 15-74 (LFS)", 3},
		{"in jeweiligen Preisen (Mrd. EUR)", "in jeweiligen Preisen (EUR)", 9},
		{"GDP in billions of current dollars", "GDP in current dollars", 9},
		{"sterling holdings (in sterling millions) seasonally adjusted", "sterling holdings (in sterling) seasonally adjusted", 6},
		{"Befolkning 1. januar (i 1000)", "Befolkning 1. januar", 3},
		{"millones de euros", "euros", 6},
		{"Milliers de personnes", "Personnes", 3},
		{"Milliards d'euros", "Euros", 9},
		{"億円", "円", 8},
		{"千人", "人", 3},
		{"€m", "€", 6},
		{"Cost ($m)", "Cost ($)", 6},
		{"A$m", "A$", 6},
		{"Market cap ($tn)", "Market cap ($)", 12},
		{"€ mn", "€", 6},
		{"EUR m", "EUR", 6},
		{"USD mn", "USD", 6},
		{"£000s", "£", 3},
		{"Cost (£'000)", "Cost (£)", 3},
		{"Population ('000)", "Population", 3},
		{"M€", "€", 6},
		{"k€", "€", 3},
		{"MEUR", "EUR", 6},
		{"Md€", "€", 9},
		{"Rs crore", "Rs", 7},
		{"lakh rupees", "rupees", 5},
		{"€t", "€t", 0},
		{"€/m", "€/m", 0},
		{"CO2 m", "CO2 m", 0},
		{"kg per €m", "kg per €m", 0},
		{"Deaths per 1,000 live births", "Deaths per 1,000 live births", 0},
		{"Per hundred thousand inhabitants", "Per hundred thousand inhabitants", 0},
		{"euro per million inhabitants", "euro per million inhabitants", 0},
		{"Index, 2015=100", "Index, 2015=100", 0},
		{"100 million yuan", "100 million yuan", 0},
		{"thousand square meters (thsd. sq.m)", "square meters", 3},
		{"Million euro or thousand persons", "Million euro or thousand persons", 0},
		{"persons", "persons", 0},
		{"miles", "miles", 0},
		{"", "", 0},
	} {
		if counted, power := caption.CutMultiple(test.unit); counted != test.counted || power != test.power {
			t.Errorf("CutMultiple(%q) = %q, %d; want %q, %d", test.unit, counted, power, test.counted, test.power)
		}
	}
}

func TestIsPlainCurrency(t *testing.T) {
	for unit, want := range map[string]bool{
		"EUR": true, "Euro": true, "Chilean Peso (millions)": true, "Million euro": true, "Australian dollar": true,
		"Yen": true, "US dollar": true, "Zloty": true, "Swedish kronor": true, "Real": false, "Pounds": false,
		"US dollars per head": false, "Persons": false, "% of GDP": false, "": false,
	} {
		if caption.IsPlainCurrency(unit) != want {
			t.Errorf("IsPlainCurrency(%q) = %t", unit, !want)
		}
	}
}
