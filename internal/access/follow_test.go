package access_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/access"
	"almanac/internal/stat"
)

// A followed selection is the same in every process and after a restart. Setting it again
// keeps since. Organisations do not see each other's selections.
func TestFollow(t *testing.T) {
	dir := t.TempDir()
	now := newClock("2026-11-21T12:00:00.7Z")
	a, b := open(t, access.Options{Dir: dir, Now: now.Now}), open(t, access.Options{Dir: dir, Now: now.Now})
	ctx := context.Background()
	mine, other := caller(t, a, "desk", access.Essential), caller(t, a, "another desk", access.Pro)
	set := func(c access.Caller, f access.Followed) access.Followed {
		t.Helper()
		got, err := a.Follow(ctx, c.Organisation, f)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	since := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	want := []access.Followed{
		{Dataset: 2, Name: "Births", Selection: stat.Selection{}, Since: since},
		{Dataset: 7, Name: "Deaths", Selection: stat.Selection{"sex": {"T", "F"}, "geo": {"DE"}}, Since: since},
		{Dataset: 30, Name: "\"Ö\"", Selection: stat.Selection{"sex": {"T"}}, Since: since},
	}
	for _, i := range []int{1, 0, 2} {
		if diff := cmp.Diff(want[i], set(mine, want[i])); diff != "" {
			t.Error(diff)
		}
	}
	now.step(time.Hour)
	want[2].Selection, want[2].Name = stat.Selection{"geo": {"FR"}}, "Marriages"
	set(mine, access.Followed{Dataset: 30, Name: "Marriages", Selection: want[2].Selection})
	set(other, access.Followed{Dataset: 7, Name: "Deaths"})

	for name, a := range map[string]*access.Access{"here": a, "another process": b, "after a restart": open(t, access.Options{Dir: dir})} {
		list, total, err := a.AllFollowed(ctx, mine.Organisation, 0, 10)
		if diff := cmp.Diff(want, list); diff != "" || total != 3 || err != nil {
			t.Errorf("%s: %d, %v: %s", name, total, err, diff)
		}
		f, ok, err := a.Followed(ctx, mine.Organisation, 7)
		if diff := cmp.Diff(want[1], f); diff != "" || !ok || err != nil {
			t.Errorf("%s: %v, %v: %s", name, ok, err, diff)
		}
		if _, ok, err := a.Followed(ctx, other.Organisation, 2); ok || err != nil {
			t.Errorf("%s: another organisation follows the dataset: %v, %v", name, ok, err)
		}
	}
	for _, c := range []struct{ page, limit, from, to int }{{0, 2, 0, 2}, {1, 2, 2, 3}, {2, 2, 3, 3}, {1 << 62, 1 << 62, 3, 3}} {
		list, total, err := a.AllFollowed(ctx, mine.Organisation, c.page, c.limit)
		if total != 3 || err != nil || len(list) != c.to-c.from || len(list) > 0 && list[0].Dataset != want[c.from].Dataset {
			t.Errorf("page %d of %d: %+v, %d, %v", c.page, c.limit, list, total, err)
		}
	}
	if err := a.Unfollow(ctx, mine.Organisation, 7); err != nil {
		t.Error(err)
	}
	wantKind(t, "what is not followed any more", a.Unfollow(ctx, mine.Organisation, 7), stat.NotFound, "does not follow dataset 7")
	if _, ok, err := b.Followed(ctx, other.Organisation, 7); !ok || err != nil {
		t.Errorf("the selection of the other organisation was removed too: %v", err)
	}
}
