package text

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"almanac/internal/stattest/property"
)

// decimal matches a number.
var decimal = regexp.MustCompile(`^-?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?`)

// checkNumber compares Number with strconv, which rounds correctly.
func checkNumber(t rapid.TB, text string) {
	value, size, exact := Number([]byte(text))
	match := decimal.FindString(text)
	want, err := strconv.ParseFloat(match, 64)
	if match == "" || err != nil {
		if size != 0 {
			t.Errorf("Number(%q) = %v of %d bytes; want none", text, value, size)
		}
		return
	}
	if size != len(match) || math.Float64bits(value) != math.Float64bits(want+0) {
		t.Errorf("Number(%q) = %v of %d bytes; want %v of %d", text, value, size, want+0, len(match))
	}
	if short := len(strings.TrimLeft(match, "-0.")); short <= 15 && !strings.ContainsAny(match, "eE") && !exact {
		t.Errorf("Number(%q) of at most 15 digits is reported as not exact", text)
	}
}

// FuzzNumber: numbers are read as strconv reads them, to the last bit; words,
// hexadecimal numbers and underscores are not numbers.
func FuzzNumber(f *testing.F) {
	for _, text := range []string{
		"0", "-0", "-0.0", "1", "-1.5", ".5", "5.", ".", "-", "-.", "1e5", "1e", "1e+", "1E-5", "1e400", "1e-400",
		"NaN", "Inf", "-Inf", "0x1p4", "1_000", "+1", "1,5", "123456789012345", "1234567890123456", "9007199254740993",
		"0.1", "0.000000000000001", "179769313486231570000", "18446744073709551616", "0.30000000000000004", "1 b", "",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { checkNumber(t, text) })
}

// TestNumbers draws decimals of every length.
func TestNumbers(t *testing.T) {
	digits := rapid.StringOfN(rapid.RuneFrom([]rune("0123456789")), 0, 25, -1)
	property.Check(t, func(t *rapid.T) {
		sign := rapid.SampledFrom([]string{"", "-"}).Draw(t, "sign")
		end := rapid.SampledFrom([]string{"", " ", "\t", " b", "e-7", "E12"}).Draw(t, "end")
		checkNumber(t, sign+digits.Draw(t, "whole")+"."+digits.Draw(t, "decimals")+end)
		checkNumber(t, sign+digits.Draw(t, "digits")+end)
	})
}

// TestExact: a number is exact if the shortest text of its float64 has the digits of the
// file.
func TestExact(t *testing.T) {
	for text, want := range map[string]bool{
		"1234567890123456":      true, // 2^53 is not reached
		"9007199254740993":      false,
		"9007199254740992":      true,
		"0.1000000000000000":    true,
		"0.1000000000000000055": false,
		"1e22":                  true,
		"1.50e3":                true,
		"0e5":                   true,
		"0.00000000000000000":   true,
		"1e-400":                false,
		"-12345678901234567":    false,
	} {
		if _, size, exact := Number([]byte(text)); size != len(text) || exact != want {
			t.Errorf("Number(%q): %d bytes, exact %v; want %v", text, size, exact, want)
		}
	}
}
