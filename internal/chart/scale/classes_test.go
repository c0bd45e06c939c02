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

func numbers(t *testing.T, text string) []float64 {
	t.Helper()
	var values []float64
	for field := range strings.FieldsSeq(text) {
		v, err := strconv.ParseFloat(field, 64)
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, v)
	}
	return values
}

func TestClasses(t *testing.T) {
	runCases(t, "classes.txt", func(t *testing.T, input string) string {
		first, rest, _ := strings.Cut(input, "\n")
		count, unit, _ := strings.Cut(first, " unit ")
		n, err := strconv.Atoi(strings.TrimSpace(count))
		if err != nil {
			t.Fatal(err)
		}
		values := numbers(t, rest)
		c := scale.ClassesFor(values, n, scale.Unit{Text: unit})
		counts := make([]int, len(c.Edges)-1)
		for _, v := range values {
			counts[c.Index(v)]++
		}
		var out strings.Builder
		out.WriteString(c.Method)
		if c.Diverging {
			out.WriteString(", diverging")
		}
		fmt.Fprintf(&out, "\n%v\n", c.Edges)
		for i, count := range counts {
			name := c.Labels[i]
			if c.Values == nil {
				name += " to " + c.Labels[i+1]
			}
			fmt.Fprintf(&out, "%s: %d\n", name, count)
		}
		return out.String()
	})
}

// maxDigits is the number of significant digits that an edge may have if the values are
// spread out.
const maxDigits = 3

func significant(v float64) int {
	text := strconv.FormatFloat(math.Abs(v), 'e', -1, 64)
	mantissa, _, _ := strings.Cut(text, "e")
	return len(strings.TrimRight(strings.ReplaceAll(mantissa, ".", ""), "0"))
}

// Edges ascend and enclose all values. There are at most n classes, and at least four if
// the values allow it. Zero is an edge if values have both signs. Labels differ.
func TestPropertyClasses(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		values := drawValues(t)
		low, high := slices.Min(values), slices.Max(values)
		n := rapid.IntRange(1, 12).Draw(t, "n")
		c := scale.ClassesFor(values, n, scale.Unit{Text: rapid.SampledFrom([]string{"", "%", "Euro", "Million euro"}).Draw(t, "unit")})
		count := len(c.Edges) - 1
		if count < 1 || count > min(n, 9) || c.Values == nil && len(c.Labels) != len(c.Edges) {
			t.Fatalf("%d classes, want 1 to %d: edges %v, labels %q", count, min(n, 9), c.Edges, c.Labels)
		}
		distinct := slices.Clone(values)
		slices.Sort(distinct)
		distinct = slices.Compact(distinct)
		spread := high/2-low/2 > 1e-9*max(math.Abs(low), math.Abs(high))
		if c.Values != nil && (!slices.Equal(c.Values, distinct) || len(c.Labels) != len(distinct)) {
			t.Fatalf("single values %v with labels %q, want %v", c.Values, c.Labels, distinct)
		}
		// Below the smallest normal float there is no round number between two values.
		if len(distinct) <= min(n, 5) && count != len(distinct) && !slices.ContainsFunc(distinct, func(v float64) bool { return v != 0 && math.Abs(v) < 0x1p-1022 }) {
			t.Fatalf("%d classes for %d different values, want one each", count, len(distinct))
		}
		most := 0 // how often the most frequent value occurs
		for _, v := range distinct {
			most = max(most, len(values)-len(slices.DeleteFunc(slices.Clone(values), func(w float64) bool { return w == v })))
		}
		if spread && high > 1e-290 && n >= 4 && len(distinct) >= 8 && 4*most < len(values) && count < 4 {
			t.Fatalf("%d classes for %d different values, want at least 4: edges %v", count, len(distinct), c.Edges)
		}
		if c.Edges[0] > low || c.Edges[count] < high {
			t.Fatalf("the edges %v do not enclose the values from %v to %v", c.Edges, low, high)
		}
		for i := range count {
			if c.Edges[i] >= c.Edges[i+1] || i+1 < len(c.Labels) && c.Labels[i] == c.Labels[i+1] {
				t.Fatalf("the edges %v do not ascend or share a label: %q", c.Edges, c.Labels)
			}
		}
		if c.Diverging != (low < 0 && high > 0) {
			t.Fatalf("values from %v to %v, but Diverging is %t", low, high, c.Diverging)
		}
		if c.Diverging && count > 1 && !slices.Contains(c.Edges[1:count], 0) {
			t.Fatalf("values have both signs, but zero is not among the edges %v", c.Edges)
		}
		for _, v := range values {
			i := c.Index(v)
			if v < c.Edges[i] || v > c.Edges[i+1] || v == c.Edges[i+1] && i < count-1 {
				t.Fatalf("Index(%v) = %d, which is the wrong class of the edges %v", v, i, c.Edges)
			}
		}
	})
}

// For values that are spread out, edges have at most three digits, and no class is
// empty.
func TestPropertyRoundClasses(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		span := rapid.Float64Range(.2, 6).Draw(t, "decades")
		number := rapid.IntRange(20, 200).Draw(t, "number")
		jitter := rapid.SliceOfN(rapid.Float64Range(0, .9), number, number).Draw(t, "jitter")
		magnitude := rapid.SampledFrom([]float64{1, 1e-9, 1e12}).Draw(t, "magnitude")
		var values []float64
		for i, j := range jitter {
			values = append(values, math.Pow(10, span*(float64(i)+j)/float64(number))*magnitude)
		}
		low, high := slices.Min(values), slices.Max(values)
		c := scale.ClassesFor(values, 7, scale.Unit{Text: ""})
		counts := make([]int, len(c.Edges)-1)
		for _, v := range values {
			counts[c.Index(v)]++
		}
		for _, edge := range c.Edges {
			if significant(edge) > maxDigits {
				t.Fatalf("values from %v to %v: the edges %v have more than %d digits", low, high, c.Edges, maxDigits)
			}
		}
		if slices.Contains(counts, 0) {
			t.Fatalf("%s, edges %v: a class is empty: %v", c.Method, c.Edges, counts)
		}
	})
}

// Edges of one legend have the same number of decimals: 3.4 is not between 2
// and 4.
func TestPropertyEdgesHaveEqualDecimals(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		tenths := rapid.SliceOfN(rapid.IntRange(10, 99), 6, 60).Draw(t, "tenths")
		var values []float64
		for _, n := range tenths {
			values = append(values, -float64(n)/10)
		}
		c := scale.ClassesFor(values, 7, scale.Unit{Text: ""})
		if c.Values != nil {
			return
		}
		whole := 0
		for _, edge := range c.Edges {
			if edge == math.Trunc(edge) {
				whole++
			}
		}
		for k, label := range c.Labels {
			if places := strings.Contains(label, "."); places && whole == len(c.Edges) || !places && whole < len(c.Edges) && c.Edges[k] != 0 {
				t.Fatalf("the labels differ in their decimals: %q", c.Labels)
			}
		}
	})
}

// If edges reach a million, all of them are written in millions, or all in full.
func TestEdgesShareAPower(t *testing.T) {
	for _, c := range []struct {
		values string
		unit   string
		want   string
	}{
		{"150000 220000 340000 470000 610000 800000 1200000 1900000 2600000 4000000 6100000 8000000 12000000 18000000", "persons",
			"0 | 0.5 million | 1.0 million | 2.0 million | 5.0 million | 20.0 million"},
		{"5000 9000 23000 26000 41000 62000 64000 83000 112000 210000 250000 290000 320000 480000 560000 780000 1100000 1600000 2900000 4400000", "Million euro",
			"3,000 | 10,000 | 30,000 | 100,000 | 300,000 | 1,000,000 | 5,000,000"},
	} {
		if got := strings.Join(scale.ClassesFor(numbers(t, c.values), 7, scale.Unit{Text: c.unit}).Labels, " | "); got != c.want {
			t.Errorf("%s: labels %s, want %s", c.unit, got, c.want)
		}
	}
}

func TestIndex(t *testing.T) {
	c := scale.Classes{Edges: []float64{0, 10, 20}}
	for v, want := range map[float64]int{-5: 0, 0: 0, 9.99: 0, 10: 1, 20: 1, 25: 1, math.Inf(1): 1, math.Inf(-1): 0} {
		if got := c.Index(v); got != want {
			t.Errorf("Index(%v) = %d, want %d", v, got, want)
		}
	}
	if got := c.Index(math.NaN()); got != -1 {
		t.Errorf("Index(NaN) = %d, want -1", got)
	}
	if got := (scale.Classes{}).Index(1); got != -1 {
		t.Errorf("without classes, Index(1) = %d, want -1", got)
	}
}

// Without finite values there is one class.
func TestClassesWithoutValues(t *testing.T) {
	for _, values := range [][]float64{nil, {math.NaN()}, {math.Inf(1), math.Inf(-1)}} {
		for _, n := range []int{-1, 0, 7} {
			if c := scale.ClassesFor(values, n, scale.Unit{Text: "%"}); len(c.Edges) != 2 || len(c.Labels) != 2 {
				t.Errorf("%v, n %d: edges %v, labels %q, want two each", values, n, c.Edges, c.Labels)
			}
		}
	}
}

func BenchmarkClassesFor(b *testing.B) {
	for name, power := range map[string]float64{"even": 0, "skewed": 6} {
		values := make([]float64, 180)
		for i := range values {
			u := float64(i*7919%180) / 180
			values[i] = 1 + 99*u
			if power > 0 {
				values[i] = math.Pow(10, power*u*u)
			}
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				scale.ClassesFor(values, 7, scale.Unit{Text: ""})
			}
		})
	}
}
