package text

import (
	"math"
	"strconv"
	"strings"

	"almanac/internal/stat"
)

// powers are the powers of ten that a float64 holds exactly.
var powers = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// Number reads the decimal number at the start of b. It returns the nearest
// float64, the number of bytes read (0 without a number), and whether value is
// exact: its shortest text has the digits that were written. Plus signs,
// thousands separators and words are not read: "NaN", "Inf", "0x1p4" and
// "1_000" are not numbers here.
//
// Up to 15 digits, digits and power of ten are both exact as float64, so their
// quotient is the nearest float64 (Clinger 1990). Longer numbers go to strconv.
func Number(b []byte) (value float64, size int, exact bool) {
	i := 0
	negative := len(b) > 0 && b[0] == '-'
	if negative {
		i = 1
	}
	var mantissa uint64
	first := i
	for i < len(b) && b[i]-'0' <= 9 {
		mantissa = mantissa*10 + uint64(b[i]-'0')
		i++
	}
	digits, decimals := i-first, 0
	if i < len(b) && b[i] == '.' {
		i++
		first = i
		for i < len(b) && b[i]-'0' <= 9 {
			mantissa = mantissa*10 + uint64(b[i]-'0')
			i++
		}
		decimals = i - first
		digits += decimals
	}
	if digits == 0 {
		return 0, 0, false
	}
	if digits > 15 || (i < len(b) && b[i]|0x20 == 'e') {
		return longNumber(b, i)
	}
	value = float64(mantissa) / powers[decimals]
	if negative {
		value = 0 - value // never -0
	}
	return value, i, true
}

// longNumber reads a number of many digits or with an exponent; its digits end at end.
func longNumber(b []byte, end int) (value float64, size int, exact bool) {
	if end < len(b) && b[end]|0x20 == 'e' {
		i := end + 1
		if i < len(b) && (b[i] == '-' || b[i] == '+') {
			i++
		}
		first := i
		for i < len(b) && b[i]-'0' <= 9 {
			i++
		}
		if i > first {
			end = i
		}
	}
	text := string(b[:end])
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, 0, false // out of range
	}
	digits, exponent := decimalForm(text)
	storedDigits, storedExponent := decimalForm(strconv.FormatFloat(value, 'e', -1, 64))
	return value + 0, end, digits == storedDigits && exponent == storedExponent
}

// decimalForm splits a number into its digits, without zeros on either side,
// and the power of ten of the last digit. Zero has no digits.
func decimalForm(text string) (digits string, exponent int) {
	text = strings.TrimPrefix(text, "-")
	if at := strings.IndexAny(text, "eE"); at >= 0 {
		exponent, _ = strconv.Atoi(text[at+1:])
		text = text[:at]
	}
	whole, decimals, _ := strings.Cut(text, ".")
	digits = strings.TrimLeft(whole+decimals, "0")
	exponent -= len(decimals)
	short := strings.TrimRight(digits, "0")
	exponent += len(digits) - len(short)
	if short == "" {
		return "", 0
	}
	return short, exponent
}

// Value parses the value of an observation, with a decimal point and no thousands
// separators; a mark for a missing value is NaN. The report gets a note if the value
// is rounded.
func Value(content string, at stat.Position, report *stat.Report) (float64, error) {
	if IsMissing(content) {
		return math.NaN(), nil
	}
	value, size, exact := Number([]byte(content))
	if size != len(content) {
		return 0, stat.BadFile(at, "%.40q is not a number that can be stored; it must have a decimal point and no thousands separators", content)
	}
	if !exact {
		report.Add(stat.NoteRounded, 1, content)
	}
	return value, nil
}
