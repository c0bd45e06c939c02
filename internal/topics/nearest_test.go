package topics_test

import (
	"slices"
	"testing"

	"almanac/internal/topics"
)

func TestNearest(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"German, another word for it", "Wirtschaftliche Gesamtrechnungen", "Volkswirtschaftliche Gesamtrechnungen"},
		{"typo in English", "Labuor", "Labour"},
		{"American spelling", "Labor cost", "Labour cost"},
		{"French, singular", "Prix à la consommation", "Prix"},
		{"French, part of a name", "comptes", "Comptes économiques"},
		{"Spanish, without accent", "Agricultura y pesca", "Agricultura, silvicultura, pesca"},
		{"Italian", "Commercio estero e bilancia dei pagamenti", "Commercio internazionale e bilancia dei pagamenti"},
		{"code below a topic", "2.99", "2"},
		{"what a topic is about", "Inflation", "Prices"},
	} {
		got := topics.Nearest(c.text)
		if !slices.Contains(got, c.want) || len(got) > 3 {
			t.Errorf("%s: Nearest(%q) = %q, want %q among at most three", c.name, c.text, got, c.want)
		}
		for _, name := range got {
			if _, ok := topics.Find(name); !ok {
				t.Errorf("%s: Nearest(%q) has %q, which is no topic", c.name, c.text, name)
			}
		}
	}
	for _, text := range []string{"", "xyzzyx", "99", "…"} {
		if got := topics.Nearest(text); len(got) > 0 {
			t.Errorf("Nearest(%q) = %q, want none", text, got)
		}
	}
}
