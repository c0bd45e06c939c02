package crosstab

import (
	"errors"

	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// inBoxhead stands for the number of a column of periods where these are in the boxhead.
const inBoxhead = -1

// settlePeriods decides how the periods of each column, or those of the boxhead, are
// written, and reads the periods of the boxhead.
func (r *reader) settlePeriods() error {
	r.periods = map[int]*table.Periods{}
	for time, finder := range r.found.periods {
		stated, isMixed := r.statedFrequency(time)
		finder.Choices = r.Stated.Dates
		if !isMixed {
			finder.Frequency = stated
		}
		style, err := finder.Find()
		if err != nil {
			return r.doubtful(err)
		}
		if isMixed {
			style = style.Days() // the frequency of each column decides
		}
		r.periods[time] = table.NewStyledPeriods(r.Table, style)
	}
	for j := range r.values {
		v := &r.values[j]
		if v.time != inBoxhead {
			continue
		}
		var err error
		if v.period, err = r.periods[inBoxhead].Read(periodText(v.text)); err != nil {
			return stat.BadFile(stat.Position{Line: r.periodRows[0] + 1}, "%v", err)
		}
		v.period = r.inPart(v.period, v.part)
	}
	return nil
}

// statedFrequency returns the frequency that the boxhead states for all columns beside a
// column of periods; isMixed reports that it states several, or some have none.
func (r *reader) statedFrequency(time int) (f stat.Frequency, isMixed bool) {
	isFirst := true
	for j, v := range r.values {
		if v.time != time {
			continue
		}
		isMixed = isMixed || !isFirst && r.frequency(j) != f
		f, isFirst = r.frequency(j), false
	}
	return f, isMixed
}

// doubtful returns the error of periods that may be read in several ways.
func (r *reader) doubtful(err error) error {
	var doubt *text.PeriodDoubt
	if !errors.As(err, &doubt) {
		return stat.BadFile(stat.Position{Line: 1}, "%v", err)
	}
	return doubt.Refusal(r.in.Mapping)
}
