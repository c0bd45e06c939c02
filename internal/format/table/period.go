package table

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"almanac/internal/format/assemble"
	"almanac/internal/stat"
)

// Periods parses the periods of a table, each spelling once. In a dataset a year
// has one meaning: itself, or one span of years.
type Periods struct {
	table *assemble.Table
	parse func(text string) (stat.Period, error)
	known map[string]stat.Period // zero for text that is not a period
	years map[stat.Period]string // how each year was first written: itself or a span
}

// NewPeriods returns the periods of a table. parse parses all but spans of years; it
// returns [ErrUndated] for text in the place of a period that is not one.
func NewPeriods(t *assemble.Table, parse func(text string) (stat.Period, error)) *Periods {
	return &Periods{t, parse, map[string]stat.Period{}, map[stat.Period]string{}}
}

// Read parses a period. It is zero for undated text, which the dataset lists. A
// period that would be the same year as another is an error.
func (p *Periods) Read(text string) (stat.Period, error) {
	if known, ok := p.known[text]; ok {
		return known, nil
	}
	text = strings.Clone(text)
	period, isSpan := ReadSpan(text)
	if !isSpan {
		var err error
		period, err = p.parse(text)
		if errors.Is(err, ErrUndated) {
			p.table.Undated(text)
			p.known[text] = stat.Period{}
			return stat.Period{}, nil
		}
		if err == nil && period.IsZero() {
			err = fmt.Errorf("%q is not a period", text)
		}
		if err != nil {
			return period, err
		}
	}
	if period.Frequency() == stat.Annual {
		written := period.String() // 2024-A1 and 2024 are the same year
		if isSpan {
			written = text
		}
		if before, ok := p.years[period]; ok && before != written {
			return period, yearClash{fmt.Errorf("%s would be stored as the year %s, as %s before it; a dataset can have only one of them", written, period, before)}
		}
		p.years[period] = written
		if isSpan {
			p.table.LabelPeriod(period, text)
		}
	}
	p.known[text] = period
	return period, nil
}

// yearClash says that two texts would be stored as the same year.
type yearClash struct{ error }

// ReadSpan parses a span of years, 1950-1955, as the year it ends in.
func ReadSpan(text string) (stat.Period, bool) {
	first, last, _ := strings.Cut(text, "-")
	if len(first) != 4 || len(last) != 4 || !isDigits(first) || !isDigits(last) || first >= last {
		return stat.Period{}, false
	}
	year, _ := strconv.Atoi(last)
	p := stat.NewPeriod(stat.Annual, year, 1)
	return p, !p.IsZero()
}

// ReadPeriod parses a period in the spellings of [stat.ParsePeriod] and those that
// tables use: "2024 Q1", "Q1-2024", "2024 M01", "2024 01", "Jan 2024",
// "2024 January", "2024 [YR2024]", and days at midnight ("2024-01-31T00:00:00").
func ReadPeriod(text string) (stat.Period, error) {
	p, err := stat.ParsePeriod(text)
	if err == nil {
		return p, nil
	}
	if p, ok := readTwoWords(text); ok {
		return p, nil
	}
	if year, again, ok := strings.Cut(text, " [YR"); ok && again == year+"]" {
		return ReadPeriod(year) // the World Bank's DataBank
	}
	if len(text) > 10 && midnight.MatchString(text[10:]) {
		if p, err := stat.ParsePeriod(text[:10]); err == nil && p.Frequency() == stat.Day {
			return p, nil
		}
	}
	return p, err
}

// midnight matches that time of day after a date; any other time would be lost.
var midnight = regexp.MustCompile(`^[T ]0?0:00(:00([.,]0+)?(Z|[+-][0-9]{2}:[0-9]{2})?)?$`)

// readTwoWords parses a year and a part of it, in either order.
func readTwoWords(text string) (stat.Period, bool) {
	m := yearAndPart.FindStringSubmatch(text)
	if m == nil {
		return stat.Period{}, false
	}
	year, part := m[1]+m[4], m[2]+m[3]
	if isDigits(part) && !strings.Contains(text, " ") {
		return stat.Period{}, false // 2010/11 is a business year, not November
	}
	f, n, ok := ReadPart(part)
	if !ok {
		return stat.Period{}, false
	}
	y, _ := strconv.Atoi(year)
	p := stat.NewPeriod(f, y, n)
	return p, !p.IsZero()
}

var yearAndPart = regexp.MustCompile(`^[ /,-]*(?:([0-9]{4})[ /,-]+([^ /,-]+)|([^ /,-]+)[ /,-]+([0-9]{4}))[ /,-]*$`)

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// ReadPart parses a part of a year: "Q1", "1Q", "S1", "H1", "M01", "W05", "Jan",
// "January", and "01" as a month.
func ReadPart(text string) (f stat.Frequency, n int, ok bool) {
	folded := strings.TrimSuffix(strings.ToLower(text), ".")
	for m := time.January; m <= time.December; m++ {
		name := strings.ToLower(m.String())
		if folded == name || folded == name[:3] || folded == "sept" && m == time.September {
			return stat.Month, int(m), true
		}
	}
	if isDigits(folded) && len(folded) == 2 {
		n, _ = strconv.Atoi(folded)
		return stat.Month, n, true
	}
	if m := partOfYear.FindStringSubmatch(folded); m != nil {
		n, _ = strconv.Atoi(m[2] + m[3])
		return partLetters[m[1]+m[4]], n, true
	}
	return 0, 0, false
}

var partOfYear = regexp.MustCompile(`^(?:([qshmw])([0-9]{1,2})|([0-9]{1,2})([qshmw]))$`)

var partLetters = map[string]stat.Frequency{
	"q": stat.Quarter, "s": stat.HalfYear, "h": stat.HalfYear, "m": stat.Month, "w": stat.Week,
}
