package importer

import (
	"fmt"
	"time"

	"almanac/internal/stat"
)

// noteOlder tells where the source itself says that it updated the file before
// what is stored: a mirror that is behind, or an old copy. It is imported all
// the same, since offices also take releases back.
func noteOlder(t *table, before *stat.Dataset) {
	if before == nil || !isOlder(t.dataset.Updated, before.Updated) {
		return
	}
	t.report.Add(NoteOlderRelease, 1, fmt.Sprintf("updated %s, and what is stored %s",
		t.dataset.Updated.Format(time.RFC3339), before.Updated.Format(time.RFC3339)))
}

// isOlder compares two times of update, both of which must be stated. One of
// them may be a date alone, which is no earlier than any time of that day.
func isOlder(a, b time.Time) bool {
	if a.IsZero() || b.IsZero() {
		return false
	}
	if isDate(a) || isDate(b) {
		a, b = dayOf(a), dayOf(b)
	}
	return a.Before(b)
}

func isDate(t time.Time) bool { return t.Equal(t.UTC().Truncate(24 * time.Hour)) }

// dayOf is the day of a time where it was written.
func dayOf(t time.Time) time.Time {
	year, month, day := t.Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}
