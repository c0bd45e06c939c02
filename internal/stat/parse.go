package stat

import (
	"fmt"
	"strings"
)

// shapes are all the ways in which a period may be written: first the form
// that the interface writes, then those that are read as well. In a shape Y
// stands for a digit of the year, n for a digit of the number within the
// year, m and d for those of month and day; every other character stands for
// itself.
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

// ParsePeriod reads a period in any of the spellings that the interface accepts;
// white space around it is ignored. ParsePeriod(p.String()) is p.
func ParsePeriod(text string) (Period, error) {
	text = strings.TrimSpace(text)
	for i := range shapes {
		s := &shapes[i]
		if len(text) != len(s.shape) {
			continue
		}
		if p, ok := parseShape(text, s.shape, s.freq); ok {
			if p.IsZero() {
				return p, fmt.Errorf("%q is no %s period: there is none with that number", text, s.freq)
			}
			return p, nil
		}
	}
	return Period{}, fmt.Errorf("%q is no period: periods are written like 2024, H1/2024, Q1/2024, 01/2024, W05/2024 or 31/01/2024", text)
}

// parseShape reads text by one shape of its length. ok says that the shape fits; the Period
// is zero if it fits but there is no such period (Q5/2024).
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
