package scale

import (
	"iter"
	"math"
	"slices"
	"strings"
	"time"

	"almanac/internal/stat"
)

// DateTick is a mark of a time axis.
type DateTick struct {
	Day   int32  // days since 1970-01-01: the start of the period it stands for
	Label string // a period as the interface writes it: 2024, Q1/2024, 03/2024
}

// mostTicks is more than any picture has room for: finer steps are not tried.
const mostTicks = 400

// span is what a time axis runs through: from the start of the first period to
// that of the last, in days since 1970-01-01.
type span struct {
	first, last int32
	start, end  DateTick // at the ends, labelled as the periods there
	finest      stat.Frequency
	rhythm      int32 // days from one period to the next, at least
}

// Dates returns the labelled ticks of a time axis through the start days of
// periods (ascending, at least one), at calendar steps: days 1, 7, 14 (Mondays);
// weeks 1, 2, 4, 13, 26 of a year; months 1, 3, 6; years 1, 2, 5, 10, 20, 50, 100
// …, never finer than the finest of the periods is, nor than their rhythm. Where
// three years or more begin among them, years are the finest. fits reports whether
// labels at those days have room; the finest step that fits is taken. The first
// and the last period are labelled too, as long as there is room: neighbours
// between them give way, unless every second, third or fourth year leads from one
// to the other. Where no step with two ticks or more fits, the ends are marked, or
// the last one alone; nil if not even that fits.
//
// A week counts to the year of its Thursday: the tick of a year, among weeks, is
// at the Monday of its first week.
func Dates(periods []stat.Period, fits func([]DateTick) bool) []DateTick {
	if len(periods) == 0 {
		return nil
	}
	s := spanOf(periods)
	for ticks := range s.steps(s.yearsEnough()) {
		if len(ticks) > 1 && fits(ticks) {
			if even := s.evenYears(ticks, fits); even != nil {
				return even
			}
			return s.ended(ticks, fits)
		}
	}
	ends := []DateTick{s.start, s.end}
	if s.first < s.last && fits(ends) {
		return ends
	}
	if fits(ends[1:]) {
		return ends[1:]
	}
	return nil
}

// Strokes returns the days at which a time axis has strokes between its labels:
// the finest of the steps of Dates, parts of years among them, that fits.
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
	s.start, s.end = DateTick{s.first, first.String()}, DateTick{s.last, last.String()}
	for _, p := range periods {
		s.finest = max(s.finest, p.Frequency())
	}
	s.rhythm = rhythmOf(periods, s.finest)
	return s
}

// severalYears is how many beginnings of years make parts of years too fine for
// labels: "2022", "2023" and "2024" say more than twelve times a month and a year.
const severalYears = 3

// yearsEnough is the least months of a step: 12 where several years begin in
// the span, else 0.
func (s span) yearsEnough() int {
	if years := s.months(12); s.finest > stat.Annual && len(years) >= severalYears {
		return 12
	}
	return 0
}

// evenYears returns years from the first to the last, two, three or four apart, in
// place of ticks at every second year that do not run through both ends: 2015,
// 2018, 2021, 2024 and not 2015, 2018, 2020, 2022, 2024. nil if there are none.
func (s span) evenYears(ticks []DateTick, fits func([]DateTick) bool) []DateTick {
	years := s.months(12)
	if len(years) < 3 || years[0].Day != s.first || years[len(years)-1].Day != s.last || ticks[1].Day-ticks[0].Day > 2*366 || s.rhythm > 366 {
		return nil
	}
	for _, n := range []int{1, 2, 3, 4} {
		if (len(years)-1)%n != 0 {
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

// ended returns ticks with the first and the last period among them, in place of
// up to two neighbours each; an end that has no room even so is left out.
func (s span) ended(ticks []DateTick, fits func([]DateTick) bool) []DateTick {
	const most = 2
	if !strings.Contains(ticks[0].Label, "/") { // years: an end that begins one is called by it
		for _, year := range s.months(12) {
			switch year.Day {
			case s.first:
				s.start = year
			case s.last:
				s.end = year
			}
		}
	}
	for drop := 0; drop <= most && drop < len(ticks) && ticks[len(ticks)-1].Day < s.last; drop++ {
		if try := append(slices.Clone(ticks[:len(ticks)-drop]), s.end); fits(try) {
			ticks = try
		}
	}
	for drop := 0; drop <= most && drop < len(ticks)-1 && ticks[0].Day > s.first; drop++ {
		if try := append([]DateTick{s.start}, ticks[drop:]...); fits(try) {
			ticks = try
		}
	}
	return ticks
}

// steps yields the ticks of every step of so many months or more, from fine to
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
			const longest = 31 // days of a month
			if n < max(least, monthsOf(s.finest)) || int32(n)*longest < s.rhythm || s.finest == stat.Week && n < 12 {
				continue // weeks are labelled as weeks: a month beside them reads like one
			}
			if !yield(s.months(n)) {
				return
			}
		}
	}
}

// partsOfMonths yields the ticks of days and weeks; false to stop.
func (s span) partsOfMonths(yield func([]DateTick) bool) bool {
	switch s.finest {
	case stat.Day:
		for _, n := range []int32{1, 7, 14} {
			if n >= s.rhythm && !yield(s.days(n)) {
				return false
			}
		}
	case stat.Week:
		for _, n := range []int32{1, 2, 4, 13, 26} {
			if n*7 >= s.rhythm && !yield(s.weeks(int(n))) {
				return false
			}
		}
	}
	return true
}

// rhythmOf is the least number of days from one period to the next of the
// finest frequency: data of every fifth year get no tick for the years between.
// It is 0 where there are fewer than three, which have no rhythm yet.
func rhythmOf(periods []stat.Period, finest stat.Frequency) int32 {
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

// monthsOf is how many months a period takes; 0 for weeks and days.
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

// days returns ticks every n days; where n is 7 or 14 at Mondays.
func (s span) days(n int32) []DateTick {
	if (s.last-s.first)/n > mostTicks {
		return nil
	}
	var ticks []DateTick
	for day := s.first + ((monday-s.first)%n+n)%n; day <= s.last; day += n {
		date := dateOf(day)
		ticks = append(ticks, DateTick{day, stat.NewDay(date.Year(), int(date.Month()), date.Day()).String()})
	}
	return ticks
}

const monday = 4 // 1970-01-05

// weeks returns ticks at every n-th week, counted from the first of each year.
func (s span) weeks(n int) []DateTick {
	if int(s.last-s.first)/7/n > mostTicks {
		return nil
	}
	var ticks []DateTick
	for day := s.first + ((monday-s.first)%7+7)%7; day <= s.last; day += 7 {
		year, week := dateOf(day).ISOWeek()
		// A 53rd week has no room before the next year's first.
		if (week-1)%n == 0 && (n == 1 || week <= 52) {
			ticks = append(ticks, DateTick{day, stat.NewPeriod(stat.Week, year, week).String()})
		}
	}
	return ticks
}

func dateOf(day int32) time.Time { return time.Unix(int64(day)*86400, 0).UTC() }

// months returns ticks every n months, counted from January of the year 0, so
// that years are round ones. A whole year has its number alone as a label, part
// of one the number of the half-year, quarter or month, as the periods are.
func (s span) months(n int) []DateTick {
	from := dateOf(s.first)
	if int(s.last-s.first)/28/n > mostTicks {
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
			ticks = append(ticks, DateTick{day, p.String()})
		}
	}
}

// startOf is the day at which the tick of a period stands.
func (s span) startOf(p stat.Period) int32 {
	day := p.StartDay()
	if s.finest != stat.Week {
		return day
	}
	const thursday = 0 // 1970-01-01
	return day + ((thursday-day)%7+7)%7 - 3
}
