package scale

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/chart/words"
)

// Numbers is the number format of one chart. All numbers have the same decimals and the
// same power of ten, except those that are small compared to the largest: "0.4" next to
// "1,200", "3 million" next to "123 billion".
type Numbers struct {
	Decimals int
	Divisor  float64 // a power of ten: 1, 1e6, 1e9, 1e12, or further ones such as 1e-9; 0 means 1
	Suffix   string  // " million", "%"
	Prefix   string  // "€"
	Power    int     // of ten, by which values are multiplied before: see Unit

	language *words.Language
	unit     string // the part of Suffix that belongs to the unit
	small    int    // numbers with a lower exponent are small; if 0, those below 1
}

// How small numbers are written.
const (
	smallDigits   = 2 // digits of the source that are kept
	smallDecimals = 6 // at most, or three more than other numbers have; a number that needs more is written "<0.1"
)

// noWord is the power of ten from which numbers are written like 2×10¹⁸.
const noWord = 18

// numbersOf returns the Numbers for a given power of ten. places is the number of
// decimals before division.
func numbersOf(power, places int, unit Unit) Numbers {
	n := Numbers{Decimals: max(0, places+power), Divisor: exact(1, power), Power: unit.Power, language: unit.language()}
	n.Prefix, n.unit = unit.signs()
	n.small = power - n.Decimals
	n.Suffix = n.nameOf(power) + n.unit
	return n
}

// nameOf returns the text for a power of ten after a number: " million", "×10¹⁸".
func (n Numbers) nameOf(power int) string {
	for _, p := range n.language.Powers() {
		if p.Exponent == power {
			return p.Name
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

// exactNumbers returns the Numbers that write a set of numbers without rounding.
// exponent is that of the largest number and places the most decimals of any.
func exactNumbers(exponent, places int, unit Unit) Numbers {
	for _, power := range powers(exponent, unit) {
		if power > 0 && power < noWord && places+power > 1 {
			continue // 750,000 is easier to read than 0.75 million
		}
		if power == 0 && places > 6 && exponent < -3 {
			power = thousands(exponent)
		}
		return numbersOf(power, places, unit)
	}
	return numbersOf(0, places, unit)
}

// powers returns the powers of ten in which numbers can be written whose largest has the
// exponent, the best first.
func powers(exponent int, unit Unit) []int {
	switch {
	case exponent >= noWord, exponent < -6:
		return []int{thousands(exponent)}
	case exponent < unit.firstPower(), exponent < 12 && isMultiple(unit.Text):
		return []int{0}
	}
	var list []int
	for _, p := range unit.language().Powers() {
		if exponent >= p.Exponent {
			list = append(list, p.Exponent)
		}
	}
	return append(list, 0)
}

// thousands returns the multiple of three at or below an exponent. For the smallest
// floats it returns a power that is itself a float of full precision.
func thousands(exponent int) int {
	return max(-306, 3*int(math.Floor(float64(exponent)/3)))
}

// NumbersFor chooses how values are written next to their marks: with about three
// digits and no more decimals than the values have, so that values that are visibly
// different are written differently. unit is as in [Nice]. It ignores values that are
// not finite.
func NumbersFor(values []float64, unit Unit) Numbers {
	all, low, high := unit.decimalsOf(values)
	if len(all) == 0 {
		return numbersOf(0, 0, unit)
	}
	exactPlaces := math.MinInt32
	for _, d := range all {
		exactPlaces = max(exactPlaces, d.places())
	}
	most := unit.decimalOf(max(math.Abs(low), math.Abs(high)))
	most = most.round(2 - most.exponent()) // 999,999.99 is 1 million
	spread := unit.decimalOf(finite(high - low))
	var n Numbers
	options := powers(most.exponent(), unit)
	for i, power := range options {
		if i+1 < len(options) && options[i+1] > 0 && most.exponent()-options[i+1] < 5 && fitsBetter(all, options[i+1], power) {
			continue // 1,379 million beside 51 million, not 1.38 billion
		}
		places := 2 - most.exponent()
		if power == 0 && most.exponent() == 2 {
			places = 1 // an index is published as 104.6
		}
		small := -places
		if !spread.isZero() {
			places = max(places, -spread.exponent()+1) // values close together
		}
		n = numbersOf(power, min(exactPlaces, places), unit)
		if places < exactPlaces && n.hides(values, finite(high-low)*minVisible) {
			n = numbersOf(power, places+1, unit)
		}
		if power > 0 && power < noWord && n.Decimals <= places+power && exactPlaces > n.Decimals-power && oneDigit(all, n) {
			n.Decimals++ // 9.2 million beside 187.3 million
		}
		n.small = small
		if power == 0 || power >= noWord || n.Decimals <= 2 && fewVanish(all, n) {
			break
		}
	}
	return n
}

// decimalsOf returns the finite values other than zero, and the lowest and the highest.
func (u Unit) decimalsOf(values []float64) (all []decimal, low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		all = append(all, u.decimalOf(v))
		low, high = min(low, v), max(high, v)
	}
	return all, low, high
}

// minVisible is the fraction of the range of values by which two values must differ to
// look different in a picture.
const minVisible = .025

// hides reports whether two values that differ by at least differ have the same label.
func (n Numbers) hides(values []float64, differ float64) bool {
	least := map[string]float64{} // lowest value for each label
	sorted := slices.Sorted(slices.Values(values))
	for _, v := range sorted {
		text := n.Write(v)
		if first, ok := least[text]; !ok || text == "" {
			least[text] = v
		} else if v-first >= differ && v > first {
			return true
		}
	}
	return false
}

// fitsBetter reports whether more values have one to three digits before the point in the lower
// of two powers, or if more than one in five would have a power of their own in the higher one,
// because they are less than a tenth of it.
func fitsBetter(all []decimal, lower, higher int) bool {
	inLower, inHigher, small := 0, 0, 0
	for _, d := range all {
		switch e := d.exponent(); {
		case e >= higher && e < higher+3:
			inHigher++
		case e >= lower && e < min(higher, lower+3):
			inLower++
		}
		if d.exponent() < higher-1 {
			small++
		}
	}
	return inLower > inHigher || 5*small > len(all)
}

// oneDigit reports whether more than one in five values would have a single digit other than
// zero.
func oneDigit(all []decimal, n Numbers) bool {
	count := 0
	for _, d := range all {
		if d.point-n.power()+n.Decimals == 1 {
			count++
		}
	}
	return count > 1 && 5*count > len(all)
}

// fewVanish reports whether at most one in three values is too small for the last
// decimal and needs a power of its own.
func fewVanish(values []decimal, n Numbers) bool {
	vanished := 0
	for _, d := range values {
		d.point -= n.power()
		if d.round(n.Decimals).isZero() {
			vanished++
		}
	}
	return vanished*3 <= len(values)
}

// power returns the exponent of Divisor.
func (n Numbers) power() int {
	if !(n.Divisor > 0) || math.IsInf(n.Divisor, 0) {
		return 0
	}
	return int(math.Round(math.Log10(n.Divisor)))
}

// Write formats one value. It rounds halves away from zero and uses U+2212 as minus.
// Zero, including -0, is "0" with the unit's sign. A value that is not zero but too
// small for a sensible number of decimals is "<0.1" or ">−0.1". A value that is not
// finite is "".
func (n Numbers) Write(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	d := Unit{Power: n.Power}.decimalOf(v)
	if d.isZero() {
		return n.Prefix + "0" + n.unit
	}
	n.language = Unit{Language: n.language}.language()
	n = n.forValue(d)
	d.point -= n.power()
	decimals := max(n.Decimals, 0)
	less := ""
	rounded := d.round(decimals)
	if rounded.isZero() {
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
	return less + minus + n.Prefix + rounded.write(decimals, n.language) + n.Suffix
}

// forValue returns the Numbers for a value that may be small: with a power of its own if
// it is less than a tenth of a million or the like, and with enough decimals for two of
// its digits.
func (n Numbers) forValue(d decimal) Numbers {
	power, limit := n.power(), max(smallDecimals, n.Decimals+3)
	switch statesPower := n.Suffix == n.nameOf(power)+n.unit; {
	case power > 0 && !statesPower:
		limit = n.Decimals + 1 // the power is stated elsewhere for all numbers
	case power > 0 && d.exponent() < power-1:
		power = powers(max(d.exponent(), 0), Unit{Language: n.language})[0]
		n.Divisor, n.Suffix, n.Decimals = exact(1, power), n.nameOf(power)+n.unit, 0
		n.small = max(n.small, power+1)
	}
	if d.exponent() >= n.small {
		return n
	}
	digits := d.round(smallDigits - 1 - d.exponent())
	need := min(d.places(), max(digits.places(), smallDigits-1-digits.exponent())) + power
	if need <= limit {
		n.Decimals = max(n.Decimals, need)
	}
	return n
}
