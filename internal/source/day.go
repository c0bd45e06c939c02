package source

import "time"

// settled returns the time of an update to store. Some offices state only the day
// and may update a dataset twice on it. A day that is not over yet at the office is
// therefore not stored, and the next round checks again. A time of midnight in UTC
// stands for a day.
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

// lastMidnight is the last time zone in which a day ends.
var lastMidnight = time.FixedZone("", -12*60*60)

// aheadFor is how long a list may be ahead of the data it describes.
const aheadFor = 48 * time.Hour

// settledSame returns the time of an update to store if the data equal those of the
// last fetch. A list may be published before the data, and caches may serve old data
// for hours. So the time in the list counts only when it is two days old; until then
// the next round checks again. A time far in the future is a mistake of the office and
// counts at once.
func (r *Request) settledSame(listed, now time.Time, office *time.Location) time.Time {
	if listed.IsZero() || listed.After(r.Known.Updated) && now.Sub(listed).Abs() < aheadFor {
		return r.Known.Updated
	}
	return settled(listed, now, office)
}
