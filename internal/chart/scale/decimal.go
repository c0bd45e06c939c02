package scale

import (
	"math"
	"strconv"

	"almanac/internal/chart/words"
)

// decimal is a number in decimal notation: 0.digits × 10^point. It has the fewest
// digits that identify the float, which are the digits of the source. Rounding 2.675 in
// this form gives 2.68, as readers expect, although the float is slightly less.
type decimal struct {
	negative bool
	digits   []byte // '0' to '9', the first and last are not '0'; empty for 0
	point    int
}

// decimalOf converts a finite number.
func decimalOf(v float64) decimal {
	var d decimal
	if v == 0 {
		return d
	}
	d.negative = v < 0
	text := strconv.AppendFloat(make([]byte, 0, 24), math.Abs(v), 'e', -1, 64) // 1.25e+06
	d.digits = text[:0]
	for i, c := range text {
		switch {
		case c >= '0' && c <= '9':
			d.digits = append(d.digits, c)
		case c == 'e':
			exponent, _ := strconv.Atoi(string(text[i+1:]))
			d.point = exponent + 1
			return d
		}
	}
	return d
}

func (d decimal) isZero() bool { return len(d.digits) == 0 }

// places returns the number of digits after the point, or -3 for a multiple of a
// thousand.
func (d decimal) places() int {
	if d.isZero() {
		return math.MinInt32
	}
	return len(d.digits) - d.point
}

// exponent returns the exponent of the first digit: 3 for 1,250.
func (d decimal) exponent() int { return d.point - 1 }

// round returns the number with at most places digits after the point, rounding halves
// away from zero.
func (d decimal) round(places int) decimal {
	keep := d.point + places
	switch {
	case keep >= len(d.digits):
		return d
	case keep < 0:
		return decimal{}
	}
	up := d.digits[keep] >= '5'
	r := decimal{d.negative, append([]byte(nil), d.digits[:keep]...), d.point}
	for i := keep - 1; up && i >= 0; i-- {
		if up = r.digits[i] == '9'; !up {
			r.digits[i]++
			break
		}
		r.digits = r.digits[:i]
	}
	if up { // 9.96 became 10
		r.digits, r.point = []byte{'1'}, d.point+1
	}
	for len(r.digits) > 0 && r.digits[len(r.digits)-1] == '0' {
		r.digits = r.digits[:len(r.digits)-1]
	}
	if r.isZero() {
		return decimal{}
	}
	return r
}

// digit returns the digit at 10^exponent.
func (d decimal) digit(exponent int) byte {
	if i := d.exponent() - exponent; i >= 0 && i < len(d.digits) {
		return d.digits[i]
	}
	return '0'
}

// write formats the number without its sign, with exactly places digits after the point
// and with the separators of a language: "1,250.0".
func (d decimal) write(places int, l *words.Language) string {
	var whole, fraction []byte
	for e := max(d.exponent(), 0); e >= 0; e-- {
		whole = append(whole, d.digit(e))
	}
	for e := -1; e >= -places; e-- {
		fraction = append(fraction, d.digit(e))
	}
	return l.Decimal(string(whole), string(fraction))
}

// exact returns the float nearest to m × 10^e, like a literal in a program.
func exact(m int64, e int) float64 {
	const wholePowers = 22 // powers of ten up to this one are floats
	switch {
	case m == 0:
		return 0
	case max(m, -m) > wholeFloats || e < -wholePowers || e > wholePowers:
	case e < 0:
		return float64(m) / math.Pow10(-e) // one rounding, as below
	default:
		return float64(m) * math.Pow10(e)
	}
	text := strconv.AppendInt(nil, m, 10)
	text = append(text, 'e')
	v, _ := strconv.ParseFloat(string(strconv.AppendInt(text, int64(e), 10)), 64)
	return v // ±Inf if too large
}
