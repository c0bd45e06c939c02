package update

import (
	"cmp"
	"time"

	"almanac/internal/source"
	"almanac/internal/watch"
)

// day is also the default interval of an office.
const day = 24 * time.Hour

// A dataset without a stated interval is due after a share of its age.
const (
	shareOfAge = 10 // a tenth of the time since it changed
	longest    = 7 * day
)

// jitter is the largest random change of an interval.
const jitter = 0.1

// Waits after failures in a row; the last one repeats.
var (
	afterFailure = []time.Duration{15 * time.Minute, time.Hour, 4 * time.Hour, 12 * time.Hour, day}
	// afterLocalFault is short: what this machine could not store, for example
	// because its disk was full, it may soon store.
	afterLocalFault = []time.Duration{10 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 4 * time.Hour, day}
	afterMissing    = []time.Duration{day, 2 * day, 4 * day, longest}
)

// interval returns the interval of the watch, or else of the office.
func interval(every time.Duration, o source.Office) time.Duration {
	return cmp.Or(every, time.Duration(o.Check), day)
}

// addJitter makes a wait up to a tenth longer or shorter at random.
func (u *Updater) addJitter(d time.Duration) time.Duration {
	return time.Duration(float64(d) * (1 - jitter + 2*jitter*u.options.Rand()))
}

// dueAfterSuccess returns when an item is due; the package comment explains it.
func (u *Updater) dueAfterSuccess(it watch.Item, o source.Office, updated, now time.Time) time.Time {
	wait := interval(it.Every, o)
	if it.Every == 0 {
		changed := it.Changed
		if !updated.IsZero() && updated.Before(now) {
			changed = updated
		}
		if !changed.IsZero() {
			wait = max(wait, min(now.Sub(changed)/shareOfAge, longest))
		}
	}
	return now.Add(u.addJitter(wait))
}

// dueAfterFailure returns when an item is due; it.Failed counts this failure.
func (u *Updater) dueAfterFailure(it watch.Item, waits []time.Duration, now time.Time) time.Time {
	return now.Add(u.addJitter(waits[min(it.Failed, len(waits))-1]))
}

// Waits for an unavailable office.
const (
	firstOutage   = 5 * time.Minute
	longestOutage = 6 * time.Hour
)

// isPaused reports whether an office is skipped until a time. A time further
// ahead than any pause comes from a wrong clock.
func isPaused(until, now time.Time) bool {
	return now.Before(until) && !until.After(now.Add(longest))
}

// outageUntil returns until when an office is skipped: for twice the last pause,
// or for the time that it asked for.
func (u *Updater) outageUntil(known watch.Office, after time.Duration, now time.Time) time.Time {
	if after > 0 {
		return now.Add(after)
	}
	wait := firstOutage
	if before := known.Until.Sub(known.LastError); !known.Until.IsZero() && before > 0 {
		wait = min(max(2*before, firstOutage), longestOutage)
	}
	return now.Add(u.addJitter(wait))
}
