package update

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync/atomic"
	"syscall"
	"time"

	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/stat"
	"almanac/internal/watch"
)

// An office is unavailable after this many failures in a row: outages, or
// failures of any kind.
const (
	outages   = 3
	allFailed = 20
)

// visit is the work of a round for one office. It belongs to one goroutine.
type visit struct {
	*plan
	*round
	server source.Server
	list   *list // nil: not read

	outages, failures int       // in a row
	misses            []miss    // in a row; finished when the next answer explains them
	reason            string    // of the last failure
	until             time.Time // the office is unavailable
	deferred          bool      // until is the time that the office stated

	// Faults of this machine; imports set them too.
	local  atomic.Pointer[error]
	faults atomic.Int32 // downloads that could not be stored
}

// miss is a stored item that the office reports as missing.
type miss struct {
	job *job
	err error
}

// visitOffice processes one office: its list of contents if needed, then its
// items one after another.
func (r *round) visitOffice(ctx context.Context, c *plan) {
	v := &visit{plan: c, round: r, server: r.options.Sources.Server(c.known.ID)}
	for _, it := range v.items {
		r.step(it, Waiting, 0)
	}
	if v.server != nil && v.isUnavailable(v.byName) {
		r.noteError(r.options.Watches.Postpone(context.WithoutCancel(ctx), v.known.ID, v.until))
		r.postpone(v.outageText(), v.items...)
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
	defer v.finishMisses(ctx)
	for i, it := range v.items {
		if ctx.Err() != nil {
			r.postpone(roundEnded, v.items[i:]...)
			return
		}
		if !v.until.IsZero() {
			r.postpone(v.outageText(), v.items[i:]...)
			return
		}
		if err := v.local.Load(); err != nil {
			r.postpone((*err).Error(), v.items[i:]...)
			return
		}
		v.item(ctx, it)
	}
}

// endVisit ends the visit because of a fault that every item would meet.
func (v *visit) endVisit(err error) {
	v.noteError(err)
	v.local.CompareAndSwap(nil, &err)
}

// noteStorageFault ends the visit when a second download could not be stored
// because of this machine. A single one may be a special case.
func (v *visit) noteStorageFault(err error) {
	v.noteError(err)
	if v.faults.Add(1) > 1 {
		v.endVisit(err)
	}
}

// isUnavailable reports whether an earlier round found the office unavailable.
// For items requested by name, this only counts if the office stated a time.
func (v *visit) isUnavailable(byName bool) bool {
	o := v.known
	if o.ID == "" || byName && !o.Deferred || !isPaused(o.Until, v.options.Now()) {
		return false
	}
	v.until, v.deferred, v.reason = o.Until, o.Deferred, o.Error
	return true
}

// noteError logs an error of the database. The first one is the error of the round.
func (r *round) noteError(err error) {
	if err == nil {
		return
	}
	r.options.Log.Error("recording updates failed", "error", err)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		r.err = err
	}
}

// outageText says why and until when the office is skipped.
func (v *visit) outageText() string {
	how := "is not contacted"
	if v.deferred {
		how = "asked not to be contacted"
	}
	return fmt.Sprintf("%s %s until %s: %s", v.name(), how, v.until.UTC().Format("2006-01-02 15:04 MST"), v.reason)
}

// name returns the office's name.
func (v *visit) name() string {
	if v.office.Name == "" {
		return "the web"
	}
	return v.office.Name
}

// endUnlisted ends the visit because the list of contents could not be read.
func (v *visit) endUnlisted(ctx context.Context, err error) {
	if ctx.Err() != nil {
		v.postpone(roundEnded, v.items...)
		return
	}
	v.reason = "reading its list of contents failed: " + err.Error()
	v.markUnavailable(ctx, retryAfter(err))
	v.writeEntry(ctx, v.known.ID, failed, v.reason)
	v.postpone(v.outageText(), v.items...)
}

// markUnavailable skips the office from now on: until after has passed, if the
// office asked for that.
func (v *visit) markUnavailable(ctx context.Context, after time.Duration) {
	now, write := v.options.Now(), v.options.Watches.Answered
	if v.deferred = after > 0; v.deferred {
		write = v.options.Watches.Defers
	}
	v.reason = short(v.reason)
	v.until = v.outageUntil(v.known, after, now)
	v.noteError(write(context.WithoutCancel(ctx), v.known.ID, now, v.reason, v.until))
	v.options.Log.Warn("an office is unavailable", "office", v.known.ID, "until", v.until, "reason", v.reason)
}

// noteAnswer records that the office answers.
func (v *visit) noteAnswer(ctx context.Context) {
	v.outages, v.failures = 0, 0
	v.finishMisses(ctx)
	if !v.known.Until.IsZero() {
		v.known.Until = time.Time{}
		v.noteError(v.options.Watches.Answered(context.WithoutCancel(ctx), v.known.ID, v.options.Now(), "", time.Time{}))
	}
}

// failed records an item that could not be fetched, and finds out whether the
// office is unavailable. Plain addresses are on many hosts, so one failure says
// nothing about the others.
func (v *visit) failed(ctx context.Context, j *job, err error) {
	if v.known.ID == "" {
		v.finishFailed(ctx, j, err)
		return
	}
	switch {
	case isMissing(err):
		v.outages, v.failures = 0, 0
		if j.item.Dataset != 0 {
			v.noteMissing(ctx, j, err)
			return
		}
	case isRefused(err):
		v.noteAnswer(ctx)
	default:
		v.failures++
		v.outages++
		if !isOutage(err) {
			v.outages = 0
		}
		v.reason = err.Error()
		if v.outages >= outages || v.failures >= allFailed || retryAfter(err) > 0 {
			v.markUnavailable(ctx, retryAfter(err))
		}
	}
	v.finishFailed(ctx, j, err)
}

// noteMissing counts stored datasets that the office reports as missing. A few
// may be gone; a server that has none of them is broken.
func (v *visit) noteMissing(ctx context.Context, j *job, err error) {
	v.misses = append(v.misses, miss{j, err})
	if len(v.misses) < allFailed {
		return
	}
	v.reason = fmt.Sprintf("%d datasets in a row that it had before are missing: %v", len(v.misses), err)
	v.markUnavailable(ctx, 0)
	v.finishMisses(ctx)
}

// finishMisses records the missing items.
func (v *visit) finishMisses(ctx context.Context) {
	for _, m := range v.misses {
		v.finishFailed(ctx, m.job, m.err)
	}
	v.misses = nil
}

// retryAfter returns the waiting time that an unavailable office asked for, a
// week at most.
func retryAfter(err error) time.Duration {
	var failure *fetch.Error
	if errors.As(err, &failure) && failure.Outage() {
		return min(failure.After, longest)
	}
	return 0
}

func isMissing(err error) bool {
	var failure *fetch.Error
	return stat.KindOf(err) == stat.NotFound || !isRefused(err) && errors.As(err, &failure) && failure.Reason == fetch.Missing
}

// isRefused reports whether the office answered but refused this dataset.
func isRefused(err error) bool { return stat.KindOf(err) == stat.Refused }

// isOutage reports whether an error means that the office is unavailable.
func isOutage(err error) bool {
	var failure *fetch.Error
	return !isMissing(err) && !isRefused(err) &&
		(stat.KindOf(err) == stat.Unavailable || errors.As(err, &failure) && failure.Outage())
}

// isLocal reports whether an error concerns this machine's files (no space, no
// permission), not the office.
func isLocal(err error) bool {
	var failure *fetch.Error
	if err == nil || errors.As(err, &failure) || stat.KindOf(err) != stat.Internal {
		return false
	}
	var path *fs.PathError
	var link *os.LinkError
	var number syscall.Errno
	return errors.As(err, &path) || errors.As(err, &link) || errors.As(err, &number)
}
