package watch_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"testing"
	"time"

	"almanac/internal/stat"
	"almanac/internal/stattest/postgres"
	"almanac/internal/watch"
)

// atOnce is the due time of items that are due at once.
var atOnce = time.UnixMilli(0).UTC()

var noon = time.Date(2025, 3, 1, 12, 0, 0, 0, time.UTC)

// TestMain also runs as another process, for tests of locks.
func TestMain(m *testing.M) {
	if os.Getenv(helperVariable) != "" {
		os.Exit(m.Run())
	}
	os.Exit(postgres.Run(m))
}

func open(t *testing.T, dir string) *watch.DB {
	t.Helper()
	db, err := watch.Open(t.Context(), postgres.At(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func refs(office string, codes ...string) (list []watch.Ref) {
	for _, code := range codes {
		list = append(list, watch.Ref{Office: office, Text: office + ":" + code})
	}
	return list
}

// add watches a reference with datasets of an office.
func add(t *testing.T, db *watch.DB, ref string, every time.Duration, list []watch.Ref) {
	t.Helper()
	if _, err := db.Add(t.Context(), ref, every, noon); err != nil {
		t.Fatal(err)
	}
	if _, _, err := db.Expand(t.Context(), ref, list, noon); err != nil {
		t.Fatal(err)
	}
}

func items(t *testing.T, db *watch.DB, refs ...string) []watch.Item {
	t.Helper()
	list, err := db.Items(t.Context(), refs...)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func names(list []watch.Item) (names []string) {
	for _, it := range list {
		names = append(names, it.Ref)
	}
	return names
}

// A dataset of several watches is one item, with the shortest interval, and
// stays until the last of them is removed.
func TestItemOfSeveralWatches(t *testing.T) {
	db := open(t, t.TempDir())
	add(t, db, "eurostat:nama_*", 0, refs("eurostat", "nama_1", "nama_2", "nama_1"))
	add(t, db, "eurostat:nama_1", 6*time.Hour, refs("eurostat", "nama_1"))
	add(t, db, "eurostat:theme/na", 24*time.Hour, refs("eurostat", "nama_1"))
	all := items(t, db)
	if want := []string{"eurostat:nama_1", "eurostat:nama_2"}; !reflect.DeepEqual(names(all), want) {
		t.Fatalf("items %v, want %v", names(all), want)
	}
	if all[0].Every != 6*time.Hour || all[1].Every != 0 || all[0].Office != "eurostat" || !all[0].Due.IsZero() {
		t.Errorf("the items are %+v, want the shortest interval of their watches, due at once", all)
	}
	for _, ref := range []string{"eurostat:NAMA_*", "eurostat:nama_1"} { // the first in another spelling
		if err := db.Remove(t.Context(), ref); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := names(items(t, db)), []string{"eurostat:nama_1"}; !reflect.DeepEqual(got, want) {
		t.Errorf("the items are %v after two of three watches were removed, want %v", got, want)
	}
	if err := db.Remove(t.Context(), "eurostat:nama_1"); stat.KindOf(err) != stat.NotFound {
		t.Errorf("removing an unknown watch: got error %v, want not found", err)
	}
	list, err := db.List(t.Context())
	want := []watch.Watch{{Ref: "eurostat:theme/na", Every: 24 * time.Hour, Added: noon, Expanded: noon, Items: 1}}
	if err != nil || !reflect.DeepEqual(list, want) {
		t.Errorf("watches %+v, %v, want %+v", list, err, want)
	}
}

func TestExpand(t *testing.T) {
	db := open(t, t.TempDir())
	add(t, db, "bis:*", 0, refs("bis", "a", "b", "c"))
	added, removed, err := db.Expand(t.Context(), "bis:*", refs("bis", "b", "c", "d"), noon)
	if err != nil || added != 1 || !reflect.DeepEqual(removed, []string{"bis:a"}) {
		t.Errorf("%d added, %v removed, %v; want one and bis:a", added, removed, err)
	}
	if added, removed, err := db.Expand(t.Context(), "bis:gone", refs("bis", "x"), noon); err != nil || added != 0 || removed != nil {
		t.Errorf("a watch that was removed meanwhile: got %d, %v, %v, want nothing", added, removed, err)
	}
	for _, it := range items(t, db) {
		it.Due = noon.Add(7 * 24 * time.Hour)
		if err := db.Record(t.Context(), []watch.Result{{Item: it}}); err != nil {
			t.Fatal(err)
		}
	}
	c := items(t, db, "bis:c")[0]
	c.Failed = 5
	if err := db.Record(t.Context(), []watch.Result{{Item: c}}); err != nil {
		t.Fatal(err)
	}
	add(t, db, "bis:c", time.Hour, refs("bis", "c"))
	if again := items(t, db, "bis:c"); !again[0].Due.Equal(c.Due) {
		t.Errorf("a failing item of an hourly watch is due at %v, want %v", again[0].Due, c.Due)
	}
	add(t, db, "bis:b", time.Hour, refs("bis", "b"))
	if b := items(t, db, "bis:b"); !b[0].Due.Equal(noon.Add(time.Hour)) {
		t.Errorf("an item of a new hourly watch is due at %v, want in an hour", b[0].Due)
	}
}

func TestDueAndNext(t *testing.T) {
	db := open(t, t.TempDir())
	if next, err := db.Next(t.Context()); err != nil || !next.IsZero() {
		t.Errorf("next is %v, %v without items, want zero", next, err)
	}
	add(t, db, "a:*", 0, refs("a", "x", "y", "z"))
	all := items(t, db)
	all[0].Due, all[1].Due = noon.Add(time.Hour), noon.Add(-time.Hour)
	if err := db.Record(t.Context(), []watch.Result{{Item: all[0]}, {Item: all[1]}}); err != nil {
		t.Fatal(err)
	}
	due, err := db.Due(t.Context(), "a", noon)
	if want := []string{"a:z", "a:y"}; err != nil || !reflect.DeepEqual(names(due), want) {
		t.Errorf("due %v, %v, want %v", names(due), err, want)
	}
	if next, err := db.Next(t.Context()); err != nil || next.IsZero() || next.After(noon.AddDate(-1, 0, 0)) {
		t.Errorf("next is %v, %v, want long ago, because one is due at once", next, err)
	}
}

// Another handle reads recorded results, also after a restart.
func TestRecordedResults(t *testing.T) {
	dir := t.TempDir()
	db := open(t, dir)
	add(t, db, "a:x", 0, refs("a", "x"))
	it := items(t, db)[0]
	it.State, it.Dataset, it.Failed, it.Error = json.RawMessage(`{"updated":"2025-01-01T00:00:00Z"}`), 7, 2, "cut"
	it.Checked, it.Changed, it.Tried, it.Due = noon, noon.Add(-time.Hour), noon.Add(time.Minute), noon.Add(time.Hour)
	entry := watch.Entry{At: noon, Ref: "a:x", Office: "a", Status: "updated", Dataset: 7, Version: "1.1",
		Added: 1, Revised: 2, Removed: 3, Bytes: 4, Took: 1500 * time.Millisecond, Error: "none"}
	gone := it
	gone.ID = 99
	err := db.Record(t.Context(), []watch.Result{{Item: it, Entry: &entry, Answer: watch.Bad}, {Item: gone}, {Entry: &watch.Entry{At: noon, Ref: "a:x/2", Office: "a"}}})
	if err != nil {
		t.Fatal(err)
	}
	second := open(t, dir)
	for range 2 {
		if got := items(t, second); len(got) != 1 || !reflect.DeepEqual(got[0], it) {
			t.Errorf("items %+v, want %+v alone", got, it)
		}
		log, err := second.Log(t.Context(), "a:x", 10)
		entry.ID = 1
		if err != nil || len(log) != 1 || !reflect.DeepEqual(log[0], entry) {
			t.Errorf("log %+v, %v, want %+v", log, err, entry)
		}
		if err := second.Close(); err != nil {
			t.Fatal(err)
		}
		second = open(t, dir)
	}
	offices, err := second.Offices(t.Context())
	want := []watch.Office{{ID: "a", LastError: it.Tried, Error: "cut", Watched: 1, Failing: 1, Next: it.Due}}
	if err != nil || !reflect.DeepEqual(offices, want) {
		t.Errorf("offices %+v, %v, want %+v", offices, err, want)
	}
}

func TestLogAndTrim(t *testing.T) {
	db := open(t, t.TempDir())
	for i := range 5 {
		e := watch.Entry{At: noon.AddDate(0, 0, i), Ref: fmt.Sprintf("a:%d", i%2), Office: "a", Status: "failed"}
		if err := db.AddEntry(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		of   string
		most int
		want []int64
	}{{"", 2, []int64{5, 4}}, {"a", 9, []int64{5, 4, 3, 2, 1}}, {"a:1", 9, []int64{4, 2}}, {"b", 9, nil}} {
		log, err := db.Log(t.Context(), c.of, c.most)
		var ids []int64
		for _, e := range log {
			ids = append(ids, e.ID)
		}
		if err != nil || !reflect.DeepEqual(ids, c.want) {
			t.Errorf("the newest %d entries of %q: got %v, %v, want %v", c.most, c.of, ids, err, c.want)
		}
	}
	if err := db.Trim(t.Context(), noon.AddDate(0, 0, 3)); err != nil {
		t.Fatal(err)
	}
	if log, err := db.Log(t.Context(), "", 9); err != nil || len(log) != 2 {
		t.Errorf("%d entries after trimming, %v, want 2", len(log), err)
	}
}

// An outage makes an office's items due at its end, and an answer ends it.
func TestPause(t *testing.T) {
	db := open(t, t.TempDir())
	add(t, db, "a:*", 0, refs("a", "x", "y"))
	add(t, db, "b:*", 0, refs("b", "x"))
	until := noon.Add(time.Hour)
	if err := db.Pause(t.Context(), watch.Office{ID: "a", LastError: noon, Error: "no connection", Until: until}); err != nil {
		t.Fatal(err)
	}
	offices, err := db.Offices(t.Context())
	want := []watch.Office{{ID: "a", LastError: noon, Error: "no connection", Watched: 2, Until: until, Next: until}, {ID: "b", Watched: 1, Next: atOnce}}
	if err != nil || !reflect.DeepEqual(offices, want) {
		t.Errorf("offices %+v, %v, want %+v", offices, err, want)
	}
	for office, want := range map[string]int{"a": 0, "b": 1} {
		if due, _ := db.Due(t.Context(), office, noon); len(due) != want {
			t.Errorf("%v of %s are due, want only those of the other office", names(due), office)
		}
	}
	later := noon.Add(time.Minute)
	if err := db.Resume(t.Context(), "a", later); err != nil {
		t.Fatal(err)
	}
	if due, _ := db.Due(t.Context(), "a", later); len(due) != 2 {
		t.Errorf("due %v after an answer, want all", names(due))
	}
	if err := db.RecordList(t.Context(), "a", later, true); err != nil {
		t.Fatal(err)
	}
	offices, _ = db.Offices(t.Context())
	want[0] = watch.Office{ID: "a", LastSuccess: later, LastError: noon, Error: "no connection", Watched: 2, Next: later, Listed: later, ListHasTimes: true}
	if !reflect.DeepEqual(offices, want) {
		t.Errorf("offices %+v after an answer, want %+v", offices, want)
	}
	if err := db.Pause(t.Context(), watch.Office{ID: "b", LastError: later, Error: "come back", Until: until, Deferred: true}); err != nil {
		t.Fatal(err)
	}
	offices, _ = db.Offices(t.Context())
	want[1] = watch.Office{ID: "b", LastError: later, Error: "come back", Watched: 1, Until: until, Next: until, Deferred: true}
	if !reflect.DeepEqual(offices, want) {
		t.Errorf("the offices are %+v after one stated a pause, want %+v", offices, want)
	}
	if err := db.Resume(t.Context(), "b", until); err != nil {
		t.Fatal(err)
	}
	if offices, _ = db.Offices(t.Context()); offices[1].Deferred || !offices[1].Until.IsZero() {
		t.Errorf("after an answer the office is %+v, want no pause", offices[1])
	}
}

// Result.Answer decides the state of the office, not the state of the item: a refused
// item fails although its office is available.
func TestAnswerOfAResult(t *testing.T) {
	db := open(t, t.TempDir())
	add(t, db, "a:*", 0, refs("a", "x", "y"))
	all := items(t, db)
	all[0].Failed, all[0].Error, all[0].Tried = 3, "refused long ago", noon
	all[1].Failed, all[1].Error, all[1].Tried = 1, "cut", noon.Add(time.Minute)
	for _, c := range []struct {
		result watch.Result
		want   watch.Office
	}{
		{watch.Result{Item: all[0]}, watch.Office{ID: "a", Watched: 2, Failing: 1, Next: atOnce}},
		{watch.Result{Item: all[0], Answer: watch.Good}, watch.Office{ID: "a", Watched: 2, Failing: 1, Next: atOnce, LastSuccess: noon}},
		{watch.Result{Item: all[1], Answer: watch.Bad}, watch.Office{ID: "a", Watched: 2, Failing: 2, Next: atOnce,
			LastSuccess: noon, LastError: all[1].Tried, Error: "cut"}},
	} {
		if err := db.Record(t.Context(), []watch.Result{c.result}); err != nil {
			t.Fatal(err)
		}
		if offices, err := db.Offices(t.Context()); err != nil || !reflect.DeepEqual(offices, []watch.Office{c.want}) {
			t.Errorf("offices %+v, %v, want %+v", offices, err, c.want)
		}
	}
}

// A watch that cannot be expanded keeps its items. The reason stays until an expansion
// succeeds.
func TestRecordExpandError(t *testing.T) {
	db := open(t, t.TempDir())
	add(t, db, "a:*", 0, refs("a", "x", "y"))
	later := noon.Add(time.Hour)
	for _, reason := range []string{"no such folder", ""} {
		if err := db.RecordExpandError(t.Context(), "a:*", reason, later); err != nil {
			t.Fatal(err)
		}
		list, err := db.List(t.Context())
		want := []watch.Watch{{Ref: "a:*", Added: noon, Expanded: later, Items: 2, Error: reason}}
		if err != nil || !reflect.DeepEqual(list, want) {
			t.Errorf("watches %+v, %v, want %+v", list, err, want)
		}
	}
}

// BenchmarkPolled measures the queries that run every few seconds, with 100,000
// items and many log entries.
func BenchmarkPolled(b *testing.B) {
	db, err := watch.Open(b.Context(), postgres.At(b, b.TempDir()))
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	var codes []string
	for i := range 100_000 {
		codes = append(codes, fmt.Sprintf("d%05d", i))
	}
	if _, err := db.Add(b.Context(), "a:*", 0, noon); err != nil {
		b.Fatal(err)
	}
	if _, _, err := db.Expand(b.Context(), "a:*", refs("a", codes...), noon); err != nil {
		b.Fatal(err)
	}
	all, err := db.Items(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	var results []watch.Result
	for i, it := range all {
		it.Due, it.Failed = noon.Add(time.Hour), max(0, 1-i%10)
		for range 3 {
			results = append(results, watch.Result{Item: it, Entry: &watch.Entry{At: noon, Ref: it.Ref, Office: "a", Status: "created"}})
		}
	}
	if err := db.Record(b.Context(), results); err != nil {
		b.Fatal(err)
	}
	for name, ask := range map[string]func() error{
		"offices": func() error { _, err := db.Offices(b.Context()); return err },
		"watches": func() error { _, err := db.List(b.Context()); return err },
		"due":     func() error { _, err := db.Due(b.Context(), "a", noon); return err },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := ask(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Two handles, like those of two processes, write at the same time and lose nothing.
func TestTwoHandlesAtOnce(t *testing.T) {
	dir := t.TempDir()
	first, second := open(t, dir), open(t, dir)
	const each = 20
	done := make(chan error)
	for n, db := range []*watch.DB{first, second} {
		go func() {
			for i := range each {
				ref := fmt.Sprintf("a:%d-%d", n, i)
				_, err := db.Add(context.Background(), ref, 0, noon)
				if err == nil {
					_, _, err = db.Expand(context.Background(), ref, []watch.Ref{{Office: "a", Text: ref}}, noon)
				}
				if err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	for range 2 {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	if n := len(items(t, first)); n != 2*each {
		t.Errorf("%d items, want %d", n, 2*each)
	}
}

// Ten thousand results need a few groups, not ten thousand transactions.
func TestManyResults(t *testing.T) {
	db := open(t, t.TempDir())
	var codes []string
	for i := range 10_000 {
		codes = append(codes, fmt.Sprintf("d%05d", i))
	}
	add(t, db, "a:*", 0, refs("a", codes...))
	var results []watch.Result
	for _, it := range items(t, db) {
		it.Tried, it.Checked, it.Due = noon, noon, noon.Add(time.Hour)
		results = append(results, watch.Result{Item: it, Entry: &watch.Entry{At: noon, Ref: it.Ref, Office: "a", Status: "created"}})
	}
	for len(results) > 0 {
		n := min(len(results), 500)
		if err := db.Record(t.Context(), results[:n]); err != nil {
			t.Fatal(err)
		}
		results = results[n:]
	}
	if due, err := db.Due(t.Context(), "a", noon); err != nil || len(due) != 0 {
		t.Errorf("%d items are due, %v, want none", len(due), err)
	}
	if log, err := db.Log(t.Context(), "a", 20_000); err != nil || len(log) != 10_000 {
		t.Errorf("%d entries, %v, want 10,000", len(log), err)
	}
}

func TestDamagedFile(t *testing.T) {
	postgres.FilesOnly(t)
	dir := t.TempDir()
	if err := os.WriteFile(postgres.At(t, dir).File(watch.Name), []byte("no database, but long enough to be read as the head of one, with more and more letters"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := watch.Open(t.Context(), postgres.At(t, dir)); err == nil {
		t.Error("a file that is not a database was opened")
	}
}
