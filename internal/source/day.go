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

// aheadFor is how long a list may be ahead of the data that it tells of.
const aheadFor = 48 * time.Hour

// settledSame is the time of update that is remembered where the data are those
// of the last fetch, whatever the office told. A list may be published before the
// data, and servers on the way may give old ones for hours: what it tells is
// believed when it is two days old, and until then the next round asks again. A
// time far ahead is a slip of the office and nothing to wait for.
func (r *Request) settledSame(told, now time.Time, office *time.Location) time.Time {
	if told.IsZero() || told.After(r.Known.Updated) && now.Sub(told).Abs() < aheadFor {
		return r.Known.Updated
	}
	return settled(told, now, office)
}
