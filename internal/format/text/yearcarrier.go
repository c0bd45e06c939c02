package text

import "strings"

// YearCarrier completes periods of which only the first of each year states the year:
// "1994/1- 3." and then "4- 6.", or "2023 Q1" and then "Q2". The zero value is ready to
// use. Texts must come in the order of the file.
type YearCarrier struct{ year string }

// Complete returns a text with the year of the last text that had one. A text that is no
// part of a year is returned as it is.
func (c *YearCarrier) Complete(text string) string {
	if year := yearIn(text); year != "" {
		c.year = year
		return text
	}
	if c.year == "" || text == "" {
		return text
	}
	whole := c.year + "/" + text
	if form, ok := parseForm(whole); ok && form.class != formDate {
		return whole
	}
	whole = c.year + " " + text
	if _, ok := parseForm(whole); ok {
		return whole
	}
	return text
}

// yearIn returns the year of a text that is a period with a year of four digits.
func yearIn(text string) string {
	form, ok := parseForm(text)
	if !ok || form.isShortYear || form.class == formShort || form.class == formMonthEnd {
		return ""
	}
	for digits := range strings.FieldsFuncSeq(text, func(r rune) bool { return r < '0' || r > '9' }) {
		if len(digits) == 4 {
			return digits
		}
	}
	return ""
}
