//go:build linux

package main

import (
	"fmt"
	"net/http"
	"testing"

	"almanac/internal/stattest/faultfs"
)

// countedRequests is the number of requests after which a server at the end of its operations is stopped.
const countedRequests = 12

// TestServerIsStoppedAtEveryOperation kills a server that counts requests before each operation that changes a file and
// cuts the power there, or lets a sync fail and cuts the power later. Each answered request is counted then, and no other one but the last.
func TestServerIsStoppedAtEveryOperation(t *testing.T) {
	t.Parallel()
	store := t.TempDir()
	importOne(t, store, manyRows(t, 40))
	key := makeKey(t, store, "newsroom", "essential").Key
	whole := faultfs.Mount(t, store)
	s := startProgram(t, whole.Dir)
	operations, syncs := whole.Operations(), whole.Syncs()
	who := countedBy(t, s, key)
	operations, syncs = whole.Operations()-operations, whole.Syncs()-syncs
	if n := who.succeeded.Load(); n != countedRequests || operations < countedRequests || syncs < countedRequests {
		t.Fatalf("%d requests were counted with %d operations, of these %d syncs", n, operations, syncs)
	}
	for _, at := range pointsOf(t, operations) {
		withinOneDay(t, func() error {
			f := faultfs.Mount(t, store)
			s := startProgram(t, f.Dir)
			f.StopAt(f.Operations()+at, func() { _ = s.cmd.Process.Kill() })
			return afterPowerCut(t, f, countedBy(t, s, key), fmt.Sprintf("killed before operation %d of %d", at, operations))
		})
	}
	for _, at := range pointsOf(t, syncs) {
		withinOneDay(t, func() error {
			f := faultfs.Mount(t, store)
			s := startProgram(t, f.Dir)
			f.FailSync(f.Syncs() + at)
			return afterPowerCut(t, f, countedBy(t, s, key), fmt.Sprintf("failure of sync %d of %d", at, syncs))
		})
	}
	t.Logf("%d operations, of these %d syncs", operations, syncs)
}

// countedBy sends requests to a server until it stops or refuses one.
func countedBy(t *testing.T, s *served, key string) *subject {
	t.Helper()
	who := &subject{account: "newsroom", limit: 100, callers: []*caller{newCaller(t, key, "127.0.0.1")}}
	for range countedRequests {
		a, err := who.callers[0].get(s.url + "/api/datasets/1/meta")
		switch {
		case err != nil || a.status == http.StatusServiceUnavailable:
			who.interrupted.Add(1)
		case a.status == http.StatusOK:
			who.succeeded.Add(1)
		default:
			t.Fatalf("a request: %s", a)
		}
	}
	return who
}

// afterPowerCut compares the counts that a power cut leaves with what the caller saw.
func afterPowerCut(t *testing.T, f *faultfs.FS, who *subject, where string) error {
	t.Helper()
	left := t.TempDir()
	f.LeftByPowerCut(t, left)
	s := startProgram(t, left)
	defer s.kill()
	if err := compare(s, []*subject{who}, used(t, left)); err != nil {
		return fmt.Errorf("%s: %w", where, err)
	}
	return nil
}
