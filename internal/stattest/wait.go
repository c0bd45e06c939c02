package stattest

import (
	"testing"
	"time"
)

// Eventually calls try until it succeeds, and fails the test with the last error
// if [Wait] gives up.
func Eventually(t testing.TB, try func() error) {
	t.Helper()
	if err := Wait(try); err != nil {
		t.Fatal(err)
	}
}

// Wait calls try until it succeeds, and returns the last error after two minutes,
// which is longer than any machine needs.
func Wait(try func() error) error {
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if err := try(); err == nil || time.Now().After(deadline) {
			return err
		}
	}
}

// AvoidMidnight waits for midnight, UTC, if it is less than five minutes away, so
// that a test of daily counts does not cross it.
func AvoidMidnight() {
	const day = 24 * time.Hour
	if left := time.Until(time.Now().UTC().Truncate(day).Add(day)); left < 5*time.Minute {
		time.Sleep(left)
	}
}
