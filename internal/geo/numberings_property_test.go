package geo

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"almanac/internal/stattest/property"
)

// TestNumberingsAlone draws numbers of one office under its headings, with their zeros or
// without them, in tables without an office: each means its own area or none, never another one.
func TestNumberingsAlone(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom(loadNumberings()).Draw(t, "office")
		headings := append([]string{"code", "region", "area", "state_code", "id"}, n.words...)
		heading := rapid.SampledFrom(headings).Draw(t, "heading")
		numbers := rapid.SliceOfNDistinct(rapid.SampledFrom(slices.Sorted(maps.Keys(n.areas))), 1, min(20, len(n.areas)), rapid.ID).Draw(t, "numbers")
		isBare := rapid.Bool().Draw(t, "zeros are lost")
		codes := make([]Labelled, len(numbers))
		for i, number := range numbers {
			codes[i].Code = number
			if isBare && strings.Trim(number, "0") != "" {
				codes[i].Code = strings.TrimLeft(number, "0")
			}
		}
		r := ResolveAll("local", heading, codes)
		for i, a := range r.Areas {
			if r.Known[i] && a.ID != n.areas[numbers[i]].ID {
				t.Errorf("%s of %s under %q is %s, want %s or none; all: %v", codes[i].Code, n.office, heading, a.ID, n.areas[numbers[i]].ID, codes)
			}
		}
	})
}
