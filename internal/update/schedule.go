package update

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"syscall"
	"time"

	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/stat"
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

// randomFactor returns a factor for an interval, up to jitter more or less than 1.
func (u *Updater) randomFactor() float64 { return 1 - jitter + 2*jitter*u.options.Rand() }

func stretch(d time.Duration, factor float64) time.Duration {
	return time.Duration(float64(d) * factor)
}

// dueAfterSuccess returns when an item is due; the package comment explains it.
func (v *visit) dueAfterSuccess(it watch.Item, updated, now time.Time) time.Time {
	wait := interval(it.Every, v.office)
	if v.list != nil && v.list.hasTimes && v.list.entry(codeOf(it)) != nil { // due together with the list
		if due := v.list.read.Add(stretch(wait, v.list.stretch)); due.After(now) {
			return due
		}
	}
	if it.Every == 0 {
		changed := it.Changed
		if !updated.IsZero() && updated.Before(now) {
			changed = updated
		}
		if !changed.IsZero() {
			wait = max(wait, min(now.Sub(changed)/shareOfAge, longest))
		}
	}
	return now.Add(stretch(wait, v.randomFactor()))
}

// dueAfterFailure returns when an item is due; it.Failed counts this failure.
func (u *Updater) dueAfterFailure(it watch.Item, waits []time.Duration, now time.Time) time.Time {
	return now.Add(stretch(waits[min(it.Failed, len(waits))-1], u.randomFactor()))
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
// or for the time that it requested.
func (u *Updater) outageUntil(known watch.Office, after time.Duration, now time.Time) time.Time {
	if after > 0 {
		return now.Add(after)
	}
	wait := firstOutage
	if before := known.Until.Sub(known.LastError); !known.Until.IsZero() && before > 0 {
		wait = min(max(2*before, firstOutage), longestOutage)
	}
	return now.Add(stretch(wait, u.randomFactor()))
}

// fault is what an error says about a dataset and its office.
type fault int

const (
	faultOther   fault = iota // an unexpected answer: the office is unavailable after many of them
	faultMissing              // the office does not have the dataset
	faultRefused              // the office answered but refused this dataset
	faultOutage               // the office is unavailable
	faultLocal                // this machine's files are at fault: no space, no permission
)

func faultOf(err error) fault {
	var failure *fetch.Error
	isFetch := errors.As(err, &failure)
	switch kind := stat.KindOf(err); {
	case kind == stat.Refused:
		return faultRefused
	case kind == stat.NotFound, isFetch && failure.Reason == fetch.Missing:
		return faultMissing
	case kind == stat.Unavailable, isFetch && failure.Outage():
		return faultOutage
	case kind == stat.Internal && !isFetch && isFileError(err):
		return faultLocal
	}
	return faultOther
}

func isFileError(err error) bool {
	var path *fs.PathError
	var link *os.LinkError
	var number syscall.Errno
	return errors.As(err, &path) || errors.As(err, &link) || errors.As(err, &number)
}

// retryAfter returns the pause that an unavailable office requested, a week at most.
func retryAfter(err error) time.Duration {
	var failure *fetch.Error
	if errors.As(err, &failure) && failure.Outage() {
		return min(failure.After, longest)
	}
	return 0
}

// asksForPause reports whether the office refuses all requests for now.
func asksForPause(err error) bool {
	var failure *fetch.Error
	return errors.As(err, &failure) && failure.Pause()
}
