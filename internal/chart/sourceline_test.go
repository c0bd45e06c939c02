package chart

import "testing"

// TestSourceInText takes the source of a file from a line beside its table, if one line names it.
func TestSourceInText(t *testing.T) {
	for _, c := range []struct {
		text, want string
		ok         bool
	}{
		{"Source: Ministry of Tourism. Contact: stat@example.org\n* break", "Ministry of Tourism", true},
		{"Revised.\nQuelle: Statistisches Amt", "Statistisches Amt", true},
		{"Sources : Insee, DGFiP.", "Insee, DGFiP", true},
		{"Fuente: INE", "INE", true},
		{"Fonte: Istat", "Istat", true},
		{"Source: U.S. Census Bureau", "U.S. Census Bureau", true},
		{"Source: A\nSource: B", "", true}, // each may be that of a part
		{"The data source: see notes", "", false},
		{"Source of energy: gas", "", false},
		{"", "", false},
	} {
		if got, ok := sourceInText(c.text); got != c.want || ok != c.ok {
			t.Errorf("%q: %q, %t; want %q, %t", c.text, got, ok, c.want, c.ok)
		}
	}
}
