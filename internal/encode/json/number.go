package json

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"

	"almanac/internal/stat"
)

// powers are the powers of ten of the fast path, which are exact as float64.
var powers = [stat.MaxDecimals + 1]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9}

// wholePowers are the same powers as integers.
var wholePowers = [stat.MaxDecimals + 1]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9}

// numberEncoder writes the shortest decimal that reads back as the same value, without
// exponent below 1e21, and negative zero as 0. If the decimals are not known, it first tries as many
// as the previous value has, since a dataset mostly has the same number of decimals.
type numberEncoder struct {
	decimals int
	isLong   bool // the previous value had too many digits for the fast path
}

func (n *numberEncoder) append(buf []byte, v float64, known stat.Decimals) []byte {
	if d := known.Count(); d >= 0 {
		return appendDecimal(buf, v, scaled(v*powers[d]), d)
	}
	if math.Abs(v) < stat.ExactDigits && !n.isLong {
		if i, ok := scale(v, n.decimals); ok {
			return appendDecimal(buf, v, i, n.decimals)
		}
		for d := range powers {
			if i, ok := scale(v, d); ok {
				n.decimals = d
				return appendDecimal(buf, v, i, d)
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
	if math.Abs(product) >= stat.ExactDigits {
		return 0, false
	}
	i = scaled(product)
	return i, float64(i)/p == v
}

// scaled rounds a product of a value and a power of ten.
func scaled(product float64) int64 { return int64(product + math.Copysign(0.5, product)) }

// appendDecimal appends v, which is i with its last decimals digits after the point, without
// trailing zeros there.
func appendDecimal(buf []byte, v float64, i int64, decimals int) []byte {
	if i < 0 {
		buf = append(buf, '-')
		i = -i
	}
	power := wholePowers[decimals]
	whole := uint64(int64(math.Abs(v))) // faster than dividing i
	fraction := uint64(i) - whole*power
	if whole >= 1e8 {
		buf = strconv.AppendUint(buf, whole, 10)
	} else {
		digits := eightDigits(whole)
		zeros := bits.TrailingZeros64(digits|1<<56) / 8 // before the first digit; 0 has one digit
		buf = binary.LittleEndian.AppendUint64(buf, (digits|asciiDigits)>>(8*zeros&63))
		buf = buf[:len(buf)-zeros]
	}
	if fraction == 0 {
		return buf
	}
	if decimals > 7 {
		buf = append(buf, '.')
		text := strconv.AppendUint(buf, power+fraction, 10) // with a 1 before the digits, then overwritten
		copy(text[len(buf):], text[len(buf)+1:])
		return bytes.TrimRight(text[:len(text)-1], "0")
	}
	digits := eightDigits(fraction) >> (8 * (8 - decimals) & 63) // without the zeros before
	size := (bits.Len64(digits) + 7) / 8                         // without the zeros after
	buf = binary.LittleEndian.AppendUint64(buf, (digits|asciiDigits)<<8|'.')
	return buf[:len(buf)-7+size]
}

// asciiDigits has the digit 0 in each byte.
const asciiDigits = 0x3030303030303030

// eightDigits returns the eight decimal digits of a number below 1e8, one in each byte, the
// first in the lowest. It divides all parts of the number at once: by 10000, then by 100, then
// by 10, the latter two by multiplication.
func eightDigits(u uint64) uint64 {
	u = u/1e4 | u%1e4<<32
	hundreds := u * 10486 >> 20 & 0x0000007f0000007f
	u = hundreds | (u-hundreds*100)<<16
	tens := u * 103 >> 10 & 0x000f000f000f000f
	return tens | (u-tens*10)<<8
}
