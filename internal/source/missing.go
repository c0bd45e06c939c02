package source

import (
	"errors"
	"time"

	"almanac/internal/source/fetch"
)

// setMissing records the companions that are missing because of an outage.
func (s *State) setMissing(companions []string) {
	if s.Missing = companions; len(companions) > 0 {
		s.Updated = time.Time{}
	}
}

// isOutage reports whether an error is an outage of the server or the network.
func isOutage(err error) bool {
	var failed *fetch.Error
	return errors.As(err, &failed) && failed.Outage()
}
