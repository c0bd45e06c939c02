package defaults

import (
	"sort"
	"strings"
	"time"

	"almanac/internal/stat"
)

// recentYears is the age up to which values count as recent.
const recentYears = 5

// Horizon returns the number of periods at the begin of a sorted list that had begun when
// the dataset was updated. Values of later ones are projections. If there are such, that of
// the year of the update is one too. Periods after the edition of an outlook are projections
// whenever it was imported.
func Horizon(d *stat.Dataset, periods []stat.Period, updated time.Time) int32 {
	n := begun(periods, updated)
	end, ok := EditionEnd(d, updated)
	if !ok {
		return n
	}
	isAhead := func(i int) bool {
		isSpan := d.PeriodLabels[periods[i]] != "" // which begins years before
		return periods[i].Start().After(end) || periods[i].Start().Equal(end) && !isSpan
	}
	return min(n, int32(sort.Search(len(periods), isAhead)))
}

// begun returns the number of periods that had begun at an update, without that of its year
// if there are later ones.
func begun(periods []stat.Period, updated time.Time) int32 {
	n := sort.Search(len(periods), func(i int) bool { return periods[i].Start().After(updated) })
	if n > 1 && n < len(periods) && periods[n-1].Frequency() == stat.Annual && periods[n-1].End().After(updated) {
		n--
	}
	return int32(n)
}

// IsForecast reports whether the flags of a value of a dataset say that it is a forecast.
// The World Economic Outlook marks values after "Estimates Start After" as estimates.
func IsForecast(d *stat.Dataset, flags stat.Flags) bool {
	return flags.Has("F") || flags.Has("E") && d.Source.ID == "imf" && strings.HasPrefix(strings.ToUpper(d.Code), "WEO")
}

// FlagName says in English what a code of flags means in a dataset. It is empty if that is not known.
func FlagName(d *stat.Dataset, code string) string {
	if code == "E" && IsForecast(d, stat.Flags(code)) {
		return "forecast: an estimate or projection of the office after the last observed year" // charts say so, too
	}
	return stat.FlagName(code)
}

// Recent returns the positions first … end-1 of the periods that count as recent: those of
// the last five years up to the horizon; up to the end if nothing is before the horizon.
func Recent(periods []stat.Period, horizon int32) (first, end int32) {
	if end = horizon; end == 0 {
		end = int32(len(periods))
	}
	if end == 0 {
		return 0, 0
	}
	since := periods[end-1].End().AddDate(-recentYears, 0, 0)
	first = int32(sort.Search(int(end), func(i int) bool { return periods[i].End().After(since) }))
	return first, end
}

// coveredYears is how far back the best covered period may be.
const coveredYears = 10

// LatestPeriod returns the position of the most recent period in the sense of a mode.
// counts holds the number of series with an observed value in each period, and series how
// many there are. It returns -1 if no period has one.
func LatestPeriod(mode stat.LatestMode, periods []stat.Period, counts []int32, series int) int32 {
	last := lastWith(counts, int32(min((series+9)/10, series)))
	if last < 0 {
		last = lastWith(counts, 1)
	}
	if last < 0 || mode != stat.LatestCovered {
		return last
	}
	since, most := periods[last].End().AddDate(-coveredYears, 0, 0), int32(0)
	for i := last; i >= 0 && periods[i].End().After(since); i-- {
		most = max(most, counts[i])
	}
	return lastWith(counts[:last+1], (2*most+2)/3)
}

// lastWith returns the last position with at least a number, -1 if there is none.
func lastWith(counts []int32, least int32) int32 {
	for i := len(counts) - 1; i >= 0; i-- {
		if counts[i] >= max(least, 1) {
			return int32(i)
		}
	}
	return -1
}
