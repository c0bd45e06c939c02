package source

import (
	"errors"
	"time"

	"almanac/internal/source/fetch"
)

// setMissing records the companions that could not be fetched.
func (s *State) setMissing(companions []string) {
	if s.Missing = companions; len(companions) > 0 {
		s.Updated = time.Time{}
	}
}

// isOutage reports whether a failure lies with the server or the network.
func isOutage(err error) bool {
	var failed *fetch.Error
	return errors.As(err, &failed) && failed.Outage()
}
