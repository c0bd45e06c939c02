package scale

import (
	"math"
	"time"

	"almanac/internal/stat"
)

// Ordinal returns the number of the period that contains a day.
func Ordinal(f stat.Frequency, day int32) int {
	switch f {
	case stat.Day:
		return int(day)
	case stat.Week:
		const monday = 4 // 1970-01-05
		return int(math.Floor(float64(day-monday) / 7))
	}
	date := time.Unix(int64(day)*86400, 0).UTC()
	months := date.Year()*12 + int(date.Month()) - 1
	switch f {
	case stat.Month:
		return months
	case stat.Quarter:
		return months / 3
	case stat.HalfYear:
		return months / 6
	}
	return months / 12
}

// NthPeriod is the inverse of ordinal.
func NthPeriod(f stat.Frequency, n int) stat.Period {
	switch f {
	case stat.Day:
		date := time.Unix(int64(n)*86400, 0).UTC()
		return stat.NewPeriod(f, date.Year(), date.YearDay())
	case stat.Week:
		year, week := time.Unix((int64(n)*7+4)*86400, 0).UTC().ISOWeek()
		return stat.NewPeriod(f, year, week)
	}
	ofYear := map[stat.Frequency]int{stat.Month: 12, stat.Quarter: 4, stat.HalfYear: 2, stat.Annual: 1}[f]
	return stat.NewPeriod(f, n/ofYear, n%ofYear+1)
}
