package source

import "time"

// settled is a time of update as it is remembered. Some offices tell the day
// alone, and may update a dataset twice on it: a day that is not over yet where
// the office is, is not remembered, so that the next round asks again. A day
// alone is a time in UTC, at midnight.
func settled(updated, now time.Time, office *time.Location) time.Time {
	if hour, minute, second := updated.Clock(); updated.Location() != time.UTC || hour+minute+second > 0 {
		return updated
	}
	year, month, day := updated.Date()
	if now.Before(time.Date(year, month, day+1, 0, 0, 0, 0, office)) {
		return time.Time{}
	}
	return updated
}

// lastMidnight is the zone in which a day ends last.
var lastMidnight = time.FixedZone("", -12*60*60)
