package multiples_test

import (
	"testing"

	"almanac/internal/multiples"
)

// TestCut: a word makes numbers multiples if they are not divided by it.
func TestCut(t *testing.T) {
	for _, c := range []struct {
		text, counted string
		power         int
	}{
		{"Value (thousands)", "Value", 3},
		{"Value in millions", "Value", 6},
		{"Value, '000", "Value", 3},
		{"Exports, mio", "Exports", 6},
		{"Turnover (€m)", "Turnover (€)", 6},
		{"Deaths (per million)", "Deaths (per million)", 0},
		{"Millionaires", "Millionaires", 0},
	} {
		if counted, power := multiples.Cut(c.text); counted != c.counted || power != c.power {
			t.Errorf("Cut(%q) = %q, %d, want %q, %d", c.text, counted, power, c.counted, c.power)
		}
	}
	if multiples.Has("Value") || !multiples.Has("Thousand persons") {
		t.Error("Has finds no multiple, or one where there is none")
	}
}
