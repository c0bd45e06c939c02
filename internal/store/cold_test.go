package store_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"almanac/internal/stat"
	"almanac/internal/store"
)

// A selection from a dataset of many row groups that is not in memory reads some of
// them. The result is that from memory.
func TestColdSelect(t *testing.T) {
	onBoth(t, func(t *testing.T, h home) {
		ctx := context.Background()
		dir := h.newDir(t)
		s := open(t, store.Options{Dir: dir})
		id := publishLarge(t, s)
		hot, err := s.Vintage(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := hot.Select(ctx, stat.Query{}); err != nil { // loads everything
			t.Fatal(err)
		}
		cold := open(t, store.Options{Dir: dir, Memory: 1})
		random := rand.New(rand.NewPCG(1, 2))
		some := func(n int) []int32 { return []int32{int32(random.IntN(n))} }
		for range 20 {
			sel := [][]int32{some(40), nil, some(60)}
			if random.IntN(2) == 0 {
				sel[1] = some(5)
			}
			q := stat.Query{Select: sel, Latest: []stat.LatestMode{"", stat.LatestLast, stat.LatestObserved, stat.LatestArea, stat.LatestCovered}[random.IntN(5)], Flags: random.IntN(2) == 0}
			v, err := cold.Vintage(ctx, id)
			if err != nil {
				t.Fatal(err)
			}
			got, want := selected(t, v, q), selected(t, hot, q)
			if v.Loaded() {
				t.Fatal("a query for one series loaded everything")
			}
			if diff := cmp.Diff(want, got, sameCells, cmpopts.EquateEmpty()); diff != "" || len(want) == 0 {
				t.Errorf("query %+v, %d cells (-hot +cold):\n%s", q, len(want), diff)
			}
			hotLatest, err1 := hot.LatestOf(sel, stat.LatestObserved)
			coldLatest, err2 := v.LatestOf(sel, stat.LatestObserved)
			if diff := cmp.Diff(hotLatest, coldLatest, cmp.Comparer(func(a, b stat.Period) bool { return a == b })); err1 != nil || err2 != nil || diff != "" {
				t.Errorf("latest of %v: %v, %v (-hot +cold):\n%s", sel, err1, err2, diff)
			}
		}
	})
}

func selected(t *testing.T, v *store.Vintage, q stat.Query) []cell {
	t.Helper()
	x, err := v.Select(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	return cellsOf(t, x, q.Flags)
}

// publishLarge stores 40 items × 5 units × 60 areas × 40 years. Each edit may change an
// observation, or return false to leave it out.
func publishLarge(t *testing.T, s *store.Store, edits ...func(*stat.Observation) bool) int {
	t.Helper()
	d := &stat.Dataset{
		Source: stat.Source{ID: "test", Name: "Test office"}, Code: "large", Name: "Large",
		Dimensions: []stat.Dimension{numbered("item", 40), numbered("unit", 5)},
		Geography:  numbered("geo", 60),
	}
	for i, c := range d.Geography.Codes {
		d.Geography.Codes[i].Area = c.ID
	}
	b := s.NewBuilder(d)
	random := rand.New(rand.NewPCG(3, 4))
	for i := range int32(40 * 5 * 60) {
		for year := 1980; year < 2020; year++ {
			o := stat.Observation{Key: []int32{i / 300, i / 60 % 5, i % 60}, Period: stat.NewPeriod(stat.Annual, year, 1), Value: float64(random.IntN(1e6)) / 10}
			if random.IntN(20) == 0 {
				o.Flags = "P"
			}
			isKept := true
			for _, edit := range edits {
				isKept = isKept && edit(&o)
			}
			if !isKept {
				continue
			}
			if err := b.Add(o); err != nil {
				t.Fatal(err)
			}
		}
	}
	draft, err := b.Finish(nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := draft.Publish(context.Background(), store.PublishOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return r.ID
}

func numbered(id string, n int) stat.Dimension {
	d := stat.Dimension{ID: id, Label: id, Role: stat.RoleOther}
	for i := range n {
		code := fmt.Sprintf("%s%02d", id, i)
		d.Codes = append(d.Codes, stat.Code{ID: code, Label: code})
	}
	return d
}

// lines is a log that sends each line.
type lines chan string

func (l lines) Write(line []byte) (int, error) {
	l <- string(line)
	return len(line), nil
}

// If loading a vintage in the background fails, the next query tries again.
func TestColdLoadFails(t *testing.T) {
	onBoth(t, func(t *testing.T, h home) {
		ctx := context.Background()
		dir := h.newDir(t)
		id := publishLarge(t, open(t, store.Options{Dir: dir}))
		file := filesBelow(t, filesOf(t, dir), "vintages")[0]
		whole, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		damaged := slices.Clone(whole)
		copy(damaged[len(damaged)*3/5:], bytes.Repeat([]byte{0xFF}, 4<<10))
		replace := func(content []byte) {
			if err := os.WriteFile(file, content, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		replace(damaged)
		logged := make(lines, 100)
		cold := open(t, store.Options{Dir: dir, Log: slog.New(slog.NewTextHandler(logged, nil))})
		v, err := cold.Vintage(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		one := stat.Query{Select: [][]int32{{0}, {0}, {0}}}
		selected(t, v, one)
		for line := range logged {
			if strings.Contains(line, "in the background") {
				break // the line before says that the version is damaged
			}
		}
		replace(whole)
		for end := time.Now().Add(10 * time.Second); !v.Loaded(); time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatal("the vintage is not loaded in the background again")
			}
			selected(t, v, one)
		}
	})
}
