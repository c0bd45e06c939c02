package portal

import (
	"slices"
	"testing"
)

// TestPeriodsOfPages reads and writes periods as pages of a language do.
func TestPeriodsOfPages(t *testing.T) {
	p, err := New(Options{BaseURL: "http://127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ lang, text, code, written string }{
		{"fr", "T1 2015", "Q1/2015", "T1 2015"},
		{"fr", "t1/2015", "Q1/2015", "T1 2015"},
		{"fr", "2015-T1", "Q1/2015", "T1 2015"},
		{"fr", "2015-Q1", "2015-Q1", "T1 2015"},
		{"fr", "S2 2015", "H2/2015", "S2 2015"},
		{"fr", "sem. 5 2024", "W05/2024", "sem. 5 2024"},
		{"fr", "31/01/2024", "31/01/2024", "31/01/2024"},
		{"fr", "T5 2015", "T5 2015", "T5 2015"},
		{"de", "31.01.2024", "31/01/2024", "31.01.2024"},
		{"de", "2024-01-31", "2024-01-31", "31.01.2024"},
		{"de", "2. Hj. 2024", "H2/2024", "2. Hj. 2024"},
		{"de", "Q1 2015", "Q1/2015", "Q1 2015"},
		{"de", "T1 2015", "T1 2015", "T1 2015"},
		{"en", "Q1 2015", "Q1/2015", "Q1/2015"},
		{"es", "T3/2015", "Q3/2015", "T3 2015"},
		{"en", "soon", "soon", "soon"},
	} {
		l := p.languages[slices.Index(p.codes(), c.lang)]
		if got := l.periodOf(c.text); got != c.code {
			t.Errorf("%s: %s is read as %s, want %s", c.lang, c.text, got, c.code)
		}
		if got := l.period(c.code); got != c.written {
			t.Errorf("%s: %s is written %s, want %s", c.lang, c.code, got, c.written)
		}
	}
}
