package sdmx

import (
	"regexp"
	"strings"
	"time"

	"almanac/internal/format/office"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// maxPeriod is how long the text of a period is at most.
const maxPeriod = 40

var (
	// undated are the times that offices write where there is no period: the
	// unknown week of a year, and the long-term annual average.
	undated = regexp.MustCompile(`^([0-9]{4}-?W99|LTAA)$`)
	// midnight ends a date that is written as an instant.
	midnight = regexp.MustCompile(`(T00:00:00(\.0+)?)?(Z|[-+][0-9]{2}:[0-9]{2})?$`)
)

// ParsePeriod reads the time of an observation, which may be written as the
// first moment of a day.
func ParsePeriod(text string) (stat.Period, error) {
	text = strings.TrimSpace(text[:min(len(text), maxPeriod)])
	if len(text) > len(time.DateOnly) {
		if day := midnight.ReplaceAllString(text, ""); len(day) == len(time.DateOnly) {
			text = day
		}
	}
	return stat.ParsePeriod(text)
}

// IsUndated reports whether a time is one that stands for no period.
func IsUndated(text string) bool { return undated.MatchString(text) }

// ParseTime reads when a message was prepared or data were updated: an instant,
// in UTC where it names no zone, or day first in Eurostat's zone as Eurostat
// writes it ("30/10/25 23:00:00"). It is zero where the text is neither.
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
