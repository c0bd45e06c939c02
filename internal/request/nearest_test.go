package request

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestNearest(t *testing.T) {
	countries := []string{"Germany", "Greece", "France", "Niger", "Nigeria", "European Union, 27 countries", "Österreich", "Iran", "Iraq", "DE", "EL", "FR"}
	for _, c := range []struct {
		text string
		want []string
	}{
		{"Germny", []string{"Germany"}},
		{"germany", []string{"Germany"}},
		{"Greeec", []string{"Greece"}},
		{"Nigera", []string{"Niger", "Nigeria"}},
		{"Irak", []string{"Iran", "Iraq"}},
		{"european union", []string{"European Union, 27 countries"}},
		{"österreich", []string{"Österreich"}},
		{"de", []string{"DE"}},
		{"Atlantis", nil},
		{"", nil},
	} {
		if got := nearest(c.text, countries); !slices.Equal(got, c.want) {
			t.Errorf("nearest to %q are %q, want %q", c.text, got, c.want)
		}
	}
}

// The distance is a metric on texts, is 1 for any single mistake, and is at
// most what deleting all of one and writing the other would be.
func TestEditDistance(t *testing.T) {
	distance := func(a, b string) int {
		d, _ := editDistance([]rune(a), []rune(b), nil)
		return d
	}
	word := rapid.StringOfN(rapid.RuneFrom([]rune("abcé")), 0, 8, -1)
	rapid.Check(t, func(t *rapid.T) {
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		d := distance(a, b)
		if d != distance(b, a) {
			t.Fatalf("%q to %q is %d, and back %d", a, b, d, distance(b, a))
		}
		if (d == 0) != (a == b) || d > max(len([]rune(a)), len([]rune(b))) {
			t.Fatalf("%q to %q is %d", a, b, d)
		}
		if at := rapid.IntRange(0, len(a)).Draw(t, "at"); strings.ToValidUTF8(a[:at], "") == a[:at] {
			if d := distance(a, a[:at]+"z"+a[at:]); d != 1 {
				t.Fatalf("one letter more in %q is a distance of %d", a, d)
			}
		}
	})
}
