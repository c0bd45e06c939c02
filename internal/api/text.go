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
type numbers struct{ decimals int }

// appendNumber appends a finite value.
func (n *numbers) appendNumber(buf []byte, v float64) []byte {
	if math.Abs(v) < exactDigits {
		if i := int64(v); float64(i) == v {
			return appendInteger(buf, i)
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
	if math.Abs(v) >= 1e21 {
		return strconv.AppendFloat(buf, v, 'e', -1, 64)
	}
	return strconv.AppendFloat(buf, v, 'f', -1, 64)
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
	for decimals > 0 && i%10 == 0 {
		i /= 10
		decimals--
	}
	if decimals == 0 {
		return appendInteger(buf, i)
	}
	if i < 0 {
		buf = append(buf, '-')
		i = -i
	}
	var text [20]byte
	at := len(text)
	for u := uint64(i); u > 0 || decimals >= 0; u /= 10 {
		at--
		text[at] = byte('0' + u%10)
		decimals--
		if decimals == 0 {
			at--
			text[at] = '.'
		}
	}
	return append(buf, text[at:]...)
}

// appendInteger appends an integer.
func appendInteger(buf []byte, i int64) []byte { return strconv.AppendInt(buf, i, 10) }
