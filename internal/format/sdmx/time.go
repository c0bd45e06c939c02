package sdmx

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"almanac/internal/format/office"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// maxPeriod bounds the length of the text of a period.
const maxPeriod = 40

var (
	// undated matches what offices write in place of a period: the unknown week of a
	// year and the long-term annual average.
	undated = regexp.MustCompile(`^([0-9]{4}-?W99|LTAA)$`)
	// midnight matches what follows the date in an instant at the start of a day.
	midnight = regexp.MustCompile(`(T00:00:00(\.0+)?)?(Z|[-+][0-9]{2}:[0-9]{2})?$`)
)

// ParsePeriod parses the time of an observation: a period, the first instant of a day, or
// a span such as 2020-07-01/P1Y and 2020-2021, which is stored under the year it ends in.
func ParsePeriod(text string) (stat.Period, error) {
	if p, _, isSpan := parseSpan(strings.TrimSpace(text)); isSpan {
		return p, nil
	}
	text = strings.TrimSpace(text[:min(len(text), maxPeriod)])
	if len(text) > len(time.DateOnly) {
		if day := midnight.ReplaceAllString(text, ""); len(day) == len(time.DateOnly) {
			text = day
		}
	}
	return stat.ParsePeriod(text)
}

var (
	spanOfTime  = regexp.MustCompile(`^([0-9]{4}-[0-9]{2}-[0-9]{2})(?:T00:00:00)?/P([0-9]{1,3})([YMWD])$`)
	spanOfYears = regexp.MustCompile(`^([0-9]{4})-([0-9]{4})$`)
)

// parseSpan parses a span of time by its first day and its length, or by its first and
// last year. isWhole reports that it is the period itself, not only stored under it.
func parseSpan(text string) (p stat.Period, isWhole, ok bool) {
	if m := spanOfYears.FindStringSubmatch(text); m != nil && m[1] < m[2] {
		p, err := stat.ParsePeriod(m[2])
		return p, false, err == nil
	}
	m := spanOfTime.FindStringSubmatch(text)
	if m == nil {
		return p, false, false
	}
	first, err := time.Parse(time.DateOnly, m[1])
	n, _ := strconv.Atoi(m[2])
	if err != nil || n == 0 {
		return p, false, false
	}
	length := map[string][3]int{"Y": {n, 0, 0}, "M": {0, n, 0}, "W": {0, 0, 7 * n}, "D": {0, 0, n}}[m[3]]
	last := first.AddDate(length[0], length[1], length[2]-1)
	day := stat.NewDay(first.Year(), int(first.Month()), first.Day())
	for _, f := range []stat.Frequency{stat.Annual, stat.HalfYear, stat.Quarter, stat.Month, stat.Week, stat.Day} {
		if p := day.In(f); p.Start().Equal(first) && p.End().Equal(last) {
			return p, true, true
		}
	}
	return stat.NewPeriod(stat.Annual, last.Year(), 1), false, m[3] == "Y"
}

// IsUndated reports whether a text is a mark in place of a period.
func IsUndated(text string) bool { return undated.MatchString(text) }

// ParseTime parses the time of a message or an update: an instant, in UTC unless it
// states a zone, or a time as Eurostat writes it, in Eurostat's zone
// ("30/10/25 23:00:00"). It returns the zero time for any other text.
func ParseTime(content string) time.Time {
	zone := time.UTC
	if strings.Contains(content, "/") {
		zone = office.Zone("eurostat")
	}
	if day, err := time.Parse("2006-01-02Z07:00", strings.TrimSpace(content)); err == nil {
		return day
	}
	return text.Time(content, zone)
}
