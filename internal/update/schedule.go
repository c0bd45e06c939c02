package update

import (
	"cmp"
	"time"

	"almanac/internal/source"
	"almanac/internal/watch"
)

// day is how often an office is asked whose row does not say.
const day = 24 * time.Hour

// Bounds of a dataset's own rhythm.
const (
	shareOfAge = 10 // a tenth of the time since it changed
	longest    = 7 * day
)

// jitter is by how much spans are made longer or shorter by chance.
const jitter = 0.1

// Waits after failures in a row; the last one stays.
var (
	afterFailure = []time.Duration{15 * time.Minute, time.Hour, 4 * time.Hour, 12 * time.Hour, day}
	// afterOurFault: what this machine could not store, as when its disk was full,
	// it can store soon.
	afterOurFault = []time.Duration{10 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 4 * time.Hour, day}
	afterMissing  = []time.Duration{day, 2 * day, 4 * day, longest}
)

// span is how often an office is asked for something, as the watch or the
// office's row says.
func span(every time.Duration, o source.Office) time.Duration {
	return cmp.Or(every, time.Duration(o.Check), day)
}

// about makes a span up to a tenth longer or shorter by chance.
func (k *Keeper) about(d time.Duration) time.Duration {
	return time.Duration(float64(d) * (1 - jitter + 2*jitter*k.options.Rand()))
}

// next is when an item is due after a success: see the package's comment.
func (k *Keeper) next(it watch.Item, o source.Office, updated, now time.Time) time.Time {
	wait := span(it.Every, o)
	if it.Every == 0 {
		changed := it.Changed
		if !updated.IsZero() && updated.Before(now) {
			changed = updated
		}
		if !changed.IsZero() {
			wait = max(wait, min(now.Sub(changed)/shareOfAge, longest))
		}
	}
	return now.Add(k.about(wait))
}

// later is when an item is due after a failure; it.Failed counts this one.
func (k *Keeper) later(it watch.Item, waits []time.Duration, now time.Time) time.Time {
	return now.Add(k.about(waits[min(it.Failed, len(waits))-1]))
}

// Waits for an office that is out.
const (
	firstOutage   = 5 * time.Minute
	longestOutage = 6 * time.Hour
)

// waits reports whether an office is left alone until a time. Who would be for
// longer than anybody is has that from a clock that was wrong.
func waits(until, now time.Time) bool {
	return now.Before(until) && !until.After(now.Add(longest))
}

// outage is until when an office is left alone: twice as long as before, or as
// long as it asked for.
func (k *Keeper) outage(known watch.Office, after time.Duration, now time.Time) time.Time {
	if after > 0 {
		return now.Add(after)
	}
	wait := firstOutage
	if before := known.Until.Sub(known.LastError); !known.Until.IsZero() && before > 0 {
		wait = min(max(2*before, firstOutage), longestOutage)
	}
	return now.Add(k.about(wait))
}
