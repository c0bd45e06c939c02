package portal

import (
	"os"
	"regexp"
	"slices"
	"testing"
)

// TestFlags writes flags as tables have them, and what they mean. A normal value needs no flag, and a flag of an office is not taken
// for that of SDMX with the same letter.
func TestFlags(t *testing.T) {
	p, err := New(Options{BaseURL: "http://127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	french := p.languages[slices.Index(p.codes(), "fr")]
	for _, c := range []struct{ code, written, meaning string }{
		{"A", "", ""},
		{"B", "b", "rupture de série"},
		{"CONF_STATUS:C", "c", "confidentielle"},
		{"ESTAT:r", "r", "révisée"},
		{"ESTAT:i", "estat:i", "voir les métadonnées de la source"},
		{"STATCAN:E", "statcan:E", "à utiliser avec prudence"},
		{"STATCAN:C", "C", "qualité des données : bonne"},
		{"ILO:M", "ilo:M", "extrapolation fondée sur un modèle"},
		{"IMF:--", "--", "nulle, ou trop petite pour être indiquée"},
		{"FAO:<2.5", "<2.5", "moins de 2,5"},
		{"ECB:-", "-", "symbole de l’institut, non expliqué dans son fichier"},
	} {
		written := newFlags([]string{c.code})
		if written.String() != c.written {
			t.Errorf("%s is written %q, want %q", c.code, written, c.written)
		}
		meaning := ""
		for _, one := range french.addFlags(nil, written) {
			meaning = one.Name
		}
		if meaning != c.meaning {
			t.Errorf("%s means %q, want %q", c.code, meaning, c.meaning)
		}
	}
}

// TestFlagsHaveTexts looks for the texts of all flags that offices publish one list of, in all languages.
func TestFlagsHaveTexts(t *testing.T) {
	p, err := New(Options{BaseURL: "http://127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("../stat/flagnames.go")
	if err != nil {
		t.Fatal(err)
	}
	own := regexp.MustCompile(`(?m)^\t"([A-Z]+:[^"]+)": `).FindAllStringSubmatch(string(source), -1)
	if len(own) < 15 {
		t.Fatalf("the table has %d flags of offices", len(own))
	}
	for _, l := range p.languages[1:] {
		for _, code := range own {
			if _, ok := l.texts["flag."+code[1]]; !ok || l.flag(code[1]) == p.languages[0].flag(code[1]) {
				t.Errorf("%s in %s is %q", code[1], l.Code, l.flag(code[1]))
			}
		}
	}
}
