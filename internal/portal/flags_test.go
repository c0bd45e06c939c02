package portal

import (
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
		{"STATCAN:E", "statcan:E", "use with caution"},
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
