package bar

import (
	"strings"
	"testing"

	"almanac/internal/stat"
)

// Working days stand side by side, without space for weekends and holidays; longer gaps and
// days of a whole week keep their places.
func TestAreWorkdays(t *testing.T) {
	for text, want := range map[string]bool{
		"2024-03-28 2024-04-02 2024-04-03": true, // Easter
		"2024-03-29 2024-03-30 2024-03-31": false,
		"2024-03-28 2024-05-02":            false,
		"2024-03 2024-04":                  false,
	} {
		if got := areWorkdays(periodsOf(t, text)); got != want {
			t.Errorf("%s: %v; want %v", text, got, want)
		}
	}
}

// periodsOf reads periods that are separated by spaces.
func periodsOf(t *testing.T, text string) []stat.Period {
	t.Helper()
	var periods []stat.Period
	for _, word := range strings.Fields(text) {
		p, err := stat.ParsePeriod(word)
		if err != nil {
			t.Fatal(err)
		}
		periods = append(periods, p)
	}
	return periods
}
