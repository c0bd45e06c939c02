package source

import (
	"errors"
	"strings"

	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// IsMissing reports whether the server has nothing at an address.
func IsMissing(err error) bool {
	var failed *fetch.Error
	return errors.As(err, &failed) && failed.Reason == fetch.Missing
}

// IsOutage reports whether an error is an outage of the server or the network.
func IsOutage(err error) bool {
	var failed *fetch.Error
	return errors.As(err, &failed) && failed.Outage()
}

// maxReason limits the bytes of a cause that may contain parts of the response.
const maxReason = 300

// UnexpectedResponse returns the error for a response whose reading ended with err. A
// [stat.Error] keeps its kind, and nil and [ErrStop] stay as they are.
func UnexpectedResponse(kind stat.Kind, address string, err error) error {
	if err == nil || errors.Is(err, ErrStop) {
		return err
	}
	var known *stat.Error
	if errors.As(err, &known) {
		return stat.Errorf(known.Kind, "%s: %v", address, err)
	}
	why := err.Error()
	if len(why) > maxReason {
		why = strings.ToValidUTF8(why[:maxReason], "") + "…"
	}
	return stat.Errorf(kind, "%s: unexpected response: %s", address, why)
}

// ErrReleaseChanged reports pages of different releases.
var ErrReleaseChanged = errors.New("the pages belong to two releases")

// OfOneRelease calls fetch, once more if the pages belong to two releases.
func OfOneRelease(what string, fetch func() (*Download, error)) (d *Download, err error) {
	for range 2 {
		if d, err = fetch(); !errors.Is(err, ErrReleaseChanged) {
			return d, err
		}
	}
	return nil, stat.Errorf(stat.Unavailable, "%s changed twice during the download; try again later", what)
}
