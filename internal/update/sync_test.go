package update_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/internal/source/replay"
	"almanac/internal/stat"
	"almanac/internal/stattest"
	"almanac/internal/update"
)

// The first round imports everything, the next one finds nothing new, and a
// later publication becomes a new vintage with a log entry.
func TestRounds(t *testing.T) {
	w := newWorld(t, 3)
	w.watch("made:*")
	w.wantSync(update.Summary{Items: 3, Created: 3})
	w.wantSync(update.Summary{}) // nothing is due
	w.pass(25 * time.Hour)
	w.server.Forget()
	w.wantSync(update.Summary{Items: 3, Unchanged: 3})
	for _, a := range w.server.Requests("/data/") {
		if a.Status != http.StatusNotModified {
			t.Errorf("%s: got status %d, want a conditional request", a.Path, a.Status)
		}
	}
	w.publish("d1", 2)
	w.pass(25 * time.Hour)
	w.finished()
	w.wantSync(update.Summary{Items: 3, Updated: 1, Unchanged: 2})
	e := w.finished()["made:d1"]
	if e.Status != "updated" || e.Version != "1.1" || e.Revised != len(countries) || e.Bytes == 0 || e.Dataset != w.item("made:d1").Dataset {
		t.Errorf("the event of the update is %+v", e)
	}
	if got := w.value(e.Dataset); got != 2000+10 {
		t.Errorf("the value of Germany is %v, want that of the new edition", got)
	}
	if log := w.log("made"); len(log) != 4 || log[0].Ref != "made:d1" || log[0].Status != "updated" {
		t.Errorf("the log is %+v, want three first imports and one update, and no unchanged items", log)
	}
	w.clean()
}

// Another key of a watched dataflow joins the watch. Other parts and datasets do not.
func TestJoinWatched(t *testing.T) {
	w := newWorld(t, 0)
	for _, ref := range []string{"ecb:EXR", "ecb:EXR/M.USD.EUR.SP00.A", "ecb:EXR/M.USD.EUR.SP00.A?startPeriod=2020", "made:EXR/M"} {
		if _, err := w.watches.Add(t.Context(), ref, time.Hour, began); err != nil {
			t.Fatal(err)
		}
	}
	for ref, want := range map[string]string{
		"ecb:EXR/D.GBP.EUR.SP00.A": "ecb:EXR/M.USD.EUR.SP00.A;D.GBP.EUR.SP00.A in place of ecb:EXR/M.USD.EUR.SP00.A",
		"ecb:EXR/M.USD.EUR.SP00.A": "ecb:EXR/M.USD.EUR.SP00.A",
		"ecb:FM/M.USD":             "ecb:FM/M.USD",
		"ecb:*":                    "ecb:*",
		"made:EXR/D":               "made:EXR/D",
	} {
		joined, parts, err := w.updater.JoinWatched(t.Context(), ref)
		for _, part := range parts {
			joined += " in place of " + part.Ref
		}
		if err != nil || joined != want {
			t.Errorf("%s: got %s, %v, want %s", ref, joined, err, want)
		}
	}
}

// A reference that is not in the list is not watched, and similar codes are
// suggested; the office's spelling is used.
func TestWatchErrors(t *testing.T) {
	w := newWorld(t, 0)
	w.list("une_rt_m", "une_rt_q", "nama_10_gdp", "tps00001")
	for _, c := range []struct{ ref, want string }{
		{"made:une_rt_x", "une_rt_m, une_rt_q"},
		{"made:zzzzzzz", "lists no such dataset; `almanac source datasets made"},
		{"made:xyz*", "no dataset in the list of Made Office matches"},
		{"made:theme/nothing", "no dataset in the list of Made Office matches"},
		{"maid:une_rt_m", `unknown source "maid"`},
	} {
		if _, err := w.updater.Watch(t.Context(), c.ref, 0); stat.KindOf(err) != stat.NotFound || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want not found, with %q", c.ref, err, c.want)
		}
	}
	if n, err := w.updater.Watch(t.Context(), "made:UNE_*", time.Hour); err != nil || n != 2 {
		t.Errorf("a pattern in another case matches %d, %v, want 2", n, err)
	}
	if n, err := w.updater.Watch(t.Context(), "made:TPS00001", 0); err != nil || n != 1 || w.item("made:tps00001").Office != "made" {
		t.Errorf("a code in another case matches %d, %v, want 1", n, err)
	}
	w.server.Fault(replay.Fault{Match: "/list.tsv", Status: http.StatusServiceUnavailable})
	if _, err := w.updater.Watch(t.Context(), "made:nama_10_gdp", 0); err == nil || stat.KindOf(err) == stat.NotFound {
		t.Errorf("the list cannot be read: got error %v, want that the watch cannot be checked", err)
	}
}

func TestWatchWithoutList(t *testing.T) {
	w := newWorld(t, 1)
	address := w.server.URL + "/data/d0.csv"
	if n, err := w.updater.Watch(t.Context(), address, 0); err != nil || n != 1 {
		t.Errorf("a plain address matches %d, %v, want 1", n, err)
	}
	w.wantSync(update.Summary{Items: 1, Created: 1})
	if it := w.item(address); it.Office != "" || it.Dataset == 0 {
		t.Errorf("the address's item is %+v", it)
	}
	if _, err := w.updater.Watch(t.Context(), "owid:*", 0); stat.KindOf(err) != stat.Refused {
		t.Errorf("a pattern without a list: got error %v, want a refusal", err)
	}
}

// New datasets of a pattern are added automatically; one that vanishes is
// reported once and keeps its data.
func TestPattern(t *testing.T) {
	w := newWorld(t, 3)
	w.watch("made:*")
	w.sync()
	gone := w.item("made:d0").Dataset
	w.list("d1", "d2")
	w.publish("d3", 1)
	w.pass(25 * time.Hour)
	w.finished()
	w.wantSync(update.Summary{Items: 3, Created: 1, Unchanged: 2})
	if e := w.finished()["made:d0"]; e.Status != "vanished" {
		t.Errorf("the event of a vanished dataset is %+v", e)
	}
	if w.value(gone) != 1010 {
		t.Error("the data of a vanished dataset were removed")
	}
	w.pass(25 * time.Hour)
	w.wantSync(update.Summary{Items: 3, Unchanged: 3})
	vanished := 0
	for _, e := range w.log("made:d0") {
		if e.Status == "vanished" {
			vanished++
		}
	}
	if vanished != 1 {
		t.Errorf("got %d entries on a vanished dataset, want one", vanished)
	}
}

// A list that lacks nearly everything is considered damaged: nothing is
// removed, and new datasets are added.
func TestDamagedList(t *testing.T) {
	w := newWorld(t, 30)
	w.watch("made:*")
	w.sync()
	w.list("d0")
	w.publish("new", 1)
	w.pass(25 * time.Hour)
	w.wantSync(update.Summary{Items: 31, Created: 1, Unchanged: 30, Failed: 1})
	if e := w.finished()["made:*"]; e.Status != "failed" || !strings.Contains(e.Error, "lacks 29 of the 30") {
		t.Errorf("the event of the damaged list is %+v", e)
	}
	if log := w.log("made:*"); len(log) != 1 || !strings.Contains(log[0].Error, "lacks 29 of the 30") {
		t.Errorf("the log entries of the damaged list are %+v", log)
	}
}

// A list that cannot be read is an outage of the office, reported once.
func TestListOutage(t *testing.T) {
	w := newWorld(t, 3)
	w.watch("made:*")
	w.sync()
	w.server.Fault(replay.Fault{Match: "/list.tsv", Page: true})
	w.pass(25 * time.Hour)
	w.wantSync(update.Summary{Items: 3, Postponed: 3, Failed: 1})
	if e := w.finished()["made"]; e.Status != "failed" || !strings.Contains(e.Error, "list of contents") {
		t.Errorf("the event of the list is %+v", e)
	}
	if log := w.log("made"); len(log) != 4 || !strings.Contains(log[0].Error, "list of contents") {
		t.Errorf("the log is %+v, want one entry on the list", log[0])
	}
	w.server.Mend()
	w.pass(time.Hour)
	w.wantSync(update.Summary{Items: 3, Unchanged: 3})
}

// After three failures in a row the office is skipped, for twice as long each time,
// until a request succeeds.
func TestOutage(t *testing.T) {
	w := newWorld(t, 6)
	w.watch("made:d0", "made:d1", "made:d2", "made:d3", "made:d4", "made:d5")
	w.server.Fault(replay.Fault{Match: "/data/", Status: http.StatusInternalServerError})
	w.wantSync(update.Summary{Items: 6, Failed: 3, Postponed: 3})
	for _, e := range w.finished() {
		if e.Status == "postponed" && !strings.Contains(e.Error, "Made Office is not contacted until 2025-03-01 1") {
			t.Errorf("a postponed item says %q", e.Error)
		}
	}
	wait := 5 * time.Minute
	for range 3 {
		office := w.office("made")
		if got := office.Until.Sub(office.LastError); got.Round(time.Minute) != wait || office.Failing < 3 {
			t.Errorf("the pause is %v with %d failing items, want %v and some", got, office.Failing, wait)
		}
		w.server.Forget()
		w.wantSync(update.Summary{}) // not contacted
		if requests := w.server.Requests(""); len(requests) > 0 {
			t.Errorf("an unavailable office got a request for %s", requests[0].Path)
		}
		w.pass(wait + time.Minute)
		w.sync()
		wait *= 2
	}
	w.server.Mend()
	w.pass(7 * time.Hour)
	w.wantSync(update.Summary{Items: 6, Created: 6})
	if o := w.office("made"); !o.Until.IsZero() || o.Failing != 0 || o.LastSuccess.IsZero() || o.Error == "" {
		t.Errorf("the office after an outage is %+v", o)
	}
}

// A server that states a time to come back is not contacted before.
func TestRetryAfter(t *testing.T) {
	w := newWorld(t, 4)
	w.watch("made:d0", "made:d1", "made:d2", "made:d3")
	w.server.Fault(replay.Fault{Match: "/data/", Status: http.StatusTooManyRequests, After: "7200"})
	w.wantSync(update.Summary{Items: 4, Failed: 1, Postponed: 3})
	if requests := w.server.Requests("/data/"); len(requests) != 1 {
		t.Errorf("got %d requests, want one", len(requests))
	}
	if o := w.office("made"); o.Until.Sub(o.LastError) != 2*time.Hour {
		t.Errorf("the pause is %v, want 2 hours", o.Until.Sub(o.LastError))
	}
	w.server.Mend()
	w.pass(2*time.Hour - time.Minute)
	w.wantSync(update.Summary{})
	w.pass(2 * time.Minute)
	w.wantSync(update.Summary{Items: 4, Created: 4})
}

// A missing dataset is not an outage, and is tried less and less often.
func TestMissing(t *testing.T) {
	w := newWorld(t, 5)
	w.watch("made:d0", "made:d1", "made:d2", "made:d3", "made:d4")
	for _, code := range []string{"d0", "d1", "d2", "d3"} {
		w.files.Remove("/data/" + code + ".csv")
	}
	w.wantSync(update.Summary{Items: 5, Failed: 4, Created: 1})
	var waits []time.Duration
	for range 5 {
		it := w.item("made:d0")
		waits = append(waits, it.Due.Sub(it.Tried)/(24*time.Hour))
		w.pass(it.Due.Sub(w.clock()))
		w.sync()
	}
	if !slices.Equal(waits, []time.Duration{1, 2, 4, 7, 7}) {
		t.Errorf("it is due after %v days", waits)
	}
}

// Failures of one dataset delay only that dataset.
func TestOneFails(t *testing.T) {
	w := newWorld(t, 2)
	w.watch("made:*")
	w.server.Fault(replay.Fault{Match: "/data/d0", Status: http.StatusForbidden})
	w.wantSync(update.Summary{Items: 2, Failed: 1, Created: 1})
	var waits []time.Duration
	for range 6 {
		it := w.item("made:d0")
		waits = append(waits, it.Due.Sub(it.Tried))
		w.pass(it.Due.Sub(w.clock()))
		w.sync()
	}
	if !slices.Equal(waits, []time.Duration{15 * time.Minute, time.Hour, 4 * time.Hour, 12 * time.Hour, 24 * time.Hour, 24 * time.Hour}) {
		t.Errorf("it is due after %v", waits)
	}
	if it := w.item("made:d0"); it.Failed != 7 || !strings.Contains(it.Error, "403") {
		t.Errorf("the item %+v", it)
	}
}

// Unreadable data are refused once and not fetched again before the office has
// other data, or until somebody requests them by name. The stored data stay.
func TestRefused(t *testing.T) {
	w := newWorld(t, 1)
	w.watch("made:d0")
	w.sync()
	w.files.SetBody("/data/d0.csv", "Country,Year,Value\nDE,2022,1\nDE,2023,many\nFR,2022,2\nFR,2023,some\n")
	w.pass(25 * time.Hour)
	w.wantSync(update.Summary{Items: 1, Refused: 1})
	it := w.item("made:d0")
	if it.Failed != 1 || !strings.HasPrefix(it.Error, "made:d0:1: ") || w.value(it.Dataset) != 1010 {
		t.Errorf("the item is %+v, want a line of the reference in its error", it)
	}
	was := w.office("made")
	for range 3 {
		w.server.Forget()
		w.pass(25 * time.Hour)
		w.finished()
		w.wantSync(update.Summary{Items: 1, Unchanged: 1}) // the refusal is recorded already
		if e := w.finished()["made:d0"]; e.Status != "unchanged" || e.Error != it.Error {
			t.Errorf("the event is %+v, want unchanged, with the reason of the refusal", e)
		}
		if again := w.item("made:d0"); again.Error != it.Error || again.Failed != it.Failed {
			t.Errorf("the item is %+v, want the reason of the refusal", again)
		}
		o := w.office("made")
		if !o.LastSuccess.After(was.LastSuccess) || !o.LastError.Equal(was.LastError) || o.Failing != 1 {
			t.Errorf("the office is %+v after %+v, want a success", o, was)
		}
		was = o
		if requests := w.server.Requests("/data/"); len(requests) != 1 || requests[0].Status != http.StatusNotModified {
			t.Errorf("the requests after the refusal are %+v, want one conditional one", requests)
		}
	}
	if log := w.log("made:d0"); len(log) != 2 {
		t.Errorf("the log has %d entries, want the first import and one refusal", len(log))
	}
	w.server.Forget()
	w.wantSync(update.Summary{Items: 1, Refused: 1}, "made:d0")
	if requests := w.server.Requests("/data/"); len(requests) != 1 || requests[0].Status != http.StatusOK {
		t.Errorf("by name: got requests %+v, want a new fetch", requests)
	}
	w.publish("d0", 3)
	w.wantSync(update.Summary{Items: 1, Updated: 1}, "made:d0")
	if it := w.item("made:d0"); it.Failed != 0 || it.Error != "" {
		t.Errorf("the item is %+v, want no failure", it)
	}
	w.clean()
}

// An update that lacks half of the countries is not published; the item has the
// reason, and the file is not fetched again and again.
func TestQuarantined(t *testing.T) {
	w := newWorld(t, 1)
	w.watch("made:d0")
	w.sync()
	lines := strings.SplitAfter(edited(2), "\n")
	w.files.SetBody("/data/d0.csv", strings.Join(lines[:len(lines)/2], ""))
	w.pass(25 * time.Hour)
	w.wantSync(update.Summary{Items: 1, Quarantined: 1})
	it := w.item("made:d0")
	if w.value(it.Dataset) != 1010 || it.Failed != 0 || !strings.Contains(it.Error, "dataset accept") {
		t.Errorf("the item is %+v, want the old version and what to do", it)
	}
	w.pass(25 * time.Hour)
	w.wantSync(update.Summary{Items: 1, Unchanged: 1})
	if log := w.log("made:d0"); len(log) != 2 || log[0].Status != "quarantined" || log[0].Removed == 0 {
		t.Errorf("the log %+v", log)
	}
}

func TestSyncByName(t *testing.T) {
	w := newWorld(t, 4)
	w.watch("made:d0", "made:d1", "made:d*")
	w.sync()
	w.pass(30 * time.Hour) // all are due, but only the named ones are requested
	w.publish("new", 1)
	w.publish("d9", 1)
	for _, c := range []struct {
		ref  string
		want update.Summary
	}{
		{"made:D0", update.Summary{Items: 1, Unchanged: 1}},
		{"made:d*", update.Summary{Items: 5, Unchanged: 4, Created: 1}}, // due or not, and a new one
		{"made", update.Summary{Items: 5, Unchanged: 5}},
		{"made:*", update.Summary{Items: 5, Unchanged: 5}},
	} {
		t.Log(c.ref)
		w.wantSync(c.want, c.ref)
	}
	if _, err := w.updater.Sync(t.Context(), "made:new"); stat.KindOf(err) != stat.NotFound || !strings.Contains(err.Error(), "watch add made:new") {
		t.Errorf("not watched: got error %v, want what to do", err)
	}
}

// A dataset that was removed from the store is imported again while it is
// watched, though the office has nothing new.
func TestRemovedDataset(t *testing.T) {
	w := newWorld(t, 1)
	w.watch("made:d0")
	w.sync()
	if err := w.store.Remove(t.Context(), w.item("made:d0").Dataset); err != nil {
		t.Fatal(err)
	}
	w.pass(25 * time.Hour)
	if s := w.sync(); s.Created+s.Updated != 1 {
		t.Errorf("the summary is %+v, want the dataset imported again", s)
	}
}

// The schedule described in the package comment.
func TestSchedule(t *testing.T) {
	w := newWorld(t, 2)
	w.watch("made:*")
	due := func(ref string) time.Duration {
		it := w.item(ref)
		return it.Due.Sub(it.Tried)
	}
	w.sync()
	if due("made:d0") != 24*time.Hour {
		t.Errorf("a new dataset is due after %v, want a day", due("made:d0"))
	}
	w.pass(30 * 24 * time.Hour)
	w.publish("d1", 2)
	w.sync()
	if due("made:d0") != 3*24*time.Hour || due("made:d1") != 24*time.Hour {
		t.Errorf("unchanged for 30 days: due after %v; changed now: due after %v; want 3 days and one", due("made:d0"), due("made:d1"))
	}
	w.pass(365 * 24 * time.Hour)
	w.sync()
	if due("made:d0") != 7*24*time.Hour {
		t.Errorf("unchanged for a year: due after %v, want a week", due("made:d0"))
	}
	if _, err := w.updater.Watch(t.Context(), "made:d0", time.Hour); err != nil {
		t.Fatal(err)
	}
	if due("made:d0") != time.Hour {
		t.Errorf("with an hourly watch: due after %v", due("made:d0"))
	}
	for chance, want := range map[float64]time.Duration{0: 54 * time.Minute, 1: 66 * time.Minute} {
		w.updater = w.newUpdater(func(o *update.Options) { o.Rand = func() float64 { return chance } })
		w.pass(2 * time.Hour)
		w.sync("made:d0")
		if due("made:d0") != want {
			t.Errorf("with the random number %v: due after %v, want %v", chance, due("made:d0"), want)
		}
	}
}

// A list of a million datasets is read for the few that are watched; a watch
// for all of them is refused.
func TestLongList(t *testing.T) {
	w := newWorld(t, 0)
	var list strings.Builder
	n := stattest.Rounds(t, 300_000, 1_000_000)
	for i := range n {
		fmt.Fprintf(&list, "d%d\tDataset\n", i)
	}
	w.files.SetBody("/list.tsv", list.String())
	w.watch("made:d29999*", "made:d123456")
	if _, err := w.updater.Watch(t.Context(), "made:*", 0); stat.KindOf(err) != stat.Refused || !strings.Contains(err.Error(), "200000") {
		t.Errorf("a watch for a million datasets: got error %v, want the limit", err)
	}
	if items, err := w.watches.Items(t.Context()); err != nil || len(items) != 12 {
		t.Errorf("%d items, %v, want 12", len(items), err)
	}
}

// An office that is no longer in the table does not prevent the other updates.
func TestUnknownOffice(t *testing.T) {
	w := newWorld(t, 1)
	w.watch("made:d0", "made:d*", w.server.URL+"/data/d0.csv")
	w.table = w.newTable()
	w.updater = w.newUpdater(func(*update.Options) {})
	w.wantSync(update.Summary{Items: 2, Created: 1, Failed: 1})
	if it := w.item("made:d0"); !strings.Contains(it.Error, `no source "made"`) {
		t.Errorf("the item is %+v, want the reason", it)
	}
}
