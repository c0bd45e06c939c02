package hits

import (
	"strings"
	"testing"
)

func TestWithEnd(t *testing.T) {
	for _, c := range []struct{ question, words, want string }{
		{"infl", "inflation", "inflation"}, {"US Infl", "us inflation", "US inflation"}, {"Inflation", "inflation", "Inflation"},
		{"GDP of Spain", "gdp", "GDP of Spain"}, {"infl?", "inflation", "infl?"}, {"", "", ""},
	} {
		if got := withEnd(c.question, strings.Fields(c.words)); got != c.want {
			t.Errorf("%q is %q, want %q", c.question, got, c.want)
		}
	}
}
