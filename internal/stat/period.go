package stat

import (
	"cmp"
	"time"
)

// Frequency is how often a period comes. Its order is the order of periods
// that start on the same day: annual first.
type Frequency uint8

// The frequencies, from coarse to fine.
const (
	Annual Frequency = iota + 1
	HalfYear
	Quarter
	Month
	Week
	Day
)

var frequencies = [...]struct {
	code, name, format, example string
	shape, sdmx                 string // how periods are written: see shapes
}{
	Annual:   {"A", "annual", "YYYY", "2024", "YYYY", "YYYY"},
	HalfYear: {"S", "half-yearly", "Hn/YYYY", "H1/2024", "Hn/YYYY", "YYYY-Sn"},
	Quarter:  {"Q", "quarterly", "Qn/YYYY", "Q1/2024", "Qn/YYYY", "YYYY-Qn"},
	Month:    {"M", "monthly", "MM/YYYY", "01/2024", "nn/YYYY", "YYYY-nn"},
	Week:     {"W", "weekly", "Wnn/YYYY", "W05/2024", "Wnn/YYYY", "YYYY-Wnn"},
	Day:      {"D", "daily", "DD/MM/YYYY", "31/01/2024", "dd/mm/YYYY", "YYYY-mm-dd"},
}

// Code is the frequency's code in SDMX CL_FREQ: A, S, Q, M, W or D.
func (f Frequency) Code() string { return frequencies[f].code }

// String is the frequency's name: "annual" … "daily".
func (f Frequency) String() string { return frequencies[f].name }

// Format shows how periods of the frequency are written: "Qn/YYYY".
func (f Frequency) Format() string { return frequencies[f].format }

// Example is a period of the frequency as it is written: "Q1/2024".
func (f Frequency) Example() string { return frequencies[f].example }

// Period is a span of days of one frequency: the year 2024, Q1/2024, 03/2024.
// It is comparable with ==; the zero Period is none. Its order ([Compare]) is
// by first day, then from annual to daily.
type Period struct {
	start int32 // days since 1970-01-01
	freq  Frequency
}

// Years that periods may have; four digits, so that every form is unambiguous.
const minYear, maxYear = 1000, 9999

// months is how many months a period takes, of those that take whole ones.
var months = [...]int{Annual: 12, HalfYear: 6, Quarter: 3, Month: 1}

// NewPeriod makes the n-th period of a year at a frequency: the half-year, quarter,
// month, ISO week, or day of the year, n counting from 1. It is the zero
// Period if there is no such one.
func NewPeriod(f Frequency, year, n int) Period {
	if year < minYear || year > maxYear || n < 1 {
		return Period{}
	}
	switch f {
	case Annual:
		if n == 1 {
			return Period{civil(year, 1, 1), f}
		}
	case HalfYear, Quarter, Month:
		if n*months[f] <= 12 {
			return Period{civil(year, (n-1)*months[f]+1, 1), f}
		}
	case Week:
		start := firstMonday(year) + int32(n-1)*7
		if start < firstMonday(year+1) {
			return Period{start, f}
		}
	case Day:
		start := civil(year, 1, 1) + int32(n-1)
		if start < civil(year+1, 1, 1) {
			return Period{start, f}
		}
	}
	return Period{}
}

// NewDay makes the daily period of a calendar date, the zero Period if there
// is no such date.
func NewDay(year, month, day int) Period {
	if year < minYear || year > maxYear {
		return Period{}
	}
	t := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	if t.Year() != year || int(t.Month()) != month || t.Day() != day {
		return Period{}
	}
	return Period{civil(year, month, day), Day}
}

// IsZero reports whether p is none.
func (p Period) IsZero() bool { return p.freq == 0 }

// Frequency is how often periods like p come.
func (p Period) Frequency() Frequency { return p.freq }

// Start is the first day of the span, at midnight UTC.
func (p Period) Start() time.Time { return date(p.start) }

// StartDay is the first day of the span as days since 1970-01-01.
func (p Period) StartDay() int32 { return p.start }

// End is the last day of the span, at midnight UTC.
func (p Period) End() time.Time { return date(p.end()) }

// Year is the year p belongs to; a week belongs to that of its Thursday.
func (p Period) Year() int {
	year, _ := yearMonth(p.anchor())
	return year
}

// Compare orders periods by first day, then from annual to daily.
func (p Period) Compare(q Period) int {
	if c := cmp.Compare(p.start, q.start); c != 0 {
		return c
	}
	return cmp.Compare(p.freq, q.freq)
}

// Within reports whether p is equal to q or lies inside it. A week lies in
// the month, quarter, half-year and year that hold its Thursday.
func (p Period) Within(q Period) bool {
	if p.freq < q.freq {
		return false
	}
	first, last := p.seenFrom(q)
	return q.start <= first && last <= q.end()
}

// In is the period of a frequency that holds p's first day; a week's, that of
// its Thursday.
func (p Period) In(f Frequency) Period {
	switch f {
	case Week:
		year, week := p.Start().ISOWeek()
		return NewPeriod(Week, year, week)
	case Day:
		return Period{p.start, Day}
	}
	year, month := yearMonth(p.anchor())
	return NewPeriod(f, year, (month-1)/months[f]+1)
}

// OverlapsSpan reports whether p overlaps the span from the start of from to
// the end of to; a zero bound is open. Beside a bound coarser than a week, a
// week counts as its Thursday.
func (p Period) OverlapsSpan(from, to Period) bool {
	if !from.IsZero() {
		if _, last := p.seenFrom(from); last < from.start {
			return false
		}
	}
	if !to.IsZero() {
		if first, _ := p.seenFrom(to); first > to.end() {
			return false
		}
	}
	return true
}

// seenFrom is p's span of days when compared with q.
func (p Period) seenFrom(q Period) (first, last int32) {
	if p.freq == Week && q.freq < Week {
		return p.anchor(), p.anchor()
	}
	return p.start, p.end()
}

// anchor is the day that decides which year and month p belongs to.
func (p Period) anchor() int32 {
	if p.freq == Week {
		return p.start + 3 // Thursday, ISO 8601
	}
	return p.start
}

// end is the last day of the span.
func (p Period) end() int32 {
	switch p.freq {
	case Day:
		return p.start
	case Week:
		return p.start + 6
	}
	y, m := yearMonth(p.start)
	return civil(y, m+months[p.freq], 1) - 1
}

// number is the position of p, which is no day, within its year, from 1.
func (p Period) number() int {
	switch p.freq {
	case HalfYear, Quarter, Month:
		_, m := yearMonth(p.start)
		return (m-1)/months[p.freq] + 1
	case Week:
		_, w := p.Start().ISOWeek()
		return w
	}
	return 1
}

// String writes p in the one form that the interface has: 2024, H1/2024,
// Q1/2024, 01/2024, W05/2024, 31/01/2024. The zero Period is "".
func (p Period) String() string { return p.write(frequencies[p.freq].shape) }

// SDMX writes p as SDMX 3.0 does: 2024, 2024-S1, 2024-Q1, 2024-01, 2024-W05,
// 2024-01-31. The zero Period is "".
func (p Period) SDMX() string { return p.write(frequencies[p.freq].sdmx) }

// write writes p in a shape, digit by digit from the right.
func (p Period) write(shape string) string {
	if shape == "" {
		return ""
	}
	year, number, month, day := p.Year(), 0, 0, 0
	if p.freq == Day {
		day, month = p.Start().Day(), int(p.Start().Month())
	} else {
		number = p.number()
	}
	text := []byte(shape)
	for i := len(text) - 1; i >= 0; i-- {
		var from *int
		switch text[i] {
		case 'Y':
			from = &year
		case 'n':
			from = &number
		case 'm':
			from = &month
		case 'd':
			from = &day
		default:
			continue
		}
		text[i] = byte('0' + *from%10)
		*from /= 10
	}
	return string(text)
}

// MarshalText writes p as [Period.String] does.
func (p Period) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads what [ParsePeriod] reads; the empty text is the zero Period.
func (p *Period) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*p = Period{}
		return nil
	}
	parsed, err := ParsePeriod(string(text))
	if err != nil {
		return err
	}
	*p = parsed
	return nil
}

// civil is the number of days from 1970-01-01 to a date of the Gregorian
// calendar; months past 12 run on into the next year. Counted in years that
// begin in March, so that the leap day comes last: a query compares many
// periods, and package time takes ten times as long.
func civil(year, month, day int) int32 {
	year, month = year+(month-1)/12, (month-1)%12+1
	if month <= 2 {
		year--
	}
	ofYear := (153*((month+9)%12)+2)/5 + day - 1 // day of the year from 1 March, from 0
	return int32(year*365 + year/4 - year/100 + year/400 + ofYear - daysTo1970)
}

// daysTo1970 is the number of days from 1 March of the year 0 to 1970-01-01.
const daysTo1970 = 719468

// yearMonth is the year and month of a day: the inverse of civil.
func yearMonth(days int32) (year, month int) {
	const cycle = 146097 // days of 400 years
	n := int(days) + daysTo1970
	ofCycle := n % cycle
	ofYears := (ofCycle - ofCycle/1460 + ofCycle/36524 - ofCycle/(cycle-1)) / 365 // years of the cycle
	ofYear := ofCycle - (365*ofYears + ofYears/4 - ofYears/100)
	fromMarch := (5*ofYear + 2) / 153
	year, month = n/cycle*400+ofYears, fromMarch+3
	if month > 12 {
		year, month = year+1, month-12
	}
	return year, month
}

// date is the calendar date of a day, at midnight UTC.
func date(days int32) time.Time { return time.Unix(int64(days)*86400, 0).UTC() }

// firstMonday is the Monday of ISO week 1: the week that holds 4 January.
func firstMonday(year int) int32 {
	fourth := civil(year, 1, 4)
	weekday := ((fourth+3)%7 + 7) % 7 // Monday is 0: 1970-01-01 was a Thursday
	return fourth - weekday
}
