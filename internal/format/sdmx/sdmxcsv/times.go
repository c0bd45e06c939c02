package sdmxcsv

import (
	"regexp"
	"strings"
	"time"

	"almanac/internal/format/office"
	"almanac/internal/stat"
)

// maxPeriod is how long the text of a period is at most.
const maxPeriod = 40

var (
	// undatedMark is a time that is no period: the unknown week of a year, and
	// the long-term annual average.
	undatedMark = regexp.MustCompile(`^([0-9]{4}-?W99|LTAA)$`)
	// midnight ends a date that is written as an instant.
	midnight = regexp.MustCompile(`T00:00:00(\.0+)?(Z|[-+][0-9]{2}:[0-9]{2})?$`)
)

// parsePeriod reads a period; it is zero where the text is none. undated says
// that it is one of the marks that offices write in place of one.
func parsePeriod(text string) (p stat.Period, undated bool) {
	if len(text) > 10 {
		text = midnight.ReplaceAllString(text, "")
	}
	p, err := stat.ParsePeriod(text)
	return p, err != nil && undatedMark.MatchString(text)
}

// home is Eurostat's zone.
var home = office.Zone("eurostat")

// parseUpdated reads a time of update: an instant, or day first in the
// office's zone as Eurostat writes it ("30/10/25 23:00:00").
func parseUpdated(text string) (time.Time, bool) {
	for _, form := range []string{"02/01/06 15:04:05", "02/01/2006 15:04:05"} {
		if t, err := time.ParseInLocation(form, text, home); err == nil {
			return t, true
		}
	}
	for _, form := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02"} {
		if t, err := time.Parse(form, text); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// frequencyNames are the names of frequencies in files that hold labels in
// place of codes.
var frequencyNames = map[string]stat.Frequency{
	"annual": stat.Annual, "half-yearly, semesterly": stat.HalfYear, "half-yearly": stat.HalfYear, "quarterly": stat.Quarter,
	"monthly": stat.Month, "weekly": stat.Week, "daily": stat.Day,
}

// noFrequency are the codes of CL_FREQ that state none: not applicable, and
// unspecified.
func noFrequency(code string) bool { return code == "_Z" || code == "_U" }

func frequencyOfName(name string) (stat.Frequency, bool) {
	f, ok := frequencyNames[strings.ToLower(name)]
	return f, ok
}
