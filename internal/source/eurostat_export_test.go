package source

import "time"

// SetClock gives a server of the kind "eurostat" a clock.
func SetClock(s Server, now func() time.Time) { s.(*eurostat).now = now }
