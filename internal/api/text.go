package api

import (
	"math"
	"strconv"
	"unicode/utf8"
)

// The functions of this file append JSON to a buffer. They write what
// encoding/json's decoder reads back, and are compared with it by fuzz tests;
// they exist because an answer of a million numbers is made of nothing else.

const hexDigits = "0123456789abcdef"

// appendString appends text as a JSON string. Bytes that are no UTF-8 become
// the replacement character.
func appendString(buf []byte, text string) []byte {
	buf = append(buf, '"')
	plain := 0 // start of what needs no escape and is not yet appended
	for i := 0; i < len(text); {
		c := text[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(text[i:])
			if r == utf8.RuneError && size == 1 {
				buf = append(buf, text[plain:i]...)
				buf = append(buf, "\ufffd"...)
				plain = i + 1
			}
			i += size
			continue
		}
		buf = append(buf, text[plain:i]...)
		buf = appendEscape(buf, c)
		i++
		plain = i
	}
	buf = append(buf, text[plain:]...)
	return append(buf, '"')
}

// appendEscape appends the escape of a quote, a backslash or a control character.
func appendEscape(buf []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(buf, '\\', c)
	case '\n':
		return append(buf, '\\', 'n')
	case '\t':
		return append(buf, '\\', 't')
	case '\r':
		return append(buf, '\\', 'r')
	}
	return append(buf, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}

// appendComma appends a comma unless an object or array has just begun.
func appendComma(buf []byte) []byte {
	if n := len(buf); n == 0 || buf[n-1] == '{' || buf[n-1] == '[' {
		return buf
	}
	return append(buf, ',')
}

// appendName appends the name of a member, which needs no escape, and its colon.
func appendName(buf []byte, name string) []byte {
	buf = append(appendComma(buf), '"')
	buf = append(buf, name...)
	return append(buf, '"', ':')
}

// appendText appends a member with a text; an empty text is left out.
func appendText(buf []byte, name, text string) []byte {
	if text == "" {
		return buf
	}
	return appendString(appendName(buf, name), text)
}

// appendTexts appends an array of texts.
func appendTexts(buf []byte, texts []string) []byte {
	buf = append(buf, '[')
	for _, t := range texts {
		buf = appendString(appendComma(buf), t)
	}
	return append(buf, ']')
}

// powers are the powers of ten that a float64 holds exactly and that the fast
// path uses.
var powers = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9}

// exactDigits bounds the fast path: two decimals of at most 15 digits never
// read as the same float64, so the one that does read as the value, with its
// trailing zeros gone, is the shortest.
const exactDigits = 1e15

// numbers writes values as the interface wants them: the shortest decimal that
// reads back the same, without exponent below 1e21, negative zero as 0.
// Statistics have few decimals, and a dataset mostly the same number of them,
// so it tries that of the value before first.
type numbers struct {
	decimals int
	long     bool // the value before had more digits than the fast path has
}

// appendNumber appends a finite value.
func (n *numbers) appendNumber(buf []byte, v float64) []byte {
	if math.Abs(v) < exactDigits && !n.long {
		if i := int64(v); float64(i) == v {
			return appendDecimal(buf, i, 0)
		}
		if i, ok := scaled(v, n.decimals); ok {
			return appendDecimal(buf, i, n.decimals)
		}
		for d := 1; d < len(powers); d++ {
			if i, ok := scaled(v, d); ok {
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
	n.long = len(buf)-start > 15
	return buf
}

// scaled is v times the power of ten as an integer. ok says that this integer
// divided by the power is v: both are exact, so a reader's division rounds to v
// as well.
func scaled(v float64, decimals int) (i int64, ok bool) {
	p := powers[decimals]
	product := v * p
	if math.Abs(product) >= exactDigits {
		return 0, false
	}
	i = int64(product + math.Copysign(0.5, product))
	return i, float64(i)/p == v
}

// appendDecimal appends i with its last decimals digits behind the point, and
// without trailing zeros there.
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
	// Digits are made from the last to the first, two at a time.
	var text [24]byte
	at := len(text)
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
	for u >= 10 {
		at -= 2
		pair := u % 100 * 2
		text[at], text[at+1] = digitPairs[pair], digitPairs[pair+1]
		u /= 100
	}
	if u > 0 || at == len(text) || text[at] == '.' {
		at--
		text[at] = byte('0' + u)
	}
	return append(buf, text[at:]...)
}

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
