package stattest

import (
	"testing"
	"time"
)

// waitTimeout is longer than any machine needs. It is not a limit on how long
// things may take.
const waitTimeout = 2 * time.Minute

// Eventually calls try until it succeeds, and fails the test with the last error
// after waitTimeout.
func Eventually(t testing.TB, try func() error) {
	t.Helper()
	if err := Wait(try); err != nil {
		t.Fatal(err)
	}
}

// Wait is like [Eventually] without a [testing.TB].
func Wait(try func() error) error {
	deadline := time.Now().Add(waitTimeout)
	for {
		err := try()
		if err == nil || time.Now().After(deadline) {
			return err
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// OneDay waits for midnight, UTC, if it is less than five minutes away, so that a
// test of daily counts does not cross it.
func OneDay() {
	now := time.Now().UTC()
	midnight := now.Truncate(24 * time.Hour).Add(24 * time.Hour)
	if left := midnight.Sub(now); left < 5*time.Minute {
		time.Sleep(left)
	}
}
