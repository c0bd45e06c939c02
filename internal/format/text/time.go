package text

import (
	"strings"
	"time"
)

// timeLayouts are the ways in which offices write when something was updated,
// the day before the month.
var timeLayouts = []string{
	time.RFC3339, "2006-01-02T15:04:05-0700", "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02",
	"20060102 15:04", "20060102 15:04:05", "20060102", "02.01.2006", "02.01.2006 15:04", "02.01.2006 15:04:05",
	"02/01/2006", "02/01/2006 15:04", "02/01/2006 15:04:05", "02/01/06", "02/01/06 15:04", "02/01/06 15:04:05",
}

// Time reads a time of update; one without a zone is a time in zone. What is no
// time of an age that has statistics is the zero time.
func Time(text string, zone *time.Location) time.Time {
	text = strings.TrimSpace(text)
	for _, layout := range timeLayouts {
		if t, err := time.ParseInLocation(layout, text, zone); err == nil && t.Year() >= 1900 && t.Year() < 2200 {
			return t
		}
	}
	return time.Time{}
}
