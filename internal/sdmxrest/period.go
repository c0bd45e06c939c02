package sdmxrest

import (
	"time"

	"almanac/internal/stat"
)

// ParsePeriod reads a period as SDMX writes it, or an instant, which means its day. The error is
// [stat.Invalid] and names the parameter.
func ParsePeriod(parameter, text string) (stat.Period, error) {
	p, err := stat.ParsePeriod(text)
	if err == nil {
		return p, nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02Z07:00"} {
		if at, err := time.Parse(layout, text); err == nil {
			return stat.NewDay(at.Year(), int(at.Month()), at.Day()), nil
		}
	}
	return p, stat.Errorf(stat.Invalid, "parameter %s must be a period such as 2024, 2024-S1, 2024-Q1, 2024-01, 2024-W05, 2024-01-31 or 2024-01-31T00:00:00, not %.60q", parameter, text)
}

// ParseInstant reads a time; without a zone it is in UTC, and a date is its first moment. The error
// is [stat.Invalid] and names the parameter.
func ParseInstant(parameter, text string) (time.Time, error) {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", time.DateOnly} {
		if at, err := time.Parse(layout, text); err == nil {
			return at, nil
		}
	}
	return time.Time{}, stat.Errorf(stat.Invalid, "parameter %s must be a time such as 2026-05-01T12:00:00Z or a date, not %.60q; a plus in an address is written %%2B", parameter, text)
}
