package sdmx

import (
	"regexp"
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

// ParsePeriod parses the time of an observation: a period, or the first instant of a
// day.
func ParsePeriod(text string) (stat.Period, error) {
	text = strings.TrimSpace(text[:min(len(text), maxPeriod)])
	if len(text) > len(time.DateOnly) {
		if day := midnight.ReplaceAllString(text, ""); len(day) == len(time.DateOnly) {
			text = day
		}
	}
	return stat.ParsePeriod(text)
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
