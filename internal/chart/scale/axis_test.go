package scale_test

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"almanac/internal/chart/scale"
	"almanac/internal/stattest/property"
)

func TestAxis(t *testing.T) {
	runCases(t, "axis.txt", func(t *testing.T, input string) string {
		var out strings.Builder
		for line := range strings.SplitSeq(strings.TrimSpace(input), "\n") {
			fields := strings.SplitN(line, " ", 5)
			bounds := numbers(t, fields[0]+" "+fields[1])
			x := scale.Extent{Low: bounds[0], High: bounds[1]}
			for i, to := range []*int{&x.Places, &x.Most} {
				n, err := strconv.Atoi(fields[2+i])
				if err != nil {
					t.Fatal(err)
				}
				*to = n
			}
			if len(fields) == 5 {
				x.Unit = scale.Unit{Text: fields[4]}
			}
			a := x.Axis()
			fmt.Fprintf(&out, "%s: %s", line, strings.Join(a.Plain, " | "))
			if a.Factor != "" {
				fmt.Fprintf(&out, " (%s)", a.Factor)
			}
			if a.Power != 0 {
				fmt.Fprintf(&out, " (10^%d)", a.Power)
			}
			if a.Low < a.Values[0] {
				fmt.Fprintf(&out, ", begins at %v", a.Low)
			}
			if a.High > a.Values[len(a.Values)-1] {
				fmt.Fprintf(&out, ", ends at %v", a.High)
			}
			out.WriteString("\n")
		}
		return out.String()
	})
}

// An axis contains the values and its ticks. There are few ticks, in ascending order,
// with different labels and no more decimals than the values have.
func TestPropertyAxis(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		values := drawValues(t)
		x := scale.Extent{
			Low: slices.Min(values), High: slices.Max(values), Places: rapid.IntRange(0, 20).Draw(t, "places"),
			Most: rapid.IntRange(0, 9).Draw(t, "most"), Unit: scale.Unit{Text: rapid.SampledFrom([]string{"", "%", "Euro"}).Draw(t, "unit")},
		}
		a := x.Axis()
		v := a.Values
		if len(v) < 2 || len(v) > max(x.Most, 3) || len(a.Labels) != len(v) || len(a.Plain) != len(v) {
			t.Fatalf("%+v: ticks %v, labels %q and %q", x, v, a.Labels, a.Plain)
		}
		if a.Low > x.Low || a.High < x.High || a.Low > v[0] || a.High < v[len(v)-1] {
			t.Fatalf("%+v: the axis runs from %v to %v, the ticks are %v", x, a.Low, a.High, v)
		}
		for i := 1; i < len(v); i++ {
			if v[i] <= v[i-1] || a.Labels[i] == a.Labels[i-1] || a.Plain[i] == a.Plain[i-1] {
				t.Fatalf("%+v: the ticks %v do not ascend or share a label: %q, %q", x, v, a.Labels, a.Plain)
			}
		}
		if size := max(math.Abs(x.Low), math.Abs(x.High)); size > 1e-6 && size < 1e9 && scale.Places(v) > x.Places {
			t.Fatalf("%+v: the ticks %v are finer than the values", x, v)
		}
		if x.Low > 0 && x.High < 1e307 && x.Low <= x.High/4 && x.High-x.Low > 1e-9*x.High && a.Low != 0 {
			t.Fatalf("%+v: zero is near, but the axis begins at %v", x, a.Low)
		}
	})
}

// Values take up most of an axis that may have at least five ticks, also if it includes
// zero.
func TestPropertyAxisIsFilled(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		low := rapid.Float64Range(-1e6, 1e6).Draw(t, "low")
		x := scale.Extent{Low: low, High: low + rapid.Float64Range(1, 1e6).Draw(t, "span"), Places: 9, Most: rapid.IntRange(5, 9).Draw(t, "most")}
		a := x.Axis()
		length := a.High - a.Low
		if below := (x.Low - a.Low) / length; below > .4+1e-9 {
			t.Fatalf("%+v: %.2f of the axis is empty below in %v", x, below, a.Values)
		}
		if above := (a.High - x.High) / length; above > .4+1e-9 {
			t.Fatalf("%+v: %.2f of the axis is empty above in %v", x, above, a.Values)
		}
		if zero := min(x.Low/a.High, 1); a.Low == 0 && zero > .3 && a.Values[1] < x.Low {
			t.Fatalf("%+v: %.2f of the axis is empty because it includes zero: %v", x, zero, a.Values)
		}
		if len(a.Values) < 3 {
			t.Fatalf("%+v: the ticks are %v, want at least 3", x, a.Values)
		}
	})
}

// Places counts the decimals of the shortest decimal notation.
func TestPropertyPlaces(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		places := rapid.IntRange(0, 6).Draw(t, "places")
		digits := rapid.Int64Range(-1e9, 1e9).Draw(t, "digits")
		text := strconv.FormatInt(digits, 10) + "e-" + strconv.Itoa(places)
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		for digits%10 == 0 && places > 0 {
			digits, places = digits/10, places-1
		}
		if got := scale.Places([]float64{math.NaN(), 1, v, math.Inf(1)}); got != places {
			t.Fatalf("Places(%s) = %d, want %d", text, got, places)
		}
	})
}
