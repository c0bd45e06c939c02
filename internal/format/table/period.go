package table

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// Periods parses the periods of a table, each spelling once. In a dataset a year
// has one meaning: itself, or one span of years.
type Periods struct {
	table *assemble.Table
	parse func(text string) (p stat.Period, isLabel bool, err error)
	known text.Cache[stat.Period] // zero for text that is not a period
	years map[stat.Period]string  // how each year was first written: itself or a span
	noted map[string]bool         // spans that are notes on their values, because a year has only one label
}

// NewPeriods returns the periods of a table. parse parses all but spans of years; it
// returns [ErrUndated] for text in the place of a period that is not one.
func NewPeriods(t *assemble.Table, parse func(text string) (stat.Period, error)) *Periods {
	return newPeriods(t, func(text string) (stat.Period, bool, error) {
		if p, isSpan := ReadSpan(text); isSpan {
			return p, true, nil
		}
		p, err := parse(text)
		return p, false, err
	})
}

func newPeriods(t *assemble.Table, parse func(string) (stat.Period, bool, error)) *Periods {
	return &Periods{table: t, parse: parse, years: map[stat.Period]string{}}
}

// Read parses a period. It is zero for undated text, which the dataset lists. A
// period that would be the same year as another is an error.
func (p *Periods) Read(text string) (stat.Period, error) {
	return p.known.FindText(text, func() (stat.Period, error) { return p.read(strings.Clone(text)) })
}

func (p *Periods) read(text string) (stat.Period, error) {
	period, isLabel, err := p.parse(text)
	if errors.Is(err, ErrUndated) {
		p.table.Undated(text)
		return stat.Period{}, nil
	}
	if err == nil && period.IsZero() {
		err = fmt.Errorf("%q is not a period", text)
	}
	if err != nil {
		return period, err
	}
	if p.noted[text] {
		return period, nil
	}
	if period.Frequency() == stat.Annual {
		written := period.String() // 2024-A1 and 2024 are the same year
		if isLabel {
			written = text
		}
		if before, ok := p.years[period]; ok && before != written {
			return period, yearClash{fmt.Errorf("%s would be stored as the year %s, as %s before it; a dataset can have only one of them", written, period, before)}
		}
		p.years[period] = written
	}
	if isLabel {
		p.table.LabelPeriod(period, text)
	}
	return period, nil
}

// yearClash says that two texts would be stored as the same year.
type yearClash struct{ error }

// ReadSpan parses a span of years, 1950-1955, as the year it ends in.
func ReadSpan(s string) (stat.Period, bool) {
	first, last, _ := strings.Cut(s, "-")
	if len(first) != 4 || len(last) != 4 || !text.IsDigits(first) || !text.IsDigits(last) || first >= last {
		return stat.Period{}, false
	}
	year, _ := strconv.Atoi(last)
	p := stat.NewPeriod(stat.Annual, year, 1)
	return p, !p.IsZero()
}

// ReadPeriod parses one period as [text.ReadPeriod] does, and a date whose order is open
// with the day first. A column of periods is decided as a whole: see [Period.Read].
func ReadPeriod(s string) (stat.Period, error) {
	p, err := text.ReadPeriod(s)
	if err != nil {
		if day, err := stat.ParsePeriod(s); err == nil {
			return day, nil
		}
	}
	return p, err
}
