package stat

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"almanac/internal/stattest/property"
)

func TestNearest(t *testing.T) {
	countries := []string{"Germany", "Greece", "France", "Niger", "Nigeria", "European Union, 27 countries", "Österreich", "Iran", "Iraq", "Mali (formerly French Sudan)", "DE", "EL", "FR"}
	for _, c := range []struct {
		text string
		want []string
	}{
		{"Germny", []string{"Germany"}},
		{"germany", []string{"Germany"}},
		{"Greeec", []string{"Greece"}},
		{"Nigera", []string{"Niger", "Nigeria"}},
		{"Irak", []string{"Iran", "Iraq"}},
		{"Malli", []string{"Mali (formerly French Sudan)"}},
		{"european union", []string{"European Union, 27 countries"}},
		{"österreich", []string{"Österreich"}},
		{"de", []string{"DE"}},
		{"Atlantis", nil},
		{"", nil},
	} {
		if got := Nearest(c.text, countries); !slices.Equal(got, c.want) {
			t.Errorf("nearest to %q are %q, want %q", c.text, got, c.want)
		}
	}
}

// plainDistance computes the whole table, without a limit.
func plainDistance(a, b []rune) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		for j := range d[i] {
			switch {
			case i == 0 || j == 0:
				d[i][j] = i + j
			case a[i-1] == b[j-1]:
				d[i][j] = d[i-1][j-1]
			default:
				d[i][j] = 1 + min(d[i-1][j-1], d[i-1][j], d[i][j-1])
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}

// Up to the limit, editDistance returns the same as plainDistance, also with reused rows.
func TestEditDistance(t *testing.T) {
	word := rapid.StringOfN(rapid.RuneFrom([]rune("abcé")), 0, 12, -1)
	var rows [3][]int
	property.Check(t, func(t *rapid.T) {
		a, b := []rune(word.Draw(t, "a")), []rune(word.Draw(t, "b"))
		limit := rapid.IntRange(0, 8).Draw(t, "limit")
		want := min(plainDistance(a, b), limit+1)
		if got := editDistance(a, b, limit, &rows); got != want {
			t.Fatalf("%q to %q within %d is %d, want %d", string(a), string(b), limit, got, want)
		}
	})
}

// BenchmarkNearest measures a long list of long labels.
func BenchmarkNearest(b *testing.B) {
	labels := make([]string, 40_000)
	for i := range labels {
		labels[i] = strings.Repeat("Manufacture of other products ", 3) + string(rune('a'+i%26)) + " not elsewhere classified"
	}
	for b.Loop() {
		Nearest(strings.Repeat("Manufacturing of other produce", 3)+" elsewhere classified", labels)
	}
}
