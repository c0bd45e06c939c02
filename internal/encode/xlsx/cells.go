package xlsx

import (
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"almanac/internal/encode/json"
	"almanac/internal/encode/tidy"
	"almanac/internal/stat"
)

// Styles of cells, as positions in the part styles.xml.
const (
	styleGeneral = iota
	styleDate
	styleHeader
	styleTitle
	styleWrapped
	styleCode // text even if somebody edits it
	styleNumber
	styleNumberHeader
	styleMoment
	styleCount // a number among texts
)

// cells writes cells for package tidy. Each is followed by a line break, which XML ignores. The
// cells of a row follow one another without gaps, so they need no names.
type cells struct {
	strings sharedStrings
	numbers json.Numbers
	widths  map[string]int // characters of the longest text of each column so far
}

// AppendNumber appends a number, or an empty cell for NaN.
func (c *cells) AppendNumber(buf []byte, _ tidy.Column, v float64, d stat.Decimals) []byte {
	if math.IsNaN(v) {
		return append(buf, "<c/>\n"...)
	}
	return append(c.appendNumber(buf, v, d), '\n')
}

func (c *cells) appendNumber(buf []byte, v float64, d stat.Decimals) []byte {
	buf = append(appendStyle(append(buf, "<c"...), styleNumber), "><v>"...)
	return append(c.numbers.AppendOf(buf, v, d), "</v></c>"...)
}

// AppendText appends a text or a day.
func (c *cells) AppendText(buf []byte, column tidy.Column, text string) []byte {
	if text == "" {
		return append(buf, "<c/>\n"...)
	}
	c.widths[column.Name] = max(c.widths[column.Name], utf8.RuneCountInString(text))
	style := styleGeneral
	switch column.Kind {
	case tidy.Date:
		if day, ok := serialDay(text); ok {
			buf = append(appendStyle(append(buf, "<c"...), styleDate), "><v>"...)
			return append(strconv.AppendInt(buf, day, 10), "</v></c>\n"...)
		}
	case tidy.Code, tidy.Flags:
		style = styleCode
	}
	return append(c.append(buf, text, style), '\n')
}

// append appends a text in a style.
func (c *cells) append(buf []byte, text string, style int) []byte {
	buf = append(appendStyle(append(buf, "<c"...), style), ` t="s"><v>`...)
	return append(strconv.AppendInt(buf, int64(c.strings.position(text)), 10), "</v></c>"...)
}

func appendStyle(buf []byte, style int) []byte {
	if style == styleGeneral {
		return buf
	}
	return append(strconv.AppendInt(append(buf, ` s="`...), int64(style), 10), '"')
}

// serialDay returns the number by which the format names a day. Its calendar has a
// 29 February 1900, so earlier days have no number that all programs read alike: they are
// written as text.
func serialDay(text string) (day int64, ok bool) {
	const first, day1970 = 61, 25569 // 1900-03-01 and 1970-01-01
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return 0, false
	}
	day = t.Unix()/(24*60*60) + day1970
	if t.Unix() < 0 && t.Unix()%(24*60*60) != 0 {
		day--
	}
	return day, day >= first
}

// serialMoment returns the number by which the format names a moment in UTC: that of the day, and
// the part of the day that has passed.
func serialMoment(text string) (float64, bool) {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return 0, false
	}
	t = t.UTC()
	day, ok := serialDay(t.Format(time.DateOnly))
	return float64(day) + t.Sub(t.Truncate(24*time.Hour)).Hours()/24, ok
}

// sharedStrings holds each text of a workbook once.
type sharedStrings struct {
	positions map[string]int
	list      []string
	uses      int
}

func (s *sharedStrings) position(text string) int {
	s.uses++
	at, ok := s.positions[text]
	if !ok {
		at = len(s.list)
		s.positions[text] = at
		s.list = append(s.list, text)
	}
	return at
}

// appendText appends a text to XML. Characters that XML does not have are written as the
// format writes them, _x0007_, and so is what would be read as such.
func appendText(buf []byte, text string) []byte {
	for at, r := range text {
		switch {
		case r == '&':
			buf = append(buf, "&amp;"...)
		case r == '<':
			buf = append(buf, "&lt;"...)
		case r == '>':
			buf = append(buf, "&gt;"...)
		case r == '"':
			buf = append(buf, "&quot;"...)
		case r == '_' && isEscape(text[at:]):
			buf = append(buf, "_x005F_"...)
		case r < ' ' && r != '\n' && r != '\t', r == 0xFFFE, r == 0xFFFF:
			const digits = "0123456789ABCDEF"
			buf = append(buf, '_', 'x', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15], '_')
		default:
			buf = utf8.AppendRune(buf, r)
		}
	}
	return buf
}

// isEscape reports whether a text begins with _xHHHH_, in which H is a hexadecimal digit.
func isEscape(text string) bool {
	const length = len("_x0000_")
	return len(text) >= length && text[1] == 'x' && text[length-1] == '_' && strings.Trim(text[2:length-1], "0123456789abcdefABCDEF") == ""
}
