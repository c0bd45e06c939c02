package words

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"almanac/internal/stat"
)

// periods holds how a language writes periods. Y stands for the year, N for the number
// within the year, Z for the same with two digits, M for the month's name, D for the day; A for the ordinal of a quarter
// or half-year in words, if the language has them.
type periods struct {
	half, quarter, month, week, day string
	ordinals                        []string
	span                            string // between two periods
}

// Period writes a period as readers of a picture expect it: "2024", "Q1/2024",
// "Jun 2024", "4 Jan 1999". Half-years, quarters and weeks in English have the form of
// the API.
func (l *Language) Period(p stat.Period) string {
	if p.IsZero() {
		return ""
	}
	year := strconv.Itoa(p.Year())
	pattern, number := "Y", 0
	switch p.Frequency() {
	case stat.HalfYear:
		pattern, number = l.period.half, (int(p.Start().Month())-1)/6+1
	case stat.Quarter:
		pattern, number = l.period.quarter, (int(p.Start().Month())-1)/3+1
	case stat.Month:
		pattern, number = l.period.month, int(p.Start().Month())
	case stat.Week:
		pattern = l.period.week
		_, number = p.Start().ISOWeek()
	case stat.Day:
		pattern, number = l.period.day, int(p.Start().Month())
	}
	var text strings.Builder
	for _, r := range pattern {
		switch r {
		case 'Y':
			text.WriteString(year)
		case 'N':
			text.WriteString(strconv.Itoa(number))
		case 'Z':
			fmt.Fprintf(&text, "%02d", number)
		case 'A':
			text.WriteString(l.period.ordinals[number-1])
		case 'M':
			text.WriteString(l.months[number-1])
		case 'D':
			text.WriteString(strconv.Itoa(p.Start().Day()))
		default:
			text.WriteRune(r)
		}
	}
	return text.String()
}

// Span writes the time from one period to another: "1955–2005".
func (l *Language) Span(from, to stat.Period) string {
	if from == to {
		return l.Period(from)
	}
	return l.Period(from) + l.period.span + l.Period(to)
}

// Date writes the day of a remark, such as that of an update: in English as ISO 8601 has
// it, 2024-03-28, else as a period.
func (l *Language) Date(day time.Time) string {
	if l.hasISODays {
		return day.Format(time.DateOnly)
	}
	return l.Period(stat.NewDay(day.Year(), int(day.Month()), day.Day()))
}

// Month returns the short name of a month, 1 to 12, in a date.
func (l *Language) Month(month int) string { return l.months[month-1] }
