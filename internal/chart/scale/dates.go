package scale

import (
	"iter"
	"math"
	"slices"
	"time"

	"almanac/internal/stat"
)

// DateTick is a tick of a time axis, labelled with a period.
type DateTick struct {
	Day    int32 // days since 1970-01-01 of the start of the period
	Period stat.Period
}

// maxTicks is more than fits into any picture. Steps that give more are skipped.
const maxTicks = 400

// span is the range of a time axis: from the start of the first period to that of the
// last, in days since 1970-01-01.
type span struct {
	first, last int32
	start, end  DateTick // the first and the last period
	finest      stat.Frequency
	minGap      int32 // shortest distance between two periods of the finest frequency, in days
}

// Dates returns the labelled ticks of a time axis for the given periods, which must be
// in ascending order and not empty.
//
// Ticks follow calendar steps: 1, 7 or 14 days (Mondays); 1, 2, 4, 13 or 26 weeks of a
// year; 1, 3 or 6 months; 1, 2, 5, 10, 20, 50, 100 … years. A step is never finer than
// the finest period or the shortest distance between periods. If at least three years
// begin in the range, years are the finest step. fits reports whether there is space
// for labels on the given days; Dates takes the finest step that fits.
//
// Ticks are evenly spaced. Steps of up to five years that lead exactly from the first to
// the last year have priority, and ticks at every other year include the last one or else
// the first. Otherwise the first and the last period are labelled too if they are of the
// same frequency as the ticks and not much closer to the next one than ticks are to each
// other. If no step with at least three ticks fits, only the ends are labelled, or only the
// last one. Dates returns nil if not even that fits.
//
// A week belongs to the year of its Thursday: among weeks, the tick of a year is the
// Monday of its first week.
func Dates(periods []stat.Period, fits func([]DateTick) bool) []DateTick {
	if len(periods) == 0 {
		return nil
	}
	s := spanOf(periods)
	ends := []DateTick{s.start, s.end}
	for ticks := range s.steps(s.minMonths()) {
		if len(ticks) > 1 && fits(ticks) {
			if len(ticks) == 2 && fits(ends) {
				return ends
			}
			if even := s.evenYears(ticks, fits); even != nil {
				return even
			}
			if last := s.everyOtherYear(ticks); last != nil && fits(last) {
				ticks = last
			}
			return s.withEnds(ticks, fits)
		}
	}
	if s.first < s.last && fits(ends) {
		return ends
	}
	if fits(ends[1:]) {
		return ends[1:]
	}
	return nil
}

// Strokes returns the days of the unlabelled ticks between the labels: the finest step
// of Dates that fits, including parts of years.
func Strokes(periods []stat.Period, fits func([]DateTick) bool) []DateTick {
	if len(periods) == 0 {
		return nil
	}
	s := spanOf(periods)
	for ticks := range s.steps(0) {
		if len(ticks) > 1 && fits(ticks) {
			return ticks
		}
	}
	return nil
}

func spanOf(periods []stat.Period) span {
	first, last := periods[0], periods[len(periods)-1]
	s := span{first: first.StartDay(), last: last.StartDay(), finest: stat.Annual}
	s.start, s.end = DateTick{s.first, first}, DateTick{s.last, last}
	for _, p := range periods {
		s.finest = max(s.finest, p.Frequency())
	}
	s.minGap = minGapOf(periods, s.finest)
	return s
}

// severalYears is the number of year starts from which labels are years: "2022", "2023"
// and "2024" are easier to read than twelve months with their years.
const severalYears = 3

// minMonths returns the smallest step in months: 12 if several years begin in the span,
// else 0.
func (s span) minMonths() int {
	if years := s.months(12); s.finest > stat.Annual && len(years) >= severalYears {
		return 12
	}
	return 0
}

// evenYears returns years from the first to the last at an even distance of up to five,
// to replace ticks at every year or every second one that do not include both ends: 2015,
// 2018, 2021, 2024 instead of 2016, 2018, 2020, 2022, 2024. It returns nil if there are
// none.
func (s span) evenYears(ticks []DateTick, fits func([]DateTick) bool) []DateTick {
	years := s.months(12)
	if len(years) < 3 || years[0].Day != s.first || years[len(years)-1].Day != s.last || ticks[1].Day-ticks[0].Day > 2*366 || s.minGap > 366 {
		return nil
	}
	for _, n := range []int{1, 2, 3, 4, 5} {
		if (len(years)-1)%n != 0 || n == 5 && years[0].Period.Year()%n != 0 {
			continue
		}
		var even []DateTick
		for i := 0; i < len(years); i += n {
			even = append(even, years[i])
		}
		if len(even) > 2 && fits(even) {
			return even
		}
	}
	return nil
}

// everyOtherYear moves ticks at every other year by one year if they then include the
// last year or, if the last period does not begin a year, the first one. It returns nil
// for other ticks.
func (s span) everyOtherYear(ticks []DateTick) []DateTick {
	if ticks[0].Period.Frequency() != stat.Annual || ticks[1].Period.Year()-ticks[0].Period.Year() != 2 {
		return nil
	}
	years := s.months(12)
	first := (len(years) - 1) % 2
	if years[len(years)-1].Day != s.last {
		if first = 0; years[0].Day != s.first {
			return nil
		}
	}
	var moved []DateTick
	for i := first; i < len(years); i += 2 {
		moved = append(moved, years[i])
	}
	return moved
}

// minEndShare is the smallest distance of a labelled end from the next tick, as a fraction
// of the distance between ticks.
const minEndShare = .4

// withEnds adds the first and the last period to the ticks, where they fit.
func (s span) withEnds(ticks []DateTick, fits func([]DateTick) bool) []DateTick {
	f, last := ticks[0].Period.Frequency(), len(ticks)-1
	if f == stat.Annual { // an end that begins a year is labelled with the year
		for _, year := range s.months(12) {
			switch year.Day {
			case s.first:
				s.start = year
			case s.last:
				s.end = year
			}
		}
	}
	least := max(1, int32(minEndShare*float64(ticks[last].Day-ticks[0].Day)/float64(last)))
	if s.end.Period.Frequency() == f && s.last-ticks[last].Day >= least {
		if try := append(slices.Clone(ticks), s.end); fits(try) {
			ticks = try
		}
	}
	if s.start.Period.Frequency() == f && ticks[0].Day-s.first >= least {
		if try := append([]DateTick{s.start}, ticks...); fits(try) {
			ticks = try
		}
	}
	return ticks
}

// steps yields the ticks of every step of at least that many months, from fine to
// coarse.
func (s span) steps(least int) iter.Seq[[]DateTick] {
	return func(yield func([]DateTick) bool) {
		if least == 0 && !s.partsOfMonths(yield) {
			return
		}
		months := []int{1, 3, 6}
		for decade := 12; decade <= 12_000; decade *= 10 {
			months = append(months, decade, 2*decade, 5*decade)
		}
		for _, n := range months {
			const longest = 31 // days in a month
			if n < max(least, monthsOf(s.finest)) || int32(n)*longest < s.minGap || s.finest == stat.Week && n < 12 {
				continue // next to labels of weeks, a month could be read as a week
			}
			if !yield(s.months(n)) {
				return
			}
		}
	}
}

// partsOfMonths yields the ticks of days and weeks. It returns false to stop.
func (s span) partsOfMonths(yield func([]DateTick) bool) bool {
	switch s.finest {
	case stat.Day:
		for _, n := range []int32{1, 7, 14} {
			if n >= s.minGap && !yield(s.days(n)) {
				return false
			}
		}
	case stat.Week:
		for _, n := range []int32{1, 2, 4, 13, 26} {
			if n*7 >= s.minGap && !yield(s.weeks(int(n))) {
				return false
			}
		}
	}
	return true
}

// minGapOf returns the smallest number of days between periods of the finest frequency,
// so that data for every fifth year get no ticks in between. It returns 0 for fewer
// than three periods.
func minGapOf(periods []stat.Period, finest stat.Frequency) int32 {
	var before stat.Period
	count, least := 0, int32(math.MaxInt32)
	for _, p := range periods {
		if p.Frequency() != finest {
			continue
		}
		if count++; count > 1 {
			least = min(least, p.StartDay()-before.StartDay())
		}
		before = p
	}
	if count < 3 {
		return 0
	}
	return least
}

// monthsOf returns the number of months in a period, or 0 for weeks and days.
func monthsOf(f stat.Frequency) int {
	switch f {
	case stat.Annual:
		return 12
	case stat.HalfYear:
		return 6
	case stat.Quarter:
		return 3
	case stat.Month:
		return 1
	}
	return 0
}

// days returns ticks every n days, on Mondays if n is 7 or 14.
func (s span) days(n int32) []DateTick {
	if (s.last-s.first)/n > maxTicks {
		return nil
	}
	var ticks []DateTick
	for day := s.first + ((monday-s.first)%n+n)%n; day <= s.last; day += n {
		date := dateOf(day)
		ticks = append(ticks, DateTick{day, stat.NewDay(date.Year(), int(date.Month()), date.Day())})
	}
	return ticks
}

const monday = 4 // 1970-01-05

// weeks returns ticks at every n-th week, counted from the first week of each year.
func (s span) weeks(n int) []DateTick {
	if int(s.last-s.first)/7/n > maxTicks {
		return nil
	}
	var ticks []DateTick
	for day := s.first + ((monday-s.first)%7+7)%7; day <= s.last; day += 7 {
		year, week := dateOf(day).ISOWeek()
		// A 53rd week has no space before the first week of the next year.
		if (week-1)%n == 0 && (n == 1 || week <= 52) {
			ticks = append(ticks, DateTick{day, stat.NewPeriod(stat.Week, year, week)})
		}
	}
	return ticks
}

func dateOf(day int32) time.Time { return time.Unix(int64(day)*86400, 0).UTC() }

// months returns ticks every n months, counted from January of year 0, so that years
// are round. The tick of a whole year has the year, that of a part of a year the half-year,
// quarter or month.
func (s span) months(n int) []DateTick {
	from := dateOf(s.first)
	if int(s.last-s.first)/28/n > maxTicks {
		return nil
	}
	f := min(s.finest, stat.Month)
	if n%12 == 0 {
		f = stat.Annual
	}
	var ticks []DateTick
	month := from.Year()*12 + int(from.Month()) - 1
	for month -= month % n; ; month += n {
		p := stat.NewPeriod(f, month/12, month%12/max(monthsOf(f), 1)+1)
		if p.IsZero() {
			if month/12 > from.Year() {
				return ticks
			}
			continue // before the year 1000
		}
		day := s.startOf(p)
		if day > s.last {
			return ticks
		}
		if day >= s.first {
			ticks = append(ticks, DateTick{day, p})
		}
	}
}

// startOf returns the day of a period's tick.
func (s span) startOf(p stat.Period) int32 {
	day := p.StartDay()
	if s.finest != stat.Week {
		return day
	}
	const thursday = 0 // 1970-01-01
	return day + ((thursday-day)%7+7)%7 - 3
}
