package store_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"almanac/internal/stat"
	"almanac/internal/store"
)

// What changed in a dataset is the same from memory and from disk: the revisions, and the
// observations that are new since a time.
func TestChangesFromMemoryAndDisk(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	s := open(t, store.Options{Dir: dir, Now: clock})
	id := publishLarge(t, s)
	now = now.AddDate(0, 0, 1)
	at, revised, removed := 0, 0, 0
	publishLarge(t, s, func(o *stat.Observation) bool {
		switch at++; {
		case at%1000 == 7:
			revised++
			o.Value++
		case at%5000 == 11:
			removed++
			return false
		case at%9000 == 13:
			revised++
			o.Flags = "B"
		}
		return true
	})
	read := func(s *store.Store) (counts store.RevisionCounts, kinds map[store.RevisionKind]int, some, last []cell, gone int) {
		v, err := s.Vintage(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		old, err := s.VintageAt(ctx, id, store.At{Version: "1.0"})
		if err != nil {
			t.Fatal(err)
		}
		kinds = map[store.RevisionKind]int{}
		counts, err = s.Revisions(ctx, store.Side{Vintage: old}, store.Side{Vintage: v}, nil, func(r *store.Revision) { kinds[r.Kind]++ })
		if err != nil {
			t.Fatal(err)
		}
		view, wasDeleted, err := s.ChangedSince(ctx, v, now)
		if err != nil || wasDeleted {
			t.Fatal(wasDeleted, err)
		}
		last = selected(t, view, stat.Query{Latest: stat.LatestLast, Flags: true})
		return counts, kinds, selected(t, view, stat.Query{Flags: true}), last, view.Changes().Removed
	}
	cold := open(t, store.Options{Dir: dir, Memory: 1, ImportMemory: 1, Now: clock})
	want := store.RevisionCounts{Revised: revised, Removed: removed}
	counts, kinds, some, last, gone := read(s)
	coldCounts, coldKinds, coldSome, coldLast, coldGone := read(cold)
	if counts != want || coldCounts != want || kinds["revised"] != revised || coldKinds["removed"] != removed || gone != removed || coldGone != removed {
		t.Errorf("counts %+v and %+v, want %+v; kinds %v and %v; %d and %d removed", counts, coldCounts, want, kinds, coldKinds, gone, coldGone)
	}
	if len(some) != revised {
		t.Errorf("%d observations changed, want %d", len(some), revised)
	}
	for _, pair := range [][2][]cell{{some, coldSome}, {last, coldLast}} {
		if diff := cmp.Diff(pair[0], pair[1], sameCells, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("(-memory +disk):\n%s", diff)
		}
	}
}
