package source

import (
	"errors"
	"time"

	"almanac/internal/source/fetch"
)

// lacks notes companions that could not be had.
func (s *State) lacks(companions []string) {
	if s.Lacking = companions; len(companions) > 0 {
		s.Updated = time.Time{}
	}
}

// isOutage reports whether a failure is of the server or of the way there.
func isOutage(err error) bool {
	var failed *fetch.Error
	return errors.As(err, &failed) && failed.Outage()
}
