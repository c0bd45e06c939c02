package scale_test

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"almanac/internal/chart/scale"
	"almanac/internal/stattest/property"
)

func TestNice(t *testing.T) {
	runCases(t, "ticks.txt", func(t *testing.T, input string) string {
		var out strings.Builder
		for line := range strings.SplitSeq(strings.TrimSpace(input), "\n") {
			fields := strings.SplitN(line, " ", 4)
			bounds := numbers(t, fields[0]+" "+fields[1])
			n, err := strconv.Atoi(fields[2])
			if err != nil {
				t.Fatal(err)
			}
			unit := ""
			if len(fields) == 4 {
				unit = fields[3]
			}
			unit, zero := strings.CutPrefix(unit, "zero")
			ticks := scale.Nice(bounds[0], bounds[1], n, zero, scale.Unit{Text: unit})
			fmt.Fprintf(&out, "%s: %s\n", line, strings.Join(ticks.Labels, " | "))
		}
		return out.String()
	})
}

// Ticks are at equal steps and enclose the values. There are no more than requested,
// zero is among them on request, and their labels differ.
func TestPropertyNice(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		values := drawValues(t)
		low, high := slices.Min(values), slices.Max(values)
		n := rapid.IntRange(2, 12).Draw(t, "n")
		zero := rapid.Bool().Draw(t, "zero")
		ticks := scale.Nice(low, high, n, zero, scale.Unit{Text: rapid.SampledFrom([]string{"", "%", "Euro"}).Draw(t, "unit")})
		v := ticks.Values
		limit := n
		if v[0] < 0 && v[len(v)-1] > 0 {
			limit = max(n, 3)
		}
		if len(v) < 2 || len(v) > limit || len(ticks.Labels) != len(v) {
			t.Fatalf("%v to %v, want 2 to %d ticks: %v %q", low, high, limit, v, ticks.Labels)
		}
		if v[0] > low || v[len(v)-1] < high {
			t.Fatalf("%v to %v: the axis runs from %v to %v", low, high, v[0], v[len(v)-1])
		}
		if zero && !slices.Contains(v, 0) {
			t.Fatalf("%v to %v: no zero in %v", low, high, v)
		}
		for i := 1; i < len(v); i++ {
			if v[i] <= v[i-1] || ticks.Labels[i] == ticks.Labels[i-1] {
				t.Fatalf("%v to %v: the ticks %v do not ascend or share a label: %q", low, high, v, ticks.Labels)
			}
			size := max(math.Abs(v[0]), math.Abs(v[len(v)-1]))
			if size < 1e307 && math.Abs(v[i]-v[i-1]-(v[1]-v[0])) > 1e-9*size+1e-320 {
				t.Fatalf("%v to %v: the steps of %v differ", low, high, v)
			}
		}
		for _, label := range ticks.Labels {
			if !utf8.ValidString(label) || strings.ContainsAny(label, "-e<>") || label == "" {
				t.Fatalf("invalid label %q", label)
			}
		}
	})
}

// The outermost ticks are less than a step away from the values.
func TestPropertyTicksAreTight(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		low := rapid.Float64Range(-1e6, 1e6).Draw(t, "low")
		high := low + rapid.Float64Range(1e-3, 1e6).Draw(t, "span")
		v := scale.Nice(low, high, rapid.IntRange(2, 12).Draw(t, "n"), false, scale.Unit{}).Values
		if step := (v[1] - v[0]) * (1 + 1e-9); low-v[0] > step || v[len(v)-1]-high > step {
			t.Fatalf("%v to %v: the ticks %v leave a step empty", low, high, v)
		}
	})
}
