package source

import (
	"strings"
	"time"
)

// StorableTime returns the time of an update to store; zero if it must not be stored.
// Some offices state only the day and may update a dataset twice on that day. A day that
// is not over at the office is therefore not stored, and the next round checks again. A
// time of midnight in UTC stands for a day.
func StorableTime(updated, now time.Time, office *time.Location) time.Time {
	if hour, minute, second := updated.Clock(); updated.Location() != time.UTC || hour+minute+second > 0 {
		return updated
	}
	year, month, day := updated.Date()
	if now.Before(time.Date(year, month, day+1, 0, 0, 0, 0, office)) {
		return time.Time{}
	}
	return updated
}

// LastMidnight is the time zone in which a day ends last. It serves for offices whose
// time zone is unknown.
var LastMidnight = time.FixedZone("", -12*60*60)

// maxListLead is how long a list may be updated before the data it describes.
const maxListLead = 48 * time.Hour

// UnchangedTime returns the time of an update to store if the data equal those of the
// last fetch. A list may be published before the data, and caches may serve old data
// for hours. The time in the list is therefore stored only when it is two days old;
// until then the next round checks again. A time further in the future is a mistake of
// the office and is stored at once.
func (r *Request) UnchangedTime(listed, now time.Time, office *time.Location) time.Time {
	if listed.IsZero() || listed.After(r.Known.Updated) && now.Sub(listed).Abs() < maxListLead {
		return r.Known.Updated
	}
	return StorableTime(listed, now, office)
}

// timeLayouts are the layouts of times of updates; the last one is that of Istat.
var timeLayouts = []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02T15:04Z07:00", "2006-01-02T15:04", time.DateOnly, "01/02/2006 15:04:05"}

// ParseTime parses the time of an update; zero if it is invalid. A time without a zone,
// which some offices write in their own, is read as UTC, because times are only compared
// and shown.
func ParseTime(text string) time.Time {
	text = strings.Join(strings.Fields(text), " ")
	for _, layout := range timeLayouts {
		if at, err := time.Parse(layout, text); err == nil {
			return at.UTC()
		}
	}
	return time.Time{}
}

// ListedUpdated returns the time of the update in the list of contents. The time in a
// structure is not used, because an update between the requests for the data and for the
// structure would be missed.
func (r *Request) ListedUpdated() time.Time {
	if r.Listed == nil {
		return time.Time{}
	}
	return r.Listed.Updated
}

// SetMissing records the companions that are missing because of an outage.
func (s *State) SetMissing(companions []string) {
	if s.Missing = companions; len(companions) > 0 {
		s.Updated = time.Time{}
	}
}
