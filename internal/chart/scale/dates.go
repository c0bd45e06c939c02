package scale

import (
	"math"
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
	finest      stat.Frequency
	rhythm      int32 // days from one period to the next, at least
}

// Dates returns the ticks of a time axis through the start days of periods
// (ascending, at least one) at calendar steps: days 1, 7, 14 (Mondays); months 1,
// 3, 6; years 1, 2, 5, 10, 20, 50, 100 …, never finer than the finest of the periods
// is, nor than their rhythm. All of them lie between the first period's start and the last one's. fits
// reports whether labels at those days have room; the finest step that fits is
// taken. Where no step with two ticks or more fits, the first and the last
// period are marked, or the last one alone; nil if not even that fits.
//
// A week counts to the month and year of its Thursday: the tick of a month, among
// weeks, is at the Monday of its first week.
func Dates(periods []stat.Period, fits func([]DateTick) bool) []DateTick {
	if len(periods) == 0 {
		return nil
	}
	first, last := periods[0], periods[len(periods)-1]
	s := span{first: first.StartDay(), last: last.StartDay(), finest: stat.Annual}
	for _, p := range periods {
		s.finest = max(s.finest, p.Frequency())
	}
	s.rhythm = rhythmOf(periods, s.finest)
	for ticks := range s.steps {
		if len(ticks) > 1 && fits(ticks) {
			return ticks
		}
	}
	ends := []DateTick{{s.first, first.String()}, {s.last, last.String()}}
	if s.first < s.last && fits(ends) {
		return ends
	}
	if fits(ends[1:]) {
		return ends[1:]
	}
	return nil
}

// steps yields the ticks of every step, from fine to coarse.
func (s span) steps(yield func([]DateTick) bool) {
	for _, days := range []int32{1, 7, 14} {
		if days >= s.rhythm && (s.finest == stat.Day || s.finest == stat.Week && days > 1) && !yield(s.days(days)) {
			return
		}
	}
	months := []int{1, 3, 6}
	for decade := 12; decade <= 12_000; decade *= 10 {
		months = append(months, decade, 2*decade, 5*decade)
	}
	for _, n := range months {
		const longest = 31 // days of a month
		if n >= monthsOf(s.finest) && int32(n)*longest >= s.rhythm && !yield(s.months(n)) {
			return
		}
	}
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
	const monday = 4 // 1970-01-05
	day := s.first
	if past := ((day-monday)%n + n) % n; past > 0 {
		day += n - past
	}
	var ticks []DateTick
	for ; day <= s.last; day += n {
		ticks = append(ticks, DateTick{day, s.dayOrWeek(day).String()})
	}
	return ticks
}

// dayOrWeek is the finest period that begins on a day.
func (s span) dayOrWeek(day int32) stat.Period {
	date := time.Unix(int64(day)*86400, 0).UTC()
	if s.finest == stat.Week {
		year, week := date.ISOWeek()
		return stat.New(stat.Week, year, week)
	}
	return stat.NewDay(date.Year(), int(date.Month()), date.Day())
}

// months returns ticks every n months, counted from January of the year 0, so
// that years are round ones. A whole year has its number alone as a label, part
// of one the number of the half-year, quarter or month, as the periods are.
func (s span) months(n int) []DateTick {
	from := time.Unix(int64(s.first)*86400, 0).UTC()
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
		p := stat.New(f, month/12, month%12/max(monthsOf(f), 1)+1)
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
