package update

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"almanac/internal/source"
	"almanac/internal/watch"
)

// An office is unavailable after this many failures in a row: outages, or
// failures of any kind.
const (
	maxOutages  = 3
	maxFailures = 20
)

// visit is the work of a round for one office. It belongs to one goroutine.
type visit struct {
	*round
	office  source.Office // zero for plain addresses
	known   watch.Office
	server  source.Server // nil: there is no such office any longer
	watches []*expansion  // watches to expand
	items   []watch.Item
	byName  bool  // requested by name: also if not due or the office is unavailable
	byHand  bool  // an import by hand: also if nothing changed
	list    *list // nil: not read

	outages, failures int           // in a row
	outage            *watch.Office // why and until when the office is unavailable; nil: it is available
	// misses record the stored items that the office reports as missing, in a row.
	// They are called when the next answer explains them.
	misses []func()

	// Faults of this machine; imports set them too.
	local  atomic.Pointer[error]
	faults atomic.Int32 // downloads that could not be stored
}

// run processes the office: its list of contents if needed, then its items one
// after another.
func (v *visit) run(ctx context.Context) {
	for _, it := range v.items {
		v.step(it, Waiting, 0)
	}
	if v.server != nil && v.isUnavailable() {
		v.noteError(v.options.Watches.Postpone(context.WithoutCancel(ctx), v.known.ID, v.known.Until))
		v.postpone(v.outageText(), v.items...)
		return
	}
	if v.server != nil && !v.expandWatches(ctx) {
		return
	}
	// Items that failed before come last, or a few that always fail could block
	// all others.
	slices.SortFunc(v.items, func(a, b watch.Item) int {
		return cmp.Or(a.Due.Compare(b.Due), cmp.Compare(a.Failed, b.Failed), cmp.Compare(a.ID, b.ID))
	})
	defer v.recordMisses()
	for i, it := range v.items {
		if reason := v.endReason(ctx); reason != "" {
			v.postpone(reason, v.items[i:]...)
			return
		}
		v.visitItem(ctx, it)
	}
}

// roundStopped is the reason for postponing items when the process stops.
const roundStopped = "the round was stopped"

// endReason returns why the visit must end now, or the empty string.
func (v *visit) endReason(ctx context.Context) string {
	switch err := v.local.Load(); {
	case ctx.Err() != nil:
		return roundStopped
	case v.outage != nil:
		return v.outageText()
	case err != nil:
		return (*err).Error()
	}
	return ""
}

// endVisit ends the visit because of a fault that every item would meet.
func (v *visit) endVisit(err error) {
	v.noteError(err)
	v.local.CompareAndSwap(nil, &err)
}

// isUnavailable reports whether an earlier round found the office unavailable.
// For items requested by name, this only counts if the office stated a time.
func (v *visit) isUnavailable() bool {
	o := v.known
	if o.ID == "" || v.byName && !o.Deferred || !isPaused(o.Until, v.options.Now()) {
		return false
	}
	v.outage = &o
	return true
}

// outageText says why and until when the office is skipped.
func (v *visit) outageText() string {
	how := "is not contacted"
	if v.outage.Deferred {
		how = "asked not to be contacted"
	}
	return fmt.Sprintf("%s %s until %s: %s", v.name(), how, v.outage.Until.UTC().Format("2006-01-02 15:04 MST"), v.outage.Error)
}

func (v *visit) name() string { return cmp.Or(v.office.Name, "the web") }

// markUnavailable skips the office from now on: until after has passed, if the
// office requested that.
func (v *visit) markUnavailable(ctx context.Context, reason string, after time.Duration) {
	now := v.options.Now()
	v.outage = &watch.Office{
		ID: v.known.ID, LastError: now, Error: short(reason), Until: v.outageUntil(v.known, after, now), Deferred: after > 0,
	}
	v.noteError(v.options.Watches.Pause(context.WithoutCancel(ctx), *v.outage))
	v.options.Log.Warn("an office is unavailable", "office", v.known.ID, "until", v.outage.Until, "reason", v.outage.Error)
}

func (v *visit) noteAnswer(ctx context.Context) {
	v.outages, v.failures = 0, 0
	v.recordMisses()
	if !v.known.Until.IsZero() {
		v.known.Until = time.Time{}
		v.noteError(v.options.Watches.Resume(context.WithoutCancel(ctx), v.known.ID, v.options.Now()))
	}
}

// noteFailure records an item that could not be fetched, and finds out whether
// the office is unavailable. Plain addresses are on many hosts, so one failure
// says nothing about the others.
func (v *visit) noteFailure(ctx context.Context, j *job, err error) {
	switch f := faultOf(err); {
	case v.known.ID == "":
	case f == faultMissing:
		v.outages, v.failures = 0, 0
		if j.item.Dataset != 0 {
			v.noteMissing(ctx, j, err)
			return
		}
	case f == faultRefused:
		v.noteAnswer(ctx)
	default:
		v.failures++
		v.outages++
		if f != faultOutage {
			v.outages = 0
		}
		if v.outages >= maxOutages || v.failures >= maxFailures || retryAfter(err) > 0 || asksForPause(err) {
			v.markUnavailable(ctx, err.Error(), retryAfter(err))
		}
	}
	v.recordFailure(ctx, j, err)
}

// noteMissing counts stored datasets that the office reports as missing. A few
// may be gone; a server that has none of them is broken.
func (v *visit) noteMissing(ctx context.Context, j *job, err error) {
	v.misses = append(v.misses, func() { v.recordFailure(ctx, j, err) })
	if len(v.misses) == maxFailures {
		v.markUnavailable(ctx, fmt.Sprintf("%d datasets in a row that it had before are missing: %v", len(v.misses), err), 0)
		v.recordMisses()
	}
}

func (v *visit) recordMisses() {
	for _, finish := range v.misses {
		finish()
	}
	v.misses = nil
}
