package stattest

import (
	"testing"
	"time"
)

// patience is how long a test waits for what must come. It says nothing of how
// long that may take: it only has to be longer than any machine needs.
const patience = 2 * time.Minute

// Eventually tries until it succeeds, and fails the test with the last error
// when that takes longer than any machine needs.
func Eventually(t testing.TB, try func() error) {
	t.Helper()
	if err := Wait(try); err != nil {
		t.Fatal(err)
	}
}

// Wait is [Eventually] for those who have no [testing.TB].
func Wait(try func() error) error {
	deadline := time.Now().Add(patience)
	for {
		err := try()
		if err == nil || time.Now().After(deadline) {
			return err
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// OneDay lets a test of what is counted by day have five minutes of one day: it
// waits for midnight, UTC, if that is nearer.
func OneDay() {
	now := time.Now().UTC()
	midnight := now.Truncate(24 * time.Hour).Add(24 * time.Hour)
	if left := midnight.Sub(now); left < 5*time.Minute {
		time.Sleep(left)
	}
}
