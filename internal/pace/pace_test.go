package pace_test

import (
	"testing"
	"time"

	"almanac/internal/pace"
)

func TestTake(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	paces := pace.New[string](pace.Bound{Number: 3, Again: time.Minute})
	for i := range 3 {
		if wait := paces.Take("a", now); wait != 0 {
			t.Fatalf("number %d of 3 at once waits %v", i+1, wait)
		}
	}
	if wait := paces.Take("a", now); wait != 20*time.Second {
		t.Errorf("the fourth waits %v, want a third of the minute", wait)
	}
	if wait := paces.Take("b", now); wait != 0 {
		t.Errorf("somebody else waits %v", wait)
	}
	now = now.Add(20 * time.Second)
	if first, second := paces.Take("a", now), paces.Take("a", now); first != 0 || second == 0 {
		t.Errorf("after a third of the minute: %v, %v, want one", first, second)
	}
	now = now.Add(2 * time.Minute)
	for range 3 {
		if wait := paces.Take("a", now); wait != 0 {
			t.Errorf("after two minutes: %v", wait)
		}
	}
	if wait := paces.Take("a", now.Add(-time.Hour)); wait == 0 {
		t.Error("a clock that is set back gives more")
	}
}
