package stattest

import (
	"os"
	"testing"
)

// raceLimit is the size of the largest file that tests of many files read under the race
// detector.
const raceLimit = 48 << 10

// SkipUnderRace skips a test under the race detector, which makes it ten times slower and
// finds nothing in it: its code runs in one goroutine, or smaller tests run it as well.
// `make values`, a step of CI, runs the tests with this call without the detector.
func SkipUnderRace(t testing.TB) {
	t.Helper()
	if UnderRace {
		t.Skip("not under the race detector: see make values")
	}
}

// Size returns the size of a file.
func Size(t testing.TB, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// SkipLargeUnderRace is like SkipUnderRace for a test of a file with so many bytes: small
// ones are read under the race detector too.
func SkipLargeUnderRace(t testing.TB, size int64) {
	t.Helper()
	if IsTooLargeForRace(size) {
		SkipUnderRace(t)
	}
}

// IsTooLargeForRace reports whether the race detector is on and a file with so many bytes
// is not read under it.
func IsTooLargeForRace(size int64) bool { return UnderRace && size > raceLimit }
