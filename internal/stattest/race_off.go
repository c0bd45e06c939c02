//go:build !race

package stattest

// UnderRace is whether the race detector is on.
const UnderRace = false
