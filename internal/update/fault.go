package update

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"time"

	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

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

// retryAfter returns the waiting time that an unavailable office asked for, a
// week at most.
func retryAfter(err error) time.Duration {
	var failure *fetch.Error
	if errors.As(err, &failure) && failure.Outage() {
		return min(failure.After, longest)
	}
	return 0
}
