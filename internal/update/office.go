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

// An office is out after so many failures in a row: of the kind that passes, or
// of any.
const (
	outages   = 3
	allFailed = 20
)

// visit is a round's business with one office. It belongs to one goroutine.
type visit struct {
	*plan
	*round
	server source.Server
	list   *list // nil: none was read

	outages, failures int       // in a row
	misses            []miss    // in a row; they are finished when it is known what that means
	reason            string    // of the last failure
	until             time.Time // the office is out
	deferred          bool      // as it asked for

	// What is wrong here, and not with the office; imports set these, too.
	local  atomic.Pointer[error]
	faults atomic.Int32 // downloads that could not be stored
}

// miss is an item that is in the store, and of which the office says that it does
// not have it.
type miss struct {
	job *job
	err error
}

// callOn does what is to be done of one office: its list of contents, if that is
// needed, then its items one after another.
func (r *round) callOn(ctx context.Context, c *plan) {
	v := &visit{plan: c, round: r, server: r.options.Sources.Server(c.known.ID)}
	for _, it := range v.items {
		r.step(it, Waiting, 0)
	}
	if v.server != nil && v.isOut(v.byName) {
		r.noteError(r.options.Watches.Postpone(context.WithoutCancel(ctx), v.known.ID, v.until))
		r.postpone(v.outageText(), v.items...)
		return
	}
	if v.server != nil && !v.expand(ctx) {
		return
	}
	// What failed before comes last, or a few that always fail would keep the
	// others from ever being asked for.
	slices.SortFunc(v.items, func(a, b watch.Item) int {
		return cmp.Or(a.Due.Compare(b.Due), cmp.Compare(a.Failed, b.Failed), cmp.Compare(a.ID, b.ID))
	})
	defer v.finishMisses(ctx)
	for i, it := range v.items {
		if ctx.Err() != nil {
			r.postpone(wasEnded, v.items[i:]...)
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

// endVisit ends the visit: something is wrong here, which would be with each item.
func (v *visit) endVisit(err error) {
	v.noteError(err)
	v.local.CompareAndSwap(nil, &err)
}

// noteStorageFault ends the visit when a second download could not be stored for what is
// wrong here. One may be of its own kind, and is to keep nobody from the others.
func (v *visit) noteStorageFault(err error) {
	v.noteError(err)
	if v.faults.Add(1) > 1 {
		v.endVisit(err)
	}
}

// isOut reports whether an earlier round found that the office is out. Whoever
// names what he wants is kept from it only if the office asked for that.
func (v *visit) isOut(byName bool) bool {
	o := v.known
	if o.ID == "" || byName && !o.Deferred || !waits(o.Until, v.options.Now()) {
		return false
	}
	v.until, v.deferred, v.reason = o.Until, o.Deferred, o.Error
	return true
}

// noteError notes an error of the database; the first is that of the round.
func (r *round) noteError(err error) {
	if err == nil {
		return
	}
	r.options.Log.Error("keeping datasets up to date", "error", err)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		r.err = err
	}
}

// outageText says why the office is not asked, and until when.
func (v *visit) outageText() string {
	how := "is left alone"
	if v.deferred {
		how = "has asked to be left alone"
	}
	return fmt.Sprintf("%s %s until %s: %s", v.name(), how, v.until.UTC().Format("2006-01-02 15:04 MST"), v.reason)
}

// name is what people call the office.
func (v *visit) name() string {
	if v.office.Name == "" {
		return "the web"
	}
	return v.office.Name
}

// endUnlisted ends the visit because the list of contents could not be read.
func (v *visit) endUnlisted(ctx context.Context, err error) {
	if ctx.Err() != nil {
		v.postpone(wasEnded, v.items...)
		return
	}
	v.reason = "its list of contents cannot be read: " + err.Error()
	v.out(ctx, retryAfter(err))
	v.writeEntry(ctx, v.known.ID, failed, v.reason)
	v.postpone(v.outageText(), v.items...)
}

// out leaves the office alone from now on; for as long as it asked for, if it
// did.
func (v *visit) out(ctx context.Context, asked time.Duration) {
	now, write := v.options.Now(), v.options.Watches.Answered
	if v.deferred = asked > 0; v.deferred {
		write = v.options.Watches.Defers
	}
	v.reason = short(v.reason)
	v.until = v.outage(v.known, asked, now)
	v.noteError(write(context.WithoutCancel(ctx), v.known.ID, now, v.reason, v.until))
	v.options.Log.Warn("an office is left alone", "office", v.known.ID, "until", v.until, "reason", v.reason)
}

// noteAnswer notes that the office answers.
func (v *visit) noteAnswer(ctx context.Context) {
	v.outages, v.failures = 0, 0
	v.finishMisses(ctx)
	if !v.known.Until.IsZero() {
		v.known.Until = time.Time{}
		v.noteError(v.options.Watches.Answered(context.WithoutCancel(ctx), v.known.ID, v.options.Now(), "", time.Time{}))
	}
}

// failed finishes an item that could not be fetched, and finds whether the office
// is out. Of many hosts, as plain addresses are, one says nothing of the others.
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
			v.out(ctx, retryAfter(err))
		}
	}
	v.finishFailed(ctx, j, err)
}

// noteMissing counts what the office had and does not have any more. That a few
// datasets went is as it may be; a server that has nothing of what it had is out
// of order.
func (v *visit) noteMissing(ctx context.Context, j *job, err error) {
	v.misses = append(v.misses, miss{j, err})
	if len(v.misses) < allFailed {
		return
	}
	v.reason = fmt.Sprintf("it says of %d datasets in a row, which it had before, that it does not have them: %v", len(v.misses), err)
	v.out(ctx, 0)
	v.finishMisses(ctx)
}

// finishMisses finishes what was missed.
func (v *visit) finishMisses(ctx context.Context) {
	for _, m := range v.misses {
		v.finishFailed(ctx, m.job, m.err)
	}
	v.misses = nil
}

// retryAfter is how long an office that is out asked to be left alone; a week is
// the most that is granted.
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

// isRefused reports whether the office answers, and the dataset cannot be
// fetched as it is.
func isRefused(err error) bool { return stat.KindOf(err) == stat.Refused }

// isOutage reports whether an error says that the office is out.
func isOutage(err error) bool {
	var failure *fetch.Error
	return !isMissing(err) && !isRefused(err) &&
		(stat.KindOf(err) == stat.Unavailable || errors.As(err, &failure) && failure.Outage())
}

// isLocal reports whether an error is of this machine's files: no space, no
// permission. The office has nothing to do with it.
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
