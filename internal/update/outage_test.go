package update_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/internal/database"
	"almanac/internal/importer"
	"almanac/internal/source"
	"almanac/internal/source/replay"
	"almanac/internal/source/replay/eurostattest"
	"almanac/internal/source/replay/pxwebtest"
	"almanac/internal/stattest"
	"almanac/internal/update"
	"almanac/internal/watch"
)

// A folder that the office no longer has only affects its watch, which keeps
// its items and reports why once.
func TestMissingFolder(t *testing.T) {
	w := newWorld(t, 0)
	office, err := pxwebtest.New(stattest.DataDir(t), 100_000)
	if err != nil {
		t.Fatal(err)
	}
	server := replay.Serve(office)
	defer server.Close()
	w.table = w.newTable(source.Office{ID: "statgl", Name: "Statistics Greenland", Kind: "pxweb", Address: server.URL + "/api/v1/en/Greenland"})
	w.updater = w.newUpdater(func(*update.Options) {})
	w.watch("statgl:SO/*", "statgl:BE/*")
	first := w.sync()
	if first.Items == 0 || first.Created != first.Items {
		t.Fatalf("the first summary is %+v", first)
	}
	for _, status := range []int{http.StatusNotFound, http.StatusForbidden} {
		server.Mend()
		server.Fault(replay.Fault{Match: "/Greenland/SO", Status: status})
		for range 3 {
			w.pass(8 * 24 * time.Hour)
			w.sync()
			if o := w.office("statgl"); !o.Until.IsZero() {
				t.Fatalf("%d: the office is unavailable because of one folder: %+v", status, o)
			}
		}
	}
	if it := w.item("statgl:BE/BE01/BE0120/BEXSTA.px"); w.clock().Sub(it.Checked) > time.Hour {
		t.Errorf("a table of another folder was last checked at %v, want now", it.Checked)
	}
	list, err := w.watches.List(t.Context())
	if err != nil || list[1].Ref != "statgl:SO/*" || list[1].Items == 0 || !strings.Contains(list[1].Error, "403") || w.clock().Sub(list[1].Expanded) > time.Hour || list[0].Error != "" {
		t.Errorf("the watches are %+v, %v, want that one keeps its items and has a reason", list, err)
	}
	if log := w.log("statgl:SO/*"); len(log) != 2 {
		t.Errorf("the log has %+v, want one entry for each reason", log)
	}
	server.Mend()
	w.pass(8 * 24 * time.Hour)
	w.sync()
	if list, err := w.watches.List(t.Context()); err != nil || list[1].Error != "" {
		t.Errorf("the watches are %+v, %v, want no error", list, err)
	}
}

// A watch with too many matches does not prevent the others from being read.
func TestWatchWithTooManyMatches(t *testing.T) {
	w := newWorld(t, 2)
	w.publish("n0", 1)
	w.watch("made:d*", "made:n*")
	w.sync()
	var list strings.Builder
	for i := range 200_001 {
		fmt.Fprintf(&list, "n%d\tDataset\n", i)
	}
	list.WriteString("d0\tDataset\nd1\tDataset\nd2\tDataset\n")
	w.files.SetBody("/list.tsv", list.String())
	w.files.SetBody("/data/d2.csv", edited(1))
	w.pass(25 * time.Hour)
	w.wantSync(update.Summary{Items: 4, Created: 1, Unchanged: 3, Failed: 1})
	watches, err := w.watches.List(t.Context())
	if err != nil || watches[0].Error != "" || !strings.Contains(watches[1].Error, "200000") {
		t.Errorf("the watches are %+v, %v, want the limit", watches, err)
	}
}

// Plain addresses are on many hosts: one that is down does not affect the
// others, and is tried again at the time it stated.
func TestPlainAddresses(t *testing.T) {
	w := newWorld(t, 2)
	dead := replay.Serve(replay.NewFiles(nil))
	defer dead.Close()
	dead.Fault(replay.Fault{Status: http.StatusServiceUnavailable, After: "80000"})
	addresses := []string{dead.URL + "/a.csv", dead.URL + "/b.csv", dead.URL + "/c.csv", w.server.URL + "/data/d0.csv", w.server.URL + "/data/d1.csv"}
	for _, address := range addresses {
		if _, err := w.updater.Watch(t.Context(), address, time.Hour); err != nil {
			t.Fatal(err)
		}
	}
	w.wantSync(update.Summary{Items: 5, Created: 2, Failed: 3})
	for _, address := range addresses[:3] {
		if it := w.item(address); it.Due.Sub(it.Tried) < 79_000*time.Second {
			t.Errorf("%s is due after %v, want the time that it stated", address, it.Due.Sub(it.Tried))
		}
	}
	for range 3 {
		w.pass(2 * time.Hour)
		w.wantSync(update.Summary{Items: 2, Unchanged: 2})
	}
	if o := w.office(""); !o.Until.IsZero() {
		t.Errorf("all plain addresses are skipped: %+v", o)
	}
}

// A server that reports all datasets as missing is broken: they are tried again
// soon.
func TestAllMissing(t *testing.T) {
	w := newWorld(t, 60)
	w.watch("made:*")
	w.sync()
	w.pass(25 * time.Hour)
	w.server.Forget()
	w.server.Fault(replay.Fault{Match: "/data/", Status: http.StatusNotFound})
	w.wantSync(update.Summary{Items: 60, Failed: 20, Postponed: 40})
	if requests := w.server.Requests("/data/"); len(requests) != 20 {
		t.Errorf("got requests for %d datasets, want 20", len(requests))
	}
	o := w.office("made")
	if o.Until.Sub(w.clock()) != 5*time.Minute || !strings.Contains(o.Error, "20 datasets in a row") {
		t.Errorf("the office is %+v, want an outage", o)
	}
	if due := w.item("made:d0").Due.Sub(w.clock()); due != 15*time.Minute {
		t.Errorf("the missing items are due after %v, want 15 minutes", due)
	}
	w.server.Mend()
	w.pass(time.Hour)
	w.wantSync(update.Summary{Items: 60, Unchanged: 60})
	w.clean()
}

// An office that lacks a few datasets is available. They are tried again after a day.
func TestFewMissing(t *testing.T) {
	w := newWorld(t, 25)
	w.watch("made:*")
	w.sync()
	w.pass(25 * time.Hour)
	for i := range 19 {
		w.files.Remove(fmt.Sprintf("/data/d%d.csv", i))
	}
	w.wantSync(update.Summary{Items: 25, Failed: 19, Unchanged: 6})
	if it := w.item("made:d0"); it.Due.Sub(it.Tried) != 24*time.Hour || !w.office("made").Until.IsZero() {
		t.Errorf("the item is %+v of the office %+v, want that it is due in a day", it, w.office("made"))
	}
	w.clean()
}

// An office that refuses many requests is not unavailable.
func TestManyRefusals(t *testing.T) {
	office := eurostattest.New(stattest.DataDir(t))
	w := newWorld(t, 0)
	server := replay.Serve(office)
	defer server.Close()
	w.table = w.newTable(source.Office{ID: "eurostat", Name: "Eurostat", Kind: "eurostat", Address: server.URL + "/eurostat/api/dissemination"})
	w.updater = w.newUpdater(func(*update.Options) {})
	n, err := w.updater.Watch(t.Context(), "eurostat:nama_10*", 0)
	if err != nil || n < 25 {
		t.Fatalf("got %d datasets, %v, want many", n, err)
	}
	server.Fault(replay.Fault{Match: "/data/", Status: http.StatusForbidden, Body: eurostattest.Fault("1", "the request is too large")})
	w.wantSync(update.Summary{Items: n, Refused: n})
	if o := w.office("eurostat"); !o.Until.IsZero() {
		t.Errorf("the office is unavailable because of its refusals: %+v", o)
	}
}

// If a companion file cannot be read because of this machine, it is fetched again, with
// its data.
func TestIncompleteCompanions(t *testing.T) {
	office := eurostattest.New(stattest.DataDir(t))
	w := newWorld(t, 0)
	server := replay.Serve(office)
	defer server.Close()
	w.table = w.newTable(source.Office{ID: "eurostat", Name: "Eurostat", Kind: "eurostat", Address: server.URL + "/eurostat/api/dissemination"})
	damaged := 0
	w.updater = w.newUpdater(func(o *update.Options) {
		o.Notify = func(e update.Event) {
			if e.Stage != update.Importing {
				return
			}
			companions, err := filepath.Glob(filepath.Join(w.staging(), "*", "ESTAT_*"))
			if err != nil {
				t.Error(err)
			}
			for _, path := range companions { // a link to itself cannot be opened
				damaged++
				if err := os.Remove(path); err != nil {
					t.Error(err)
				}
				if err := os.Symlink(path, path); err != nil {
					t.Error(err)
				}
			}
		}
	})
	w.watch("eurostat:tran_r_rapa")
	w.wantSync(update.Summary{Items: 1, Created: 1})
	if it := w.item("eurostat:tran_r_rapa"); damaged == 0 || strings.Contains(string(it.State), "answers") || strings.Contains(string(it.State), "updated") {
		t.Fatalf("%d companions were damaged, and the state is %s, want only the title", damaged, it.State)
	}
	w.updater = w.newUpdater(func(*update.Options) {})
	w.pass(25 * time.Hour)
	server.Forget()
	w.wantSync(update.Summary{Items: 1, Updated: 1}) // its labels
	if requests := server.Requests("/data/"); len(requests) != 1 || requests[0].Status != http.StatusOK || !strings.Contains(string(w.item("eurostat:tran_r_rapa").State), `"title":"Railway`) {
		t.Errorf("the requests are %+v, want all data again and a state", requests)
	}
}

// A pause that the office stated also holds for items requested by name; a
// pause after failures does not.
func TestRetryAfterByName(t *testing.T) {
	w := newWorld(t, 4)
	w.watch("made:d0", "made:d1", "made:d2", "made:d3")
	w.server.Fault(replay.Fault{Match: "/data/", Status: http.StatusTooManyRequests, After: "7200"})
	for name, cause := range map[string]func(){
		"a round":        func() { w.sync() },
		"import by hand": func() { w.updater.Import(t.Context(), "made:d0") },
	} {
		cause()
		if o := w.office("made"); !o.Deferred || o.Until.Sub(w.clock()) != 2*time.Hour {
			t.Fatalf("%s: the office is %+v, want a pause", name, o)
		}
		w.server.Mend()
		w.server.Forget()
		until := w.clock().Add(2 * time.Hour).Format("until 2006-01-02 15:04 UTC")
		w.finished()
		w.wantSync(update.Summary{Items: 1, Postponed: 1}, "made:d2")
		if e := w.finished()["made:d2"]; !strings.Contains(e.Error, "Made Office asked not to be contacted "+until) {
			t.Errorf("%s: sync reports %q, want the end of the pause", name, e.Error)
		}
		if o := w.updater.Import(t.Context(), "made:d3"); len(o) != 1 || o[0].Status != importer.Refused || !strings.Contains(o[0].Error, until) {
			t.Errorf("%s: import reports %+v, want the end of the pause", name, o)
		}
		if requests := w.server.Requests(""); len(requests) > 0 {
			t.Errorf("%s: got a request for %s", name, requests[0].Path)
		}
		w.pass(3 * time.Hour)
		if o := w.updater.Import(t.Context(), "made:d3"); len(o) != 1 || o[0].Error != "" || !w.office("made").Until.IsZero() {
			t.Errorf("%s: after the pause: %+v of %+v", name, o, w.office("made"))
		}
		w.server.Fault(replay.Fault{Match: "/data/", Status: http.StatusTooManyRequests, After: "7200"})
	}
	w.server.Mend()
	w.pass(48 * time.Hour)
	w.server.Fault(replay.Fault{Match: "/data/", Status: http.StatusInternalServerError})
	w.sync()
	if o := w.office("made"); o.Deferred || o.Until.IsZero() {
		t.Fatalf("the office is %+v, want an outage", o)
	}
	w.server.Mend()
	if o := w.updater.Import(t.Context(), "made:d3"); o[0].Error != "" || !w.office("made").Until.IsZero() {
		t.Errorf("import during an outage: got %+v of %+v, want a request that ends the outage", o, w.office("made"))
	}
}

// An item of another process is skipped for a minute instead of being tried
// with each check, and errors are reported as errors.
func TestLockedIsSkipped(t *testing.T) {
	w := newWorld(t, 1)
	w.watch("made:d0")
	unlock, _, err := w.watches.Lock(w.item("made:d0").ID)
	if err != nil {
		t.Fatal(err)
	}
	w.wantSync(update.Summary{Items: 1, Postponed: 1})
	unlock()
	w.wantSync(update.Summary{})
	w.pass(time.Minute)
	w.wantSync(update.Summary{Items: 1, Created: 1})
	w.pass(25 * time.Hour)
	other, err := watch.Open(t.Context(), database.Location{Dir: w.dir})
	if err != nil {
		t.Fatal(err)
	}
	u := w.newUpdater(func(o *update.Options) {
		o.Watches = other
		o.Notify = func(e update.Event) {
			w.record(e)
			if e.Stage == update.Waiting {
				other.Close()
			}
		}
	})
	w.finished()
	if _, err := u.Sync(context.Background()); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("a round without a database: got error %v, want that it is closed", err)
	}
	if e := w.finished()["made:d0"]; strings.Contains(e.Error, "another process") || !strings.Contains(e.Error, "closed") {
		t.Errorf("the reason is %q, want the error", e.Error)
	}
}

// If many items of an office are due and its list was never read, it is read
// once to find out whether it states times; for a few items it is not.
func TestListReadOnce(t *testing.T) {
	w := newWorld(t, 25)
	made := w.table.Offices()[slices.IndexFunc(w.table.Offices(), func(o source.Office) bool { return o.ID == "made" })]
	silent := made
	silent.Contents = ""
	with := func(o source.Office) {
		w.table = w.newTable(o)
		w.updater = w.newUpdater(func(*update.Options) {})
	}
	w.server.Fault(replay.Fault{Match: "/list", Status: http.StatusNotFound}) // it seems to have no list
	watched := 0
	for _, c := range []struct {
		datasets int
		read     bool
	}{{19, false}, {25, true}} {
		with(silent)
		for ; watched < c.datasets; watched++ {
			w.watch(fmt.Sprintf("made:d%d", watched))
		}
		w.sync()
		with(made)
		var first time.Time // of the first request for the list
		for range 2 {
			w.pass(8 * 24 * time.Hour)
			if first.IsZero() && c.read {
				first = w.clock()
			}
			w.wantSync(update.Summary{Items: c.datasets, Unchanged: c.datasets})
			if o := w.office("made"); !o.Listed.Equal(first) || !o.Until.IsZero() {
				t.Errorf("%d datasets: the office is %+v, want that its list was read at %v", c.datasets, o, first)
			}
		}
	}
}

// BenchmarkOneDue is a round in which one of many items is due.
func BenchmarkOneDue(b *testing.B) {
	w := newWorld(b, 1)
	var refs []watch.Ref
	for i := range 100_000 {
		refs = append(refs, watch.Ref{Office: "made", Text: fmt.Sprintf("made:d%d", i)})
	}
	_, err := w.watches.Add(b.Context(), "made:*", 0, began)
	must(b, err)
	_, _, err = w.watches.Expand(b.Context(), "made:*", refs, began)
	must(b, err)
	items, err := w.watches.Items(b.Context())
	must(b, err)
	results := make([]watch.Result, len(items))
	for i, it := range items {
		it.Due = began.Add(20 * time.Hour)
		it.State = []byte(`{"updated":"2025-01-01T00:00:00Z","answers":{"https://example.org/data":{"etag":"\"abc\"","last_modified":"Fri, 20 Nov 2024 10:00:00 GMT"}}}`)
		results[i] = watch.Result{Item: it}
	}
	must(b, w.watches.Record(b.Context(), results))
	for b.Loop() {
		b.StopTimer()
		it := w.item("made:d0")
		it.Due = began
		must(b, w.watches.Record(b.Context(), []watch.Result{{Item: it}}))
		b.StartTimer()
		if s := w.sync(); s.Items != 1 {
			b.Fatalf("a round did %+v", s)
		}
	}
}

// If the list cannot be read, a reference that cannot be checked is not
// watched.
func TestWatchNeedsTheList(t *testing.T) {
	w := newWorld(t, 1)
	for _, status := range []int{http.StatusForbidden, http.StatusNotFound} {
		w.server.Mend()
		w.server.Fault(replay.Fault{Match: "/list", Status: status})
		for _, ref := range []string{"made:*", "made:d0"} {
			if _, err := w.updater.Watch(t.Context(), ref, 0); err == nil || !strings.Contains(err.Error(), "checking "+ref) || !strings.Contains(err.Error(), fmt.Sprint(status)) {
				t.Errorf("%s: got error %v, want that it cannot be checked", ref, err)
			}
		}
	}
}
