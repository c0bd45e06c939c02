package scale_test

import (
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"almanac/internal/chart/scale"
	"almanac/internal/stattest/property"
)

// A number with an exponent is the same float as a literal in a program.
func TestExact(t *testing.T) {
	property.Check(t, func(rt *rapid.T) {
		m, e := rapid.Int64().Draw(rt, "m"), rapid.IntRange(-330, 310).Draw(rt, "e")
		if rapid.Bool().Draw(rt, "is small") {
			m, e = m>>rapid.IntRange(8, 60).Draw(rt, "bits"), e%24
		}
		text := strconv.FormatInt(m, 10) + "e" + strconv.Itoa(e)
		want, _ := strconv.ParseFloat(text, 64)
		if got := scale.Exact(m, e); got != want {
			rt.Fatalf("%s is %v, want %v", text, got, want)
		}
	})
}
