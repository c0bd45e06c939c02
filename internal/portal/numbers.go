package portal

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// Signs of numbers: thousands are separated by a narrow space that does not break, and the minus
// is as wide as a plus.
const (
	thousands = "\u202f"
	minus     = "\u2212"
)

// integer writes a whole number: 47 232.
func (l *language) integer(n int) string { return l.number(strconv.Itoa(n)) }

// number writes a number that the interface wrote, with all its digits and no others.
func (l *language) number(text string) string {
	digits, isNegative := strings.CutPrefix(text, "-")
	whole, fraction, hasFraction := strings.Cut(digits, ".")
	var b strings.Builder
	if isNegative {
		b.WriteString(minus)
	}
	for i, digit := range whole {
		if left := len(whole) - i; i > 0 && left%3 == 0 && len(whole) > 3 {
			b.WriteString(thousands)
		}
		b.WriteRune(digit)
	}
	if hasFraction {
		b.WriteString(l.text("number.decimal"))
		b.WriteString(fraction)
	}
	return b.String()
}

// date writes a day: 22 Nov 2026.
func (l *language) date(day time.Time) string {
	months := strings.Fields(l.text("date.months"))
	return l.text("date.day", "day", strconv.Itoa(day.Day()), "month", months[day.Month()-1], "year", strconv.Itoa(day.Year()))
}

// moment writes a time of a day: 22 Nov 2026, 14:04 UTC.
func (l *language) moment(t time.Time) string {
	t = t.UTC()
	return l.text("date.time", "day", l.date(t), "time", t.Format("15:04"))
}

// number is a number with the digits of the interface.
type number = json.Number

// Date, Moment and Number are for templates.
func (p *page) Date(day time.Time) string   { return p.lang.date(day) }
func (p *page) Moment(t time.Time) string   { return p.lang.moment(t) }
func (p *page) Number(n json.Number) string { return p.lang.number(n.String()) }
