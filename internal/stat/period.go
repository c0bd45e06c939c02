package stat

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Frequency is the length of periods. Its order is that of periods that start on
// the same day: annual first.
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

// FrequenciesOf returns the frequencies of periods, from annual to daily.
func FrequenciesOf(periods []Period) []Frequency {
	var list []Frequency
	for f := Annual; f <= Day; f++ {
		if slices.ContainsFunc(periods, func(p Period) bool { return p.freq == f }) {
			list = append(list, f)
		}
	}
	return list
}

// Code returns the code in SDMX CL_FREQ: A, S, Q, M, W or D.
func (f Frequency) Code() string { return frequencies[f].code }

// String returns the name: "annual" … "daily".
func (f Frequency) String() string { return frequencies[f].name }

// Format returns the format of its periods: "Qn/YYYY".
func (f Frequency) Format() string { return frequencies[f].format }

// Example returns a period as an example of the format: "Q1/2024".
func (f Frequency) Example() string { return frequencies[f].example }

// Period is a span of days of one frequency: the year 2024, Q1/2024, 03/2024.
// Periods can be compared with ==; the zero Period means no period. See
// [Period.Compare] for their order.
type Period struct {
	start int32 // days since 1970-01-01
	freq  Frequency
}

// The years of periods. They are written with four digits, 0001 for the year 1, so that
// every spelling is unambiguous.
const minYear, maxYear = 1, 9999

// months is the number of months in a period, for frequencies of whole months.
var months = [...]int{Annual: 12, HalfYear: 6, Quarter: 3, Month: 1}

// NewPeriod returns the n-th half-year, quarter, month, ISO week or day of a year,
// counted from 1. It returns the zero Period if there is no such period.
func NewPeriod(f Frequency, year, n int) Period {
	if year < minYear || year > maxYear || n < 1 || n > 366 {
		return Period{}
	}
	p := Period{freq: f}
	switch f {
	case Annual, HalfYear, Quarter, Month:
		p.start = civil(year, (n-1)*months[f]+1, 1)
	case Week:
		p.start = firstMonday(year) + int32(n-1)*7
	case Day:
		p.start = civil(year, 1, 1) + int32(n-1)
	}
	if p.Year() != year { // n is too large
		return Period{}
	}
	return p
}

// NewDay returns the daily period of a calendar date, the zero Period if the date
// does not exist.
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

// IsZero reports whether p is the zero Period.
func (p Period) IsZero() bool { return p.freq == 0 }

// Frequency returns the frequency of p.
func (p Period) Frequency() Frequency { return p.freq }

// Start returns the first day at midnight UTC.
func (p Period) Start() time.Time { return date(p.start) }

// StartDay returns the first day as days since 1970-01-01.
func (p Period) StartDay() int32 { return p.start }

// EndDay returns the last day as days since 1970-01-01.
func (p Period) EndDay() int32 { return p.end() }

// End returns the last day at midnight UTC.
func (p Period) End() time.Time { return date(p.end()) }

// Year returns the year of p. A week belongs to the year of its Thursday.
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

// Within reports whether p is equal to q or inside it. A week is in the month,
// quarter, half-year and year of its Thursday.
func (p Period) Within(q Period) bool {
	if p.freq < q.freq {
		return false
	}
	first, last := p.daysFor(q)
	return q.start <= first && last <= q.end()
}

// In returns the period with frequency f that contains the first day of p, or the
// Thursday if p is a week.
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

// OverlapsSpan reports whether p overlaps the span from the start of from to the
// end of to. A zero bound is open. Compared with a bound coarser than a week, a
// week counts as its Thursday.
func (p Period) OverlapsSpan(from, to Period) bool {
	if !from.IsZero() {
		if _, last := p.daysFor(from); last < from.start {
			return false
		}
	}
	if !to.IsZero() {
		if first, _ := p.daysFor(to); first > to.end() {
			return false
		}
	}
	return true
}

// daysFor returns the first and last day of p for comparisons with q.
func (p Period) daysFor(q Period) (first, last int32) {
	if p.freq == Week && q.freq < Week {
		return p.anchor(), p.anchor()
	}
	return p.start, p.end()
}

// anchor returns the day that decides to which year and month p belongs.
func (p Period) anchor() int32 {
	if p.freq == Week {
		return p.start + 3 // Thursday, ISO 8601
	}
	return p.start
}

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

// String formats p as the API does: 2024, H1/2024, Q1/2024, 01/2024, W05/2024,
// 31/01/2024. The zero Period is "".
func (p Period) String() string {
	var text [longestShape]byte
	return string(p.write(text[:0], frequencies[p.freq].shape))
}

// SDMX formats p as SDMX 3.0 does: 2024, 2024-S1, 2024-Q1, 2024-01, 2024-W05,
// 2024-01-31. The zero Period is "".
func (p Period) SDMX() string {
	var text [longestShape]byte
	return string(p.write(text[:0], frequencies[p.freq].sdmx))
}

// longestShape is the number of bytes of 31/01/2024.
const longestShape = 10

// write appends a shape to buf and fills it with the digits of p, from right to left.
func (p Period) write(buf []byte, shape string) []byte {
	if shape == "" {
		return buf
	}
	year, month := yearMonth(p.anchor())
	var number, day int
	switch p.freq {
	case Day:
		day = p.Start().Day()
	case Week:
		_, number = p.Start().ISOWeek()
	default:
		number = (month-1)/months[p.freq] + 1
	}
	buf = append(buf, shape...)
	text := buf[len(buf)-len(shape):]
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
	return buf
}

// AppendText appends p as [Period.String] writes it.
func (p Period) AppendText(buf []byte) ([]byte, error) {
	return p.write(buf, frequencies[p.freq].shape), nil
}

// MarshalText returns p as [Period.String] does.
func (p Period) MarshalText() ([]byte, error) { return p.AppendText(nil) }

// UnmarshalText parses text with [ParsePeriod]; the empty text is the zero Period.
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

// civil returns the number of days from 1970-01-01 to a Gregorian date. Months
// above 12 are months of the next year. It counts years from March, so that the
// leap day comes last. Package time takes ten times as long, and a query compares
// many periods.
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

// yearMonth returns the year and month of a day. It is the inverse of civil.
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

func date(days int32) time.Time { return time.Unix(int64(days)*86400, 0).UTC() }

// firstMonday returns the Monday of ISO week 1, the week that contains 4 January.
func firstMonday(year int) int32 {
	fourth := civil(year, 1, 4)
	weekday := ((fourth+3)%7 + 7) % 7 // Monday is 0: 1970-01-01 was a Thursday
	return fourth - weekday
}

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
