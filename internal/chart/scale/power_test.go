package scale_test

import (
	"math"
	"testing"

	"almanac/internal/chart/scale"
	"almanac/internal/stattest/property"
	"pgregory.net/rapid"
)

// Thousands are written like the same numbers in full.
func TestPowersOfUnitsAreWrittenInFull(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		power := rapid.SampledFrom([]int{0, 3, 6, 8, 9}).Draw(t, "power")
		values := rapid.SliceOfN(rapid.Int64Range(-1e6, 1e6), 1, 30).Draw(t, "values")
		inUnit, inFull := make([]float64, len(values)), make([]float64, len(values))
		for i, v := range values {
			inUnit[i], inFull[i] = float64(v), float64(v)*math.Pow10(power)
		}
		unit := scale.Unit{Text: "Euro", Power: power}
		a, b := scale.NumbersFor(inUnit, unit), scale.NumbersFor(inFull, scale.Unit{Text: "Euro"})
		for i := range values {
			if got, want := a.Write(inUnit[i]), b.Write(inFull[i]); got != want {
				t.Fatalf("%v × 10^%d is %q, want %q", inUnit[i], power, got, want)
			}
		}
		n := rapid.IntRange(2, 9).Draw(t, "n")
		ticks, full := scale.Nice(0, inUnit[0], n, true, unit), scale.Nice(0, inFull[0], n, true, scale.Unit{Text: "Euro"})
		if power%3 == 0 && len(ticks.Labels) == len(full.Labels) && ticks.Labels[0] != full.Labels[0] {
			t.Fatalf("ticks %q, want %q", ticks.Labels, full.Labels)
		}
	})
}
