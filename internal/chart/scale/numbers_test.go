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
	"almanac/internal/chart/words"
	"almanac/internal/stattest/property"
)

func TestNumbersFor(t *testing.T) {
	runCases(t, "numbers.txt", func(t *testing.T, input string) string {
		unit, rest, _ := strings.Cut(input, "\n")
		values := numbers(t, rest)
		n := scale.NumbersFor(values, scale.Unit{Text: unit})
		var written []string
		for _, v := range values {
			written = append(written, fmt.Sprintf("%q", n.Write(v)))
		}
		return strings.Join(written, " ")
	})
}

func TestUnits(t *testing.T) {
	runCases(t, "units.txt", func(t *testing.T, input string) string {
		var out strings.Builder
		for unit := range strings.SplitSeq(strings.TrimSuffix(input, "\n"), "\n") {
			prefix, suffix := scale.SignOf(unit)
			fmt.Fprintf(&out, "%s: %s5%s\n", unit, prefix, suffix)
		}
		return out.String()
	})
}

func TestZeroNumbersAreUsable(t *testing.T) {
	for v, want := range map[float64]string{1250: "1,250", 0.4: "0.4", -0.0312: "−0.031", -4e-9: ">−1", 0: "0", math.Copysign(0, -1): "0", -1250.5: "−1,251", math.NaN(): "", math.Inf(1): "", math.Inf(-1): ""} {
		if got := (scale.Numbers{}).Write(v); got != want {
			t.Errorf("Write(%v) = %q, want %q", v, got, want)
		}
	}
}

func drawValues(t *rapid.T) []float64 {
	magnitude := rapid.SampledFrom([]float64{1, 1, 100, 1e6, 1e-9, 1e15, 1e-300, math.MaxFloat64}).Draw(t, "magnitude")
	kinds := []*rapid.Generator[float64]{
		rapid.Float64Range(0, 1), rapid.Float64Range(-1, 1), rapid.Float64Range(-1, 0), rapid.Float64Range(.99, 1),
		rapid.SampledFrom([]float64{0, .1, .25, 1}),
		rapid.Map(rapid.IntRange(-1000, 1000), func(i int) float64 { return float64(i) / 1000 }),
		rapid.Map(rapid.Float64Range(-6, 0), func(e float64) float64 { return math.Pow(10, e) }),
	}
	kind := rapid.SampledFrom(kinds).Draw(t, "kind")
	values := rapid.SliceOfN(kind, 1, 60).Draw(t, "values")
	for i := range values {
		values[i] *= magnitude
	}
	return values
}

// parse reads a number that Write formatted.
func parse(t *rapid.T, n scale.Numbers, text string) float64 {
	digits := strings.NewReplacer("−", "-", ",", "", "€", "", "%", "", " trillion", "e12", " billion", "e9", " million", "e6", "×10", "e",
		"⁻", "-", "⁰", "0", "¹", "1", "²", "2", "³", "3", "⁴", "4", "⁵", "5", "⁶", "6", "⁷", "7", "⁸", "8", "⁹", "9").Replace(text)
	v, err := strconv.ParseFloat(digits, 64)
	if err != nil && !math.IsInf(v, 0) { // the largest floats are rounded up
		t.Fatalf("%q: %v", text, err)
	}
	return v
}

// A number is rounded by at most half of the last decimal, and only zero is written as
// zero.
func TestPropertyWrite(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		values := drawValues(t)
		unit := scale.Unit{Text: rapid.SampledFrom([]string{"", "%", "Euro", "Million euro", "persons"}).Draw(t, "unit")}
		n := scale.NumbersFor(values, unit)
		half := n.Divisor * math.Pow(10, -float64(n.Decimals)) / 2
		for _, v := range values {
			text := n.Write(v)
			switch {
			case v == 0:
				if strings.Trim(text, "€%") != "0" {
					t.Fatalf("zero is written as %q", text)
				}
			case strings.HasPrefix(text, "<") || strings.HasPrefix(text, ">"):
				if math.Abs(v) > half*(1+1e-9) || (v < 0) != strings.HasPrefix(text, ">") {
					t.Fatalf("%v is written as %q, but half of the last decimal is %v", v, text, half)
				}
			default:
				got := parse(t, n, text)
				if math.IsInf(got, 0) {
					continue
				}
				if got == 0 || math.Abs(got-v) > half*(1+1e-9)+math.Abs(v)*1e-14 {
					t.Fatalf("%v is written as %q, but half of the last decimal is %v", v, text, half)
				}
			}
		}
	})
}

// Visibly different values are written differently. A larger value is never written as a
// smaller number. Small values keep a digit or two.
func TestPropertyValuesDiffer(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		values := drawValues(t)
		slices.Sort(values)
		n := scale.NumbersFor(values, scale.Unit{Text: rapid.SampledFrom([]string{"", "Million euro"}).Draw(t, "unit")})
		low, high := values[0], values[len(values)-1]
		most, before := max(math.Abs(low), math.Abs(high)), math.Inf(-1)
		for i, v := range values {
			text := n.Write(v)
			if strings.ContainsAny(text, "<>") {
				if math.Abs(v) > 1e-4*most {
					t.Fatalf("%v is written as %q although the largest value is only %v", v, text, most)
				}
				continue
			}
			got := parse(t, n, text)
			if math.IsInf(got, 0) {
				continue
			}
			if got < before {
				t.Fatalf("%v is written as %q, less than a smaller value", v, text)
			}
			before = got
			if math.Abs(got-v) > math.Abs(v)*.51 {
				t.Fatalf("%v is written as %q", v, text)
			}
			for _, w := range values[:i] {
				apart := v/2 - w/2
				if n.Write(w) == text && (apart > .005*most || apart > .0125*(high-low)) {
					t.Fatalf("%v and %v are both written as %q", w, v, text)
				}
			}
		}
	})
}

// The largest value has three digits, unless fewer are exact.
func TestPropertyThreeDigits(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		values := drawValues(t)
		n := scale.NumbersFor(values, scale.Unit{Text: ""})
		largest := 0.0
		for _, v := range values {
			largest = max(largest, math.Abs(v))
		}
		if largest == 0 || largest > 1e307 {
			return
		}
		if got := parse(t, n, n.Write(largest)); math.Abs(got-largest) > largest*.0051 {
			t.Fatalf("%v is written as %q", largest, n.Write(largest))
		}
	})
}

// Numbers have the separators, words and signs of the language.
func TestLanguages(t *testing.T) {
	for _, c := range []struct{ code, unit, want string }{
		{"en", "Euro", "€123.5 €0 −€12.0 | €1.23 million €0.45 million"},
		{"de", "Euro", "123,5 € 0 € −12,0 € | 1,23 Mio. € 0,45 Mio. €"},
		{"fr", "%", "123,5 % 0 % −12,0 % | 1,23 M % 0,45 M %"},
		{"es", "", "123,5 0 −12,0 | 1,23 M 0,45 M"},
		{"it", "", "123,5 0 −12,0 | 1,23 Mln 0,45 Mln"},
		{"ar", "", "123.5 0 −12.0 | 1.23 مليون 0.45 مليون"},
		{"ja", "", "123.5 0 −12.0 | 123万 45万"},
	} {
		unit := scale.Unit{Text: c.unit, Language: words.In(c.code)}
		small, large := scale.NumbersFor([]float64{123.5, 0, -12}, unit), scale.NumbersFor([]float64{1.23e6, 4.5e5}, unit)
		got := fmt.Sprintf("%s %s %s | %s %s", small.Write(123.5), small.Write(0), small.Write(-12), large.Write(1.23e6), large.Write(4.5e5))
		got = strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(got)
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.code, got, c.want)
		}
	}
}

// TestLargeAmounts writes thousands of billions as offices do: in French and Italian they are counted in milliards and miliardi. Above
// an axis, the sign of a currency that follows numbers follows the word for the power.
func TestLargeAmounts(t *testing.T) {
	for code, want := range map[string]string{
		"en": "€4.33 trillion | 0 2 4 (€ trillion)",
		"de": "4,33 Bio. € | 0 2 4 (Bio. €)",
		"fr": "4 329 Md € | 0 2 000 4 000 (Md €)",
		"es": "4,33 B € | 0 2 4 (B €)",
		"it": "4.329 Mld € | 0 2.000 4.000 (Mld €)",
	} {
		unit := scale.Unit{Text: "Euro", Language: words.In(code)}
		axis := scale.Extent{High: 4.329e12, Most: 4, Unit: unit}.Axis()
		got := scale.NumbersFor([]float64{4.329e12, 3e12}, unit).Write(4.329e12) + " | " + strings.Join(axis.Plain, " ") + " (" + axis.Factor + ")"
		if got = strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(got); got != want {
			t.Errorf("%s: got %s, want %s", code, got, want)
		}
	}
}
