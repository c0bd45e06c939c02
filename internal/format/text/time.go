package text

import (
	"strings"
	"time"
)

// timeLayouts are the layouts in which offices write times of update, the day
// before the month.
var timeLayouts = []string{
	time.RFC3339, "2006-01-02T15:04:05-0700", "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02",
	"20060102 15:04", "20060102 15:04:05", "20060102", "02.01.2006", "02.01.2006 15:04", "02.01.2006 15:04:05",
	"02/01/2006", "02/01/2006 15:04", "02/01/2006 15:04:05", "02/01/06", "02/01/06 15:04", "02/01/06 15:04:05",
}

// Time parses a time of update; a time without a zone is in zone. It returns the
// zero time for any other text, and for years before 1900 and from 2200 on.
func Time(text string, zone *time.Location) time.Time {
	text = strings.TrimSpace(text)
	for _, layout := range timeLayouts {
		if t, err := time.ParseInLocation(layout, text, zone); err == nil && t.Year() >= 1900 && t.Year() < 2200 {
			return t
		}
	}
	return time.Time{}
}
