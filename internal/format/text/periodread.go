package text

import (
	"errors"
	"fmt"
	"strings"

	"almanac/internal/stat"
)

// reading is a set of ways to read the texts of one class.
type reading uint8

// The readings of each class. A text of the class formCertain has only the first.
const (
	readCertain reading = 1

	readDayFirst   reading = 1 // of formDate
	readMonthFirst reading = 2

	readMonthNumber reading = 1 // of formYearEnd
	readSpan        reading = 2

	readQuarters  reading = 1 // of formPart and formKW
	readMonthly   reading = 2
	readHalfYears reading = 4
	readWeeks     reading = 8
	readOctober   reading = 16 // 1871.1 is 1871.10

	readShortEnd reading = 1 // of formMonthEnd: the number is the year
	readDayOf    reading = 2 // the number is the day of a year that is not stated

	readFewDigits reading = 1 // of formShort
)

// classReadings lists the readings of the classes, with how messages name them.
var classReadings = [formClasses][]struct {
	is   reading
	name string
}{
	formCertain:  {{readCertain, ""}},
	formDate:     {{readDayFirst, "a date with the day first"}, {readMonthFirst, "one with the month first"}},
	formYearEnd:  {{readMonthNumber, "a month"}, {readSpan, "a span of years"}},
	formPart:     {{readQuarters, "a quarter"}, {readMonthly, "a month"}, {readHalfYears, "a half-year"}},
	formKW:       {{readQuarters, "a quarter"}, {readWeeks, "a week"}},
	formMonths:   {{readQuarters, "a quarter"}, {readMonthly, "three months up to the last one"}},
	formMonthEnd: {{readShortEnd, "a month of a year of two digits"}, {readDayOf, "a day of a year that is not stated"}},
	formShort:    {{readFewDigits, "a year before 1000 or another number"}},
}

// readings returns the readings under which the text is a period that exists.
func (f *periodForm) readings() (possible reading) {
	year := f.year
	if f.isShortYear {
		year = 2000 + year%100
	}
	for _, r := range classReadings[f.class] {
		if r.is == readDayOf && f.class == formMonthEnd {
			if year%100 >= 1 && year%100 <= 31 {
				possible |= r.is
			}
			continue
		}
		for _, month := range f.name.all() {
			if p := f.period(r.is, year, month); !p.IsZero() {
				possible |= r.is
			}
		}
	}
	return possible
}

// all returns the months that a name may mean; one 0 if there is no name.
func (n monthName) all() []int {
	if n.months[1] != 0 {
		return []int{int(n.months[0]), int(n.months[1])}
	}
	return []int{int(n.months[0])}
}

// period returns the period in a reading, the zero Period if there is none. year is the
// full year, and month that of the name.
func (f *periodForm) period(r reading, year, month int) stat.Period {
	switch f.class {
	case formDate:
		if r == readDayFirst {
			return stat.NewDay(year, f.second, f.first)
		}
		return stat.NewDay(year, f.first, f.second)
	case formYearEnd:
		if r == readMonthNumber {
			return stat.NewPeriod(stat.Month, year, f.first)
		}
		return stat.NewPeriod(stat.Annual, spanEnd(year, f.first), 1)
	case formPart, formKW:
		if r == readOctober {
			return stat.NewPeriod(stat.Month, year, 10*f.first)
		}
		frequency := map[reading]stat.Frequency{readQuarters: stat.Quarter, readMonthly: stat.Month, readHalfYears: stat.HalfYear, readWeeks: stat.Week}[r]
		return stat.NewPeriod(frequency, year, f.first)
	case formMonths:
		if r == readQuarters && f.first%3 == 0 {
			return stat.NewPeriod(stat.Quarter, year, f.first/3)
		} else if r == readQuarters {
			return stat.Period{}
		}
		return stat.NewPeriod(stat.Month, year, f.first)
	case formMonthEnd:
		return stat.NewPeriod(stat.Month, year, month)
	case formShort:
		return stat.NewPeriod(stat.Annual, year, 1)
	}
	number := f.first
	if month > 0 {
		number = month
	}
	if f.frequency == stat.Day {
		return stat.NewDay(year, number, f.second)
	}
	return stat.NewPeriod(f.frequency, year, number)
}

// ReadPeriod parses one text that offices write for a period, in any of their languages:
// "2013T4", "Q1 2024", "2024年1月", "janeiro 2012", "11 May 2023", "31.12.2000",
// "2010-2011". A text that has two readings without the rest of its column is an error
// that names both ("03/04/2020", "Mar-15"), except "2010-11", which is a month as in ISO
// 8601. For columns and headings use [PeriodFinder].
func ReadPeriod(text string) (stat.Period, error) {
	if p, err := stat.ParsePeriod(text); err == nil && (p.Frequency() != stat.Day || !strings.Contains(text, "/")) {
		return p, nil
	}
	f, ok := parseForm(text)
	if !ok {
		return stat.Period{}, notPeriod(text)
	}
	possible := f.readings()
	if f.class == formYearEnd && strings.Contains(text, "-") && possible&readMonthNumber != 0 {
		possible = readMonthNumber
	}
	if f.class == formMonths {
		possible &= readQuarters
	}
	style := PeriodStyle{century: centuryOpen}
	if possible&(possible-1) == 0 && f.class != formShort {
		style.chosen[f.class] = possible
		p, _, err := style.read(text, f)
		return p, err
	}
	return stat.Period{}, &PeriodDoubt{Text: text, Readings: readingNames(f.class, possible)}
}

// TimeOfDay returns the time of day after a date, which is no part of a period; empty if there
// is none, or midnight. [PeriodFinder] ignores one that all texts of a column have.
func TimeOfDay(text string) string {
	f, ok := parseForm(text)
	if !ok {
		return ""
	}
	return f.clock
}

// IsPeriod reports whether a text may be a period, alone or among others like it. A bare
// number is one only if it has four, six or eight digits, and 2010.1 is a number.
func IsPeriod(text string) bool {
	if _, err := stat.ParsePeriod(text); err == nil {
		return true
	}
	f, ok := parseForm(text)
	return ok && f.clock == "" && f.class != formShort && !(f.class == formPart && f.isDotted)
}

func notPeriod(text string) error {
	if _, err := stat.ParsePeriod(text); err != nil {
		return err
	}
	return fmt.Errorf("%q is not a period", text)
}

// PeriodDoubt is the error for a text that may be two periods.
type PeriodDoubt struct {
	Text     string
	At       stat.Position
	Readings []string // "a month", "a span of years"
	Why      string   // empty: nothing else in the column decides
	Choices  []string // that decide it: see [PeriodChoice]
}

func (d *PeriodDoubt) Error() string {
	why := d.Why
	if why == "" {
		why = "nothing else decides which"
	}
	return fmt.Sprintf("%q may be %s, and %s", Clip(d.Text), strings.Join(d.Readings, " or "), why)
}

// RefusePeriods returns the error of a file for one of [PeriodFinder]. A doubt suggests its
// choices, beside the mapping that the caller states.
func RefusePeriods(err error, mapping string) error {
	var doubt *PeriodDoubt
	if !errors.As(err, &doubt) {
		return err
	}
	if len(doubt.Choices) == 0 {
		return stat.BadFile(doubt.At, "%v", doubt)
	}
	var readings [][]stat.Suggestion
	for _, c := range doubt.Choices {
		readings = append(readings, []stat.Suggestion{{Option: "mapping", Value: strings.TrimPrefix(mapping+", dates="+c, ", ")}})
	}
	return stat.Choose(stat.BadFile(doubt.At, "%v; state dates=%s in the mapping", doubt, strings.Join(doubt.Choices, " or dates=")), readings...)
}

func readingNames(class formClass, possible reading) (names []string) {
	for _, r := range classReadings[class] {
		if possible&r.is != 0 {
			names = append(names, r.name)
		}
	}
	return names
}

// The centuries of years of two digits.
const (
	centuryOpen  = 0 // undecided
	century2000  = 1 // all are from 2000 on
	century1950  = 2 // 50 to 99 are of the 20th century, the others of the 21st
	openingYears = 50
	certain1900s = 70 // 70 to 99 are of the 20th century
)

var errCentury = errors.New("has a year of two digits, and nothing decides its century")

// PeriodStyle is how a column writes its periods; see [PeriodFinder]. The zero value
// reads texts that leave nothing open.
type PeriodStyle struct {
	chosen    [formClasses]reading
	languages uint64
	century   int
	isDaily   bool           // no two texts are of the same day, so their times of day say nothing
	coarse    stat.Frequency // of dates that stand for longer periods; 0: they are days

	isOfMonths bool // these dates are months
}

// Coarse returns the frequency of the periods that dates stand for, 0 if they are days.
func (s *PeriodStyle) Coarse() stat.Frequency { return s.coarse }

// Days returns the style with dates that are days.
func (s *PeriodStyle) Days() PeriodStyle {
	days := *s
	days.coarse, days.isOfMonths = 0, false
	return days
}

// Read parses a period. isLabel reports that the text says more than the period, such as
// a fiscal year, and is to be kept ([stat.Dataset.PeriodLabels]).
func (s *PeriodStyle) Read(text string) (p stat.Period, isLabel bool, err error) {
	f, ok := parseForm(text)
	if !ok {
		return p, false, notPeriod(text)
	}
	return s.read(text, f)
}

func (s *PeriodStyle) read(text string, f periodForm) (p stat.Period, isLabel bool, err error) {
	if f.clock != "" && !s.isDaily {
		return p, false, fmt.Errorf("%q has a time of day, and other rows have another one of the same day; a period is a day or longer", Clip(text))
	}
	year := f.year
	if f.isShortYear {
		switch {
		case year >= certain1900s || year >= openingYears && s.century == century1950:
			year += 1900
		case year < openingYears || s.century == century2000:
			year += 2000
		default:
			return p, false, fmt.Errorf("%q %w", Clip(text), errCentury)
		}
	}
	r := s.chosen[f.class]
	if f.class == formCertain {
		r = readCertain
	}
	if r == 0 {
		return p, false, &PeriodDoubt{Text: text, Readings: readingNames(f.class, f.readings())}
	}
	month := f.name.in(s.languages)
	if month == 0 && f.name.months[0] != 0 {
		return p, false, fmt.Errorf("%q has a name of two months in different languages, and no other name tells the language", Clip(text))
	}
	if !(f.class == formMonthEnd && r == readDayOf) {
		p = f.period(r, year, month)
	}
	if p.IsZero() {
		return p, false, notPeriod(text)
	}
	if s.coarse != 0 && p.Frequency() > s.coarse {
		p = p.In(s.coarse)
	}
	return p, f.isLabel || f.class == formYearEnd && r == readSpan || f.class == formMonths && r == readMonthly, nil
}
