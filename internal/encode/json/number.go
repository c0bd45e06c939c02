package json

import (
	"math"
	"math/bits"
	"slices"
	"strconv"
)

// powers are the powers of ten of the fast path, which are exact as float64.
var powers = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9}

// exactDigits bounds the fast path: decimals of at most 15 digits differ as float64, so
// one that reads back as the value is the shortest, without its trailing zeros.
const exactDigits = 1e15

// numberEncoder writes the shortest decimal that reads back as the same value, without
// exponent below 1e21, and negative zero as 0. It first tries as many decimals as the
// previous value has, since a dataset mostly has the same number of decimals.
type numberEncoder struct {
	decimals int
	isLong   bool // the previous value had too many digits for the fast path
}

func (n *numberEncoder) append(buf []byte, v float64) []byte {
	if math.Abs(v) < exactDigits && !n.isLong {
		if i, ok := scale(v, n.decimals); ok {
			return appendDecimal(buf, i, n.decimals)
		}
		for d := range powers {
			if i, ok := scale(v, d); ok {
				n.decimals = d
				return appendDecimal(buf, i, d)
			}
		}
	}
	if v == 0 {
		return append(buf, '0') // -0 as well
	}
	format := byte('f')
	if math.Abs(v) >= 1e21 {
		format = 'e'
	}
	start := len(buf)
	buf = strconv.AppendFloat(buf, v, format, -1, 64)
	n.isLong = len(buf)-start > 15
	return buf
}

// scale multiplies v by a power of ten and rounds. ok reports whether the integer divided
// by the power is v. Both are exact, so parsing the decimal also rounds to v.
func scale(v float64, decimals int) (i int64, ok bool) {
	p := powers[decimals]
	product := v * p
	if math.Abs(product) >= exactDigits {
		return 0, false
	}
	i = int64(product + math.Copysign(0.5, product))
	return i, float64(i)/p == v
}

// appendDecimal appends i with its last decimals digits after the point, without
// trailing zeros there.
func appendDecimal(buf []byte, i int64, decimals int) []byte {
	u := uint64(i)
	if i < 0 {
		buf = append(buf, '-')
		u = -u
	}
	for decimals > 0 && u%10 == 0 {
		u /= 10
		decimals--
	}
	length := digitsOf(u)
	if decimals > 0 {
		length = max(length, decimals+1) + 1 // 5 hundredths are 0.05
	}
	start := len(buf)
	buf = slices.Grow(buf, length)[:start+length]
	// Digits are written from the last to the first, two at a time.
	text, at := buf[start:], length
	if decimals > 0 {
		for ; decimals > 1; decimals -= 2 {
			at -= 2
			pair := u % 100 * 2
			text[at], text[at+1] = digitPairs[pair], digitPairs[pair+1]
			u /= 100
		}
		if decimals == 1 {
			at--
			text[at] = byte('0' + u%10)
			u /= 10
		}
		at--
		text[at] = '.'
	}
	for at >= 2 {
		at -= 2
		pair := u % 100 * 2
		text[at], text[at+1] = digitPairs[pair], digitPairs[pair+1]
		u /= 100
	}
	if at == 1 {
		text[0] = byte('0' + u)
	}
	return buf
}

// digitsOf returns the number of decimal digits, 1 for zero.
func digitsOf(u uint64) int {
	u |= 1                          // zero has a digit too
	n := bits.Len64(u) * 1233 >> 12 // the bits times log10(2), at most one too small
	if u >= wholePowers[n] {
		n++
	}
	return n
}

// wholePowers are the powers of ten that digitsOf compares with: 1, 10 … 10^19.
var wholePowers = func() (list [20]uint64) {
	list[0] = 1
	for i := range list[1:] {
		list[i+1] = 10 * list[i]
	}
	return list
}()

// digitPairs holds 00 to 99.
const digitPairs = "00010203040506070809" +
	"10111213141516171819" +
	"20212223242526272829" +
	"30313233343536373839" +
	"40414243444546474849" +
	"50515253545556575859" +
	"60616263646566676869" +
	"70717273747576777879" +
	"80818283848586878889" +
	"90919293949596979899"
