package terms

import (
	"strings"
	"testing"
)

// TestQualifiers says which words of questions tell measures apart.
func TestQualifiers(t *testing.T) {
	if _, err := readQualifiers("yield"); err == nil {
		t.Error("a line without words is accepted")
	}
	for text, want := range map[string]string{
		"nominal effective exchange rate": "nominal",
		"real wages":                      "real",
		"real estate prices":              "",
		"real estate":                     "",
		"wheat yield":                     "yield",
		"government bond yields":          "",
		"mortalité néonatale":             "neonatal",
		"foreign population":              "foreigners",
		"foreign trade":                   "",
		"Fachärzte in Bayern":             "specialists",
		"minimum wage":                    "minimum",
		"population of France":            "",
	} {
		var names []string
		for _, q := range Qualifiers(text) {
			names = append(names, q.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestQualifiersOfCodes says which codes of units are of prices.
func TestQualifiersOfCodes(t *testing.T) {
	nominal, real := QualifierNamed("nominal"), QualifierNamed("real")
	for code, want := range map[string][2]bool{
		"CP_MEUR": {true, false}, "CP_EUR_HAB": {true, false}, "CLV20_MEUR": {false, true}, "CP01": {}, "PC_GDP": {},
	} {
		if got := [2]bool{nominal.IsIn(code), real.IsIn(code)}; got != want {
			t.Errorf("%s is nominal, real: %v, want %v", code, got, want)
		}
	}
}
