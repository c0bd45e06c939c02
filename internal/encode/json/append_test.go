package json

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"almanac/internal/stat"
	"almanac/internal/stattest/property"
)

// wantNumber formats a number with the standard library: the shortest text that reads back
// the same, without exponent below 1e21; -0 is 0.
func wantNumber(v float64) string {
	if v == 0 {
		return "0"
	}
	format := byte('f')
	if math.Abs(v) >= 1e21 {
		format = 'e'
	}
	return strconv.FormatFloat(v, format, -1, 64)
}

func checkNumber(t interface{ Fatalf(string, ...any) }, n *numberEncoder, v float64) {
	got := string(n.append(nil, v, 0))
	if got != wantNumber(v) {
		t.Fatalf("%g is written %s, want %s (after %d decimals)", v, got, wantNumber(v), n.decimals)
	}
	var back float64
	if err := json.Unmarshal([]byte(got), &back); err != nil || back != v {
		t.Fatalf("%g is written %s, which reads as %g (%v)", v, got, back, err)
	}
}

// docs/api.md, Values: numbers have the shortest form that reads back the same, without
// exponent below 1e21. -0 is 0.
func TestNumbersAreShortest(t *testing.T) {
	for _, c := range []struct {
		value float64
		want  string
	}{
		{0, "0"}, {math.Copysign(0, -1), "0"}, {1, "1"}, {-1, "-1"}, {0.1, "0.1"}, {-0.5, "-0.5"},
		{0.30000000000000004, "0.30000000000000004"}, {81.9, "81.9"}, {100.10, "100.1"}, {0.05, "0.05"},
		{1e20, "100000000000000000000"}, {999999999999999868928, "999999999999999900000"},
		{1e21, "1e+21"}, {-2.5e300, "-2.5e+300"}, {1e-7, "0.0000001"}, {5e-324, wantNumber(5e-324)},
		{123456789012345.6, "123456789012345.6"}, {math.MaxInt64, "9223372036854776000"},
		{math.MaxFloat64, "1.7976931348623157e+308"},
	} {
		var n numberEncoder
		if got := string(n.append(nil, c.value, 0)); got != c.want {
			t.Errorf("%g is written %s, want %s", c.value, got, c.want)
		}
	}
}

func TestNumbersMatchStrconv(t *testing.T) {
	var n numberEncoder
	property.Check(t, func(t *rapid.T) {
		checkNumber(t, &n, rapid.Float64().Draw(t, "any"))
		digits := rapid.Int64Range(-1e16, 1e16).Draw(t, "digits")
		places := rapid.IntRange(0, 18).Draw(t, "places")
		statistic := float64(digits) / math.Pow10(places)
		checkNumber(t, &n, statistic)
		checkNumber(t, &n, math.Nextafter(statistic, math.Inf(1)))
		checkNumber(t, &n, math.Nextafter(statistic, math.Inf(-1)))
	})
}

// Values of which the decimals are known are written alike.
func TestNumbersOfKnownDecimals(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		var values []float64
		places := rapid.IntRange(0, 12).Draw(t, "places")
		for range rapid.IntRange(1, 5).Draw(t, "count") {
			digits := rapid.Int64Range(-1e15, 1e15).Draw(t, "digits") / int64(math.Pow10(rapid.IntRange(0, 15).Draw(t, "fewer")))
			v := float64(digits) / math.Pow10(rapid.IntRange(0, places).Draw(t, "own places"))
			if rapid.IntRange(0, 9).Draw(t, "neighbour") == 0 {
				v = math.Nextafter(v, math.Inf(1))
			}
			values = append(values, v)
		}
		known := stat.DecimalsOf(values)
		for _, v := range values {
			if got := string(new(numberEncoder).append(nil, v, known)); got != wantNumber(v) {
				t.Fatalf("%g of %v is written %s, want %s (%d decimals)", v, values, got, wantNumber(v), known.Count())
			}
		}
	})
	for _, c := range []struct {
		values []float64
		want   int
	}{
		{nil, 0}, {[]float64{math.NaN(), 3}, 0}, {[]float64{1.5, 0.25, 3}, 2}, {[]float64{math.Copysign(0, -1)}, 0}, {[]float64{0.1, math.Inf(1)}, -1},
		{[]float64{0.30000000000000004}, -1}, {[]float64{999999999999999}, 0}, {[]float64{1e15}, -1}, {[]float64{1e14, 0.5}, -1}, {[]float64{1e13, 0.5}, 1},
	} {
		if got := stat.DecimalsOf(c.values).Count(); got != c.want {
			t.Errorf("%v have %d decimals, want %d", c.values, got, c.want)
		}
	}
}

func FuzzNumber(f *testing.F) {
	for _, v := range []float64{0, 1, 0.1, 81.9, 1e15, 1e21, 1e-7, 123456.789, -2.5} {
		f.Add(v, 1)
	}
	f.Fuzz(func(t *testing.T, v float64, decimals int) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return
		}
		n := numberEncoder{decimals: int(uint(decimals) % uint(len(powers))), isLong: decimals < 0}
		checkNumber(t, &n, v)
	})
}

func checkString(t *testing.T, text string) {
	t.Helper()
	encoded := AppendString(nil, text)
	var got, want string
	if err := json.Unmarshal(encoded, &got); err != nil {
		t.Fatalf("%q is written %s: %v", text, encoded, err)
	}
	standard, _ := json.Marshal(text)
	if err := json.Unmarshal(standard, &want); err != nil {
		t.Fatal(err)
	}
	if got != want {
		t.Fatalf("%q is written %s, which reads as %q, want %q", text, encoded, got, want)
	}
}

func TestStringsReadBack(t *testing.T) {
	for _, text := range []string{"", "Germany", `a "quoted" \ back`, "line\nbreak\ttab\r\x00\x1f", "Österreich", "日本", "\xff\xfe", "a\xffb", "\u2028", "</script>", strings.Repeat("x\"", 1000)} {
		checkString(t, text)
	}
}

func FuzzString(f *testing.F) {
	f.Add("Germany")
	f.Add("a\"b\\c\x01\xff\u2028")
	f.Fuzz(checkString)
}
