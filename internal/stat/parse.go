package stat

import (
	"fmt"
	"strings"
)

// shapes lists the spellings of periods: for each frequency first the one that is
// written, then others that are accepted. In a shape, Y is a digit of the year, n
// a digit of the number within the year, m and d are digits of month and day, and
// every other character is literal.
var shapes = []struct {
	freq  Frequency
	shape string
}{
	{Annual, "YYYY"}, {Annual, "YYYY-An"}, {Annual, "YYYYAn"},
	{HalfYear, "Hn/YYYY"}, {HalfYear, "YYYY-Sn"}, {HalfYear, "YYYYSn"}, {HalfYear, "YYYY-Hn"}, {HalfYear, "YYYYHn"},
	{Quarter, "Qn/YYYY"}, {Quarter, "YYYY-Qn"}, {Quarter, "YYYYQn"}, {Quarter, "YYYYKn"},
	{Month, "nn/YYYY"}, {Month, "YYYY-nn"}, {Month, "YYYYMnn"}, {Month, "YYYY-Mnn"}, {Month, "YYYYnn"},
	{Week, "Wnn/YYYY"}, {Week, "YYYY-Wnn"}, {Week, "YYYYWnn"}, {Week, "YYYYVnn"}, {Week, "YYYYUnn"},
	{Day, "dd/mm/YYYY"}, {Day, "YYYY-mm-dd"}, {Day, "YYYYMmmDdd"},
}

// ParsePeriod parses a period in any accepted spelling, ignoring white space around
// it. ParsePeriod(p.String()) returns p.
func ParsePeriod(text string) (Period, error) {
	text = strings.TrimSpace(text)
	for i := range shapes {
		s := &shapes[i]
		if len(text) != len(s.shape) {
			continue
		}
		if p, ok := parseShape(text, s.shape, s.freq); ok {
			if p.IsZero() {
				return p, fmt.Errorf("%q is not a %s period: the number is out of range", text, s.freq)
			}
			return p, nil
		}
	}
	return Period{}, fmt.Errorf("%q is not a period: periods are written like 2024, H1/2024, Q1/2024, 01/2024, W05/2024 or 31/01/2024", text)
}

// parseShape parses text with a shape of the same length. ok reports whether the
// shape matches; p is zero if it does but the period does not exist (Q5/2024).
func parseShape(text, shape string, f Frequency) (p Period, ok bool) {
	var year, number, month, day int
	for i := range len(shape) {
		c := text[i]
		var into *int
		switch shape[i] {
		case 'Y':
			into = &year
		case 'n':
			into = &number
		case 'm':
			into = &month
		case 'd':
			into = &day
		default:
			if c != shape[i] {
				return Period{}, false
			}
			continue
		}
		if c < '0' || c > '9' {
			return Period{}, false
		}
		*into = *into*10 + int(c-'0')
	}
	switch {
	case f == Day:
		return NewDay(year, month, day), true
	case f == Annual && shape == "YYYY":
		return NewPeriod(Annual, year, 1), true
	}
	return NewPeriod(f, year, number), true
}
