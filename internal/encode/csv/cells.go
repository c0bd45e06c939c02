package csv

import (
	"bytes"
	"math"
	"strings"
	"unicode/utf8"

	"almanac/internal/encode"
	"almanac/internal/encode/json"
	"almanac/internal/encode/tidy"
	"almanac/internal/stat"
)

// cells writes cells as RFC 4180 says, with the chosen separator and decimal sign.
type cells struct {
	separator string
	decimal   byte
	quoted    [256]bool // the characters that a cell needs quotes for
	numbers   json.Numbers
}

func newCells(o encode.Options) *cells {
	c := &cells{separator: ",", decimal: '.'}
	if o.Separator != 0 {
		c.separator = string(o.Separator)
	}
	if o.Decimal != 0 {
		c.decimal = o.Decimal
	}
	for _, b := range []byte(c.separator + "\"\r\n") {
		c.quoted[b] = true
	}
	return c
}

func (c *cells) AppendNumber(buf []byte, _ tidy.Column, v float64, d stat.Decimals) []byte {
	if !math.IsNaN(v) {
		start := len(buf)
		buf = c.numbers.AppendOf(buf, v, d)
		if c.decimal != '.' {
			if at := bytes.IndexByte(buf[start:], '.'); at >= 0 {
				buf[start+at] = c.decimal
			}
		}
	}
	return append(buf, c.separator...)
}

func (c *cells) AppendText(buf []byte, column tidy.Column, text string) []byte {
	return append(c.append(buf, text, column.Kind == tidy.Code || column.Kind == tidy.Flags), c.separator...)
}

// header returns the line with the names of columns.
func (c *cells) header(columns []tidy.Column) []byte {
	line := make([]byte, 0, 512) // mostly enough
	for _, column := range columns {
		line = append(c.append(line, column.Name, true), c.separator...)
	}
	return append(line[:len(line)-1], lineEnd...)
}

// append appends a text or code without a separator after it.
func (c *cells) append(buf []byte, text string, isCode bool) []byte {
	if IsFormula(text) && !(isCode && isPlain(text)) {
		text = "'" + text
	}
	if !c.needsQuotes(text) {
		return append(buf, text...)
	}
	buf = append(buf, '"')
	buf = append(buf, strings.ReplaceAll(text, `"`, `""`)...)
	return append(buf, '"')
}

func (c *cells) needsQuotes(text string) bool {
	for i := range len(text) {
		if c.quoted[text[i]] {
			return true
		}
	}
	return false
}

// IsFormula reports whether a spreadsheet may take a text for a formula, or if one apostrophe
// more stood before it: after any apostrophes it begins with one of the characters that OWASP
// names under "CSV Injection", also in full width.
func IsFormula(text string) bool {
	if text == "" || text[0] < utf8.RuneSelf && (text[0] > '@' || '0' <= text[0] && text[0] <= '9') {
		return false // like most
	}
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(text, "'"))
	return strings.ContainsRune("=+-@\t\r\n＝＋－＠", r)
}

// isPlain reports whether a code that begins like a formula has nothing that a formula could
// do something with: it consists of letters, digits and ._- after its first character, such as -, -1
// and +18. It is written as it is, so that programs find it.
func isPlain(code string) bool {
	return code != "" && strings.IndexByte("+-", code[0]) >= 0 && strings.IndexFunc(code[1:], func(r rune) bool {
		return !('0' <= r && r <= '9' || 'A' <= r&^0x20 && r&^0x20 <= 'Z' || strings.ContainsRune("._-", r))
	}) < 0
}
