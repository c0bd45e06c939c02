package watch_test

import (
	"errors"
	"testing"
	"time"

	"almanac/internal/stattest/postgres"
	"almanac/internal/watch"
)

// A check that fails keeps the time when the server last worked.
func TestProbes(t *testing.T) {
	db, err := watch.Open(t.Context(), postgres.At(t, t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	first := time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)
	second := first.Add(time.Hour)
	err = errors.Join(
		db.RecordProbe(t.Context(), watch.Probe{Office: "ecb", At: first}),
		db.RecordProbe(t.Context(), watch.Probe{Office: "ilo", At: first, Error: "blocked"}),
		db.RecordProbe(t.Context(), watch.Probe{Office: "ecb", At: second, Error: "slow"}),
	)
	if err != nil {
		t.Fatal(err)
	}
	probes, err := db.Probes(t.Context())
	want := map[string]watch.Probe{
		"ecb": {Office: "ecb", At: second, Worked: first, Error: "slow"},
		"ilo": {Office: "ilo", At: first, Error: "blocked"},
	}
	if err != nil || len(probes) != 2 || probes["ecb"] != want["ecb"] || probes["ilo"] != want["ilo"] {
		t.Errorf("got %+v, %v, want %+v", probes, err, want)
	}
}
