package terms

import (
	"fmt"
	"testing"
)

func TestCurrencies(t *testing.T) {
	for text, want := range map[string]string{
		"euro dollar":                        "[[EUR] [USD]]",
		"Swiss franc rate":                   "[[CHF]]",
		"Schweizer Franken Kurs":             "[[CHF]]",
		"cours du franc suisse":              "[[CHF]]",
		"tipo de cambio del peso mexicano":   "[[MXN]]",
		"cambio sterlina euro":               "[[GBP] [EUR]]",
		"Canadian dollar":                    "[[CAD]]",
		"krone euro":                         "[[NOK DKK] [EUR]]",
		"USD/CAD":                            "[[USD] [CAD]]",
		"CP_MEUR":                            "[[EUR]]",
		"Official exchange rate (LCU / US$)": "[[USD]]",
		"unemployment in the euro area":      "[]",
		"taux de chômage dans la zone euro":  "[]",
		"real GDP":                           "[]",
		"all sek":                            "[]",
	} {
		if got := fmt.Sprint(Currencies(text)); got != want {
			t.Errorf("%q names %s, want %s", text, got, want)
		}
	}
}
