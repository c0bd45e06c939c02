package scale

import (
	"math"
	"strconv"
)

// decimal is a number as it is written: 0.digits × 10^point. Its digits are the
// fewest that mean the float and no other, so those of the source: rounded in
// this form 2.675 becomes 2.68, as its reader expects, though the float is a
// little less.
type decimal struct {
	negative bool
	digits   []byte // '0' to '9', neither first nor last is '0'; none: the number is 0
	point    int
}

// decimalOf returns a finite number as a decimal.
func decimalOf(v float64) decimal {
	var d decimal
	if v == 0 {
		return d
	}
	d.negative = v < 0
	text := strconv.AppendFloat(nil, math.Abs(v), 'e', -1, 64) // 1.25e+06
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

// zero reports whether the number is 0.
func (d decimal) zero() bool { return len(d.digits) == 0 }

// places is how many digits after the point the number has; -3 where it is a
// multiple of a thousand.
func (d decimal) places() int {
	if d.zero() {
		return math.MinInt32
	}
	return len(d.digits) - d.point
}

// exponent is that of the first digit: 3 for 1,250.
func (d decimal) exponent() int { return d.point - 1 }

// round returns the number with at most so many digits after the point, halves
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
	if r.zero() {
		return decimal{}
	}
	return r
}

// digit returns the digit that stands for 10^exponent.
func (d decimal) digit(exponent int) byte {
	if i := d.exponent() - exponent; i >= 0 && i < len(d.digits) {
		return d.digits[i]
	}
	return '0'
}

// write returns the number without its sign, with exactly so many digits after
// the point and a comma at every third digit before it: "1,250.0".
func (d decimal) write(places int) string {
	var text []byte
	for e := max(d.exponent(), 0); e >= 0; e-- {
		text = append(text, d.digit(e))
		if e > 0 && e%3 == 0 {
			text = append(text, ',')
		}
	}
	if places > 0 {
		text = append(text, '.')
	}
	for e := -1; e >= -places; e-- {
		text = append(text, d.digit(e))
	}
	return string(text)
}

// exact returns m × 10^e: the float nearest to it, as if written in a program.
func exact(m int64, e int) float64 {
	if m == 0 {
		return 0
	}
	text := strconv.AppendInt(nil, m, 10)
	text = append(text, 'e')
	v, _ := strconv.ParseFloat(string(strconv.AppendInt(text, int64(e), 10)), 64)
	return v // ±Inf where it is too large
}
