package demand

import (
	"almanac/internal/database"
	"almanac/internal/stattest/postgres"
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func TestMain(m *testing.M) { os.Exit(postgres.Run(m)) }

func openTest(t *testing.T, dir string, now *time.Time) *DB {
	t.Helper()
	d, err := Open(t.Context(), Options{Dir: dir, DatabaseURL: postgres.At(t, dir).URL, Now: func() time.Time { return *now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func report(t *testing.T, d *DB, kind Kind, limit int) []Count {
	t.Helper()
	if err := d.Write(t.Context()); err != nil {
		t.Fatal(err)
	}
	list, err := d.Report(t.Context(), kind, noon.AddDate(0, 0, -7), noon.AddDate(0, 0, 7), limit)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestReport(t *testing.T) {
	now := noon
	d := openTest(t, t.TempDir(), &now)
	for range 3 {
		d.Search("Unemployment  rate", true)
	}
	d.Search("unemployment rate", false)
	d.Search("kafka", false)
	d.Dataset("eurostat:une_rt_a", true)
	d.Dataset("eurostat:nope", false)
	now = now.AddDate(0, 0, 1)
	d.Search("kafka", false)
	want := []Count{{"2026-11-21", "unemployment rate", 4, 1}, {"2026-11-21", "kafka", 1, 1}, {"2026-11-22", "kafka", 1, 1}}
	if got := report(t, d, Searches, 10); !slices.Equal(got, want) {
		t.Errorf("searches: %v, want %v", got, want)
	}
	want = []Count{{"2026-11-21", "eurostat:nope", 1, 1}, {"2026-11-21", "eurostat:une_rt_a", 1, 0}}
	if got := report(t, d, Datasets, 10); !slices.Equal(got, want) {
		t.Errorf("datasets: %v, want %v", got, want)
	}
}

// A dataset is listed once, in the spelling in which it was found; what is no reference is
// not listed.
func TestReportOfReferences(t *testing.T) {
	now := noon
	d := openTest(t, t.TempDir(), &now)
	d.Dataset("bis:ws_cbpol", false)
	d.Dataset("bis:ws_cbpol", false)
	d.Dataset("bis:WS_CBPOL", true)
	d.Dataset("ecb:EXR", false)
	for _, text := range []string{"x", ":abc", "77", "abc:"} {
		d.Dataset(text, false)
	}
	want := []Count{{"2026-11-21", "bis:WS_CBPOL", 3, 2}, {"2026-11-21", "ecb:EXR", 1, 1}}
	if got := report(t, d, Datasets, 10); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// A limit keeps the most frequent texts and, apart from them, those without a result.
func TestReportLimit(t *testing.T) {
	now := noon
	d := openTest(t, t.TempDir(), &now)
	for i, text := range []string{"a", "b", "c", "lost"} {
		for range 9 - i {
			d.Search(text, text != "lost")
		}
	}
	want := []Count{{"2026-11-21", "a", 9, 0}, {"2026-11-21", "lost", 6, 6}}
	if got := report(t, d, Searches, 1); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Two processes add to the same rows, and each request is counted once.
func TestProcesses(t *testing.T) {
	now, dir := noon, t.TempDir()
	a, b := openTest(t, dir, &now), openTest(t, dir, &now)
	var running sync.WaitGroup
	for _, d := range []*DB{a, b} {
		running.Go(func() {
			for i := range 500 {
				d.Search(fmt.Sprintf("q%d", i%10), true)
				if i%100 == 0 {
					if err := d.Write(t.Context()); err != nil {
						t.Error(err)
					}
				}
			}
			if err := d.Write(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	running.Wait()
	for _, c := range report(t, a, Searches, 100) {
		if c.Times != 100 {
			t.Errorf("%q was counted %d times, want 100", c.Text, c.Times)
		}
	}
}

// More different texts than are kept for a day are counted without their texts.
func TestBounds(t *testing.T) {
	now := noon
	d := openTest(t, t.TempDir(), &now)
	const distinct, rounds = 4000, 4
	for round := range rounds {
		for i := range distinct {
			d.Search(fmt.Sprintf("text %d %d", round, i), false)
		}
		if err := d.Write(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	d.Search("text 0 7", true)
	list := report(t, d, Searches, 1<<20)
	sum := int64(0)
	for _, c := range list {
		sum += c.Times
	}
	if len(list) > maxDaily+1 || sum != distinct*rounds+1 {
		t.Errorf("%d rows with %d searches, want at most %d and %d", len(list), sum, maxDaily+1, distinct*rounds+1)
	}
	if list[0].Text != "" {
		t.Errorf("the most frequent row is %+v, want those without a text", list[0])
	}
	if i := slices.IndexFunc(list, func(c Count) bool { return c.Text == "text 0 7" }); i < 0 || list[i].Times != 2 {
		t.Error("a text that was known before the bound is not counted")
	}
}

func TestOldDaysAreDeleted(t *testing.T) {
	now := noon.AddDate(0, 0, -KeepDays)
	d := openTest(t, t.TempDir(), &now)
	d.Search("old", true)
	if err := d.Write(t.Context()); err != nil {
		t.Fatal(err)
	}
	now = noon
	d.Search("new", true)
	if err := d.Write(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := d.trim(t.Context()); err != nil {
		t.Fatal(err)
	}
	list, err := d.Report(t.Context(), Searches, time.Unix(0, 0), noon, 10)
	if err != nil || len(list) != 1 || list[0].Text != "new" {
		t.Errorf("got %v, %v", list, err)
	}
}

// What cannot be written is counted later, and bounded meanwhile.
func TestFailedWrite(t *testing.T) {
	now := noon
	dir := t.TempDir()
	d, other := openTest(t, dir, &now), openTest(t, dir, &now)
	tx, err := other.db.BeginTx(t.Context(), nil) // holds the write lock
	if err != nil {
		t.Fatal(err)
	}
	d.Search("waiting", true)
	if err := d.Write(t.Context()); err == nil {
		t.Fatal("no error although another process holds the lock")
	}
	for i := range 2 * maxPending {
		d.Search(fmt.Sprint("text ", i), true)
	}
	if n := len(d.pending); n > maxPending+1 {
		t.Errorf("%d texts wait, want at most %d", n, maxPending+1)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	sum := int64(0)
	for _, c := range report(t, d, Searches, 1<<20) {
		sum += c.Times
	}
	if sum != 2*maxPending+1 {
		t.Errorf("%d searches are counted, want %d", sum, 2*maxPending+1)
	}
}

func TestFileIsPrivate(t *testing.T) {
	postgres.FilesOnly(t)
	now, dir := noon, t.TempDir()
	openTest(t, dir, &now)
	info, err := os.Stat(database.Location{Dir: dir}.File(Name))
	if err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("mode %v, %v; want only the owner to have access", info.Mode(), err)
	}
}
