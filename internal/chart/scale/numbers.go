package scale

import (
	"math"
	"strconv"
	"strings"
)

// Numbers says how the numbers of one chart are written: the same decimals and
// the same power for all of them.
type Numbers struct {
	Decimals int
	Divisor  float64 // a power of ten: 1, 1e6, 1e9, 1e12, beyond those as of 1e-9; 0 is 1
	Suffix   string  // " million", "%"
	Prefix   string  // "€"

	unit string // the end of Suffix that is the unit's
}

// words are the powers of ten that have a word.
var words = []struct {
	power int
	name  string
}{{12, " trillion"}, {9, " billion"}, {6, " million"}}

// wordless is the power of ten from which on numbers are written like 2×10¹⁸.
const wordless = 18

// numbersOf returns Numbers in which the largest has a given exponent, at a
// power of ten; places is how many decimals they need when not divided.
func numbersOf(power, places int, unit string) Numbers {
	s := signOf(unit)
	n := Numbers{Decimals: max(0, places+power), Divisor: exact(1, power), Prefix: s.prefix, unit: s.suffix}
	n.Suffix = nameOf(power) + s.suffix
	return n
}

// nameOf is how a power of ten is written after a number.
func nameOf(power int) string {
	for _, w := range words {
		if w.power == power {
			return w.name
		}
	}
	if power == 0 {
		return ""
	}
	return "×10" + superscript(power)
}

func superscript(n int) string {
	return strings.Map(func(r rune) rune {
		if r == '-' {
			return '⁻'
		}
		return []rune("⁰¹²³⁴⁵⁶⁷⁸⁹")[r-'0']
	}, strconv.Itoa(n))
}

// alike returns the Numbers that write numbers exactly: the largest has the
// exponent, and together they have so many places (see [decimal]).
func alike(exponent, places int, unit string) Numbers {
	for _, power := range powers(exponent, unit) {
		if power > 0 && power < wordless && places+power > 1 {
			continue // 0.75 million is better read as 750,000
		}
		if power == 0 && places > 6 && exponent < -3 {
			power = thousands(exponent)
		}
		return numbersOf(power, places, unit)
	}
	return numbersOf(0, places, unit)
}

// powers are the powers of ten at which numbers may be written whose largest
// has the exponent, the best one first.
func powers(exponent int, unit string) []int {
	switch {
	case exponent >= wordless, exponent < -6:
		return []int{thousands(exponent)}
	case exponent < 6, exponent < 12 && multiplied(unit):
		return []int{0}
	}
	var list []int
	for _, w := range words {
		if exponent >= w.power {
			list = append(list, w.power)
		}
	}
	return append(list, 0)
}

// thousands is the multiple of three at or below an exponent. The smallest
// floats are held to a power that is itself a float of full precision.
func thousands(exponent int) int {
	return max(-306, 3*int(math.Floor(float64(exponent)/3)))
}

// NumbersFor chooses how values are written beside their marks, so that those
// that differ in the first three digits or so are seen to differ, with no more
// decimals than the values have. unit as in [Nice]. Values that are not finite
// are passed over.
func NumbersFor(values []float64, unit string) Numbers {
	own, low, high := math.MinInt32, math.Inf(1), math.Inf(-1)
	var all []decimal
	for _, v := range values {
		if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		d := decimalOf(v)
		all = append(all, d)
		own = max(own, d.places())
		low, high = min(low, v), max(high, v)
	}
	if len(all) == 0 {
		return numbersOf(0, 0, unit)
	}
	most := decimalOf(max(math.Abs(low), math.Abs(high)))
	most = most.round(2 - most.exponent()) // 999,999.99 is 1 million
	spread := decimalOf(finite(high - low))
	var n Numbers
	for _, power := range powers(most.exponent(), unit) {
		places := 2 - most.exponent()
		if power == 0 && most.exponent() == 2 {
			places = 1 // an index of 104.6 is published so
		}
		if !spread.zero() {
			places = max(places, -spread.exponent()+1) // values close together
		}
		n = numbersOf(power, min(own, places), unit)
		if power == 0 || power >= wordless || n.Decimals <= 2 && few(all, n) {
			break
		}
	}
	return n
}

// few reports whether at most one in ten of the values would be written as less
// than the last decimal.
func few(values []decimal, n Numbers) bool {
	lost := 0
	for _, d := range values {
		d.point -= n.power()
		if d.round(n.Decimals).zero() {
			lost++
		}
	}
	return lost*10 <= len(values)
}

// power is the power of ten that Divisor is.
func (n Numbers) power() int {
	if !(n.Divisor > 0) || math.IsInf(n.Divisor, 0) {
		return 0
	}
	return int(math.Round(math.Log10(n.Divisor)))
}

// Write writes one value: halves are rounded away from zero, the minus is
// U+2212. Zero, -0 too, is "0" with the unit's sign; what is not zero but would be
// rounded to it is "<0.1" or ">−0.1". What is no finite number is "".
func (n Numbers) Write(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	d := decimalOf(v)
	if d.zero() {
		return n.Prefix + "0" + n.unit
	}
	d.point -= n.power()
	decimals := max(n.Decimals, 0)
	less := ""
	rounded := d.round(decimals)
	if rounded.zero() {
		rounded = decimal{d.negative, []byte{'1'}, 1 - decimals}
		less = "<"
		if d.negative {
			less = ">"
		}
	}
	minus := ""
	if rounded.negative {
		minus = "−"
	}
	return less + minus + n.Prefix + rounded.write(decimals) + n.Suffix
}
