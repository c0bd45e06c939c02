package s3

import (
	"testing"

	"almanac/internal/stattest"
)

// Start starts a server for one test of a package whose TestMain does not call [Run]. If there is no program for
// it, the test is skipped, or fails if ALMANAC_REQUIRE=1.
func Start(t testing.TB) {
	t.Helper()
	stop, err := start()
	t.Cleanup(stop)
	if err != nil {
		stattest.SkipOrFail(t, err.Error())
	}
}
