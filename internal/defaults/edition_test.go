package defaults

import (
	"testing"
	"time"

	"almanac/internal/stat"
)

// The date in the title of an outlook is that of its edition; other dates in titles are not.
func TestEditionEnd(t *testing.T) {
	now := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	for title, want := range map[string]string{
		"World Economic Outlook Database, October 2009":            "2009-11-01",
		"World Population Prospects 2019":                          "2020-01-01",
		"National population projections, 2024(base)-2078":         "2025-01-01",
		"World Population Prospects, the 2022 Revision, 1950–2100": "2023-01-01",
		"Population projections until 2060":                        "",
		"Consumer prices, January 2010 = 100":                      "",
	} {
		end, ok := EditionEnd(&stat.Dataset{Name: title}, now)
		if got := end.Format(time.DateOnly); ok != (want != "") || ok && got != want {
			t.Errorf("%s: %s, %v; want %s", title, got, ok, want)
		}
	}
}
