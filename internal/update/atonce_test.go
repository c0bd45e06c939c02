package update_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"almanac/internal/database"
	"almanac/internal/importer"
	"almanac/internal/source"
	"almanac/internal/source/replay"
	"almanac/internal/source/replay/eurostattest"
	"almanac/internal/stat"
	"almanac/internal/stattest"
	"almanac/internal/update"
	"almanac/internal/watch"
)

// Two updaters on one store share the work: each dataset is fetched and stored
// once, and only one contacts the office at a time. The first response arrives while
// the other updater waits for its turn.
func TestTwoUpdaters(t *testing.T) {
	w := newWorld(t, 20)
	met := make(chan struct{})
	meet := sync.OnceFunc(func() { close(met) })
	var asking, most atomic.Int64
	server := replay.Serve(http.HandlerFunc(func(wr http.ResponseWriter, r *http.Request) {
		now := asking.Add(1)
		defer asking.Add(-1)
		if now > 1 {
			most.Store(now)
			meet()
		}
		if strings.HasPrefix(r.URL.Path, "/data/") {
			<-met
		}
		w.files.ServeHTTP(wr, r)
	}))
	defer server.Close()
	other, err := watch.Open(t.Context(), database.Location{Dir: w.dir})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	office := source.Office{ID: "made", Name: "Made Office", Kind: "files", Address: server.URL,
		Data: server.URL + "/data/{code}.csv", Contents: server.URL + "/list.tsv"}
	var updaters []*update.Updater
	for _, db := range []*watch.DB{w.watches, other} {
		updaters = append(updaters, w.newUpdater(func(o *update.Options) {
			o.Watches, o.Sources = db, w.newTable(office) // a separate client, as in another process
			o.Sleep = func(ctx context.Context, _ time.Duration) error { meet(); runtime.Gosched(); return ctx.Err() }
		}))
	}
	if _, err := updaters[0].Watch(t.Context(), "made:*", 0); err != nil {
		t.Fatal(err)
	}
	var both sync.WaitGroup
	sums := make([]update.Summary, len(updaters))
	for i, u := range updaters {
		both.Go(func() {
			var err error
			if sums[i], err = u.Sync(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
	both.Wait()
	if n := sums[0].Created + sums[1].Created; n != 20 || sums[0].Created == 0 || sums[1].Created == 0 {
		t.Errorf("the summaries are %+v and %+v, want 20 created in all, some by each", sums[0], sums[1])
	}
	for i := range 20 {
		if requests := server.Requests(fmt.Sprintf("/data/d%d.csv", i)); len(requests) != 1 {
			t.Errorf("d%d: got %d requests", i, len(requests))
		}
	}
	if n := most.Load(); n > 0 {
		t.Errorf("the office got %d requests at once, want one", n)
	}
	w.clean()
}

// Rounds are stopped at random moments while the office publishes new editions. In the
// end every dataset exists once, with the newest edition and at most as many vintages
// as editions, and no files remain.
func TestStoppedRounds(t *testing.T) {
	const datasets = 12
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	w := newWorld(t, datasets)
	w.watch("made:*")
	editions := make([]int, datasets)
	for i := range editions {
		editions[i] = 1
	}
	for range stattest.Rounds(t, 25, 500) {
		for i := range editions {
			if random.IntN(4) == 0 {
				editions[i]++
				w.publish(fmt.Sprintf("d%d", i), editions[i])
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		var steps atomic.Int64
		last := random.Int64N(3 * datasets)
		u := w.newUpdater(func(o *update.Options) {
			o.Imports = 1 + random.IntN(3)
			o.Notify = func(update.Event) {
				if steps.Add(1) == last {
					cancel()
				}
			}
		})
		_, err := u.Sync(ctx, "made:*")
		if err != nil && ctx.Err() == nil {
			t.Fatal(err)
		}
		cancel()
		w.clean()
		if random.IntN(3) == 0 { // a restart
			w.close()
			w.open()
		}
	}
	w.sync("made:*")
	vintages := w.vintages()
	if len(vintages) != datasets {
		t.Errorf("%d datasets, want %d", len(vintages), datasets)
	}
	for i := range datasets {
		code := fmt.Sprintf("d%d", i)
		if n := vintages[code]; n == 0 || n > editions[i] {
			t.Errorf("%s has %d vintages of %d editions", code, n, editions[i])
		}
		if got := w.value(w.item("made:" + code).Dataset); got != float64(1000*editions[i]+10) {
			t.Errorf("%s: the value is %v, want edition %d", code, got, editions[i])
		}
	}
	w.clean()
}

// The next process removes the folders of a killed process, except locked ones.
func TestUnusedFolders(t *testing.T) {
	w := newWorld(t, 0)
	for _, name := range []string{"1/half", "2/half", "notes/mine"} {
		path := filepath.Join(w.staging(), name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	unlock, _, err := w.watches.Lock(2)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	w.newUpdater(func(*update.Options) {})
	left, err := os.ReadDir(w.staging())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range left {
		names = append(names, f.Name())
	}
	if got := strings.Join(names, " "); got != "2 notes" {
		t.Errorf("the folders are %s, want the locked ones and other files", got)
	}
}

// An item that another process has locked is skipped, and an import by hand
// waits a minute for it.
func TestLockedByAnotherProcess(t *testing.T) {
	w := newWorld(t, 2)
	w.watch("made:*")
	unlock, _, err := w.watches.Lock(w.item("made:d0").ID)
	if err != nil {
		t.Fatal(err)
	}
	w.wantSync(update.Summary{Items: 2, Created: 1, Postponed: 1})
	o := w.updater.Import(t.Context(), "made:d0")
	if len(o) != 1 || o[0].Status != importer.Refused || !strings.Contains(o[0].Error, "another process") || w.slept != time.Minute {
		t.Errorf("got %+v after %v, want a conflict with another process after a minute", o, w.slept)
	}
	unlock()
	if o := w.updater.Import(t.Context(), "made:d0"); len(o) != 1 || o[0].Status != importer.Created {
		t.Errorf("got %+v, want an import", o)
	}
}

// Import fetches by hand and updates the row of a watched item.
func TestImport(t *testing.T) {
	w := newWorld(t, 3)
	w.watch("made:d0")
	var reported []string
	u := w.newUpdater(func(o *update.Options) {
		o.Import = importer.Options{Report: func(o importer.Outcome) { reported = append(reported, o.File+" "+string(o.Status)) }}
	})
	outcomes := u.Import(t.Context(), "made:d0", "made:D0", "made:d1", "made:d1", "made:d7", "made:d*", "maid:d0", w.server.URL+"/data/d2.csv")
	want := []string{"made:d0 created", "made:D0 unchanged", "made:d1 created", "made:d1 unchanged", "made:d7 refused",
		"made:d* refused", "maid:d0 refused", w.server.URL + "/data/d2.csv created"}
	if strings.Join(reported, "\n") != strings.Join(want, "\n") {
		t.Errorf("the reports are\n%s\nwant\n%s", strings.Join(reported, "\n"), strings.Join(want, "\n"))
	}
	for i, o := range outcomes {
		if o.Notes == nil || o.Status == importer.Refused && !strings.HasPrefix(o.Error, strings.Fields(want[i])[0]) && !strings.HasPrefix(o.Error, `"`) {
			t.Errorf("the outcome is %+v, want notes, and an error that begins with the reference", o)
		}
	}
	if it := w.item("made:d0"); it.Dataset != outcomes[0].ID || it.Checked.IsZero() {
		t.Errorf("the item is %+v, want the result of the import", it)
	}
	if outcomes[1].ID != outcomes[0].ID || outcomes[1].Code != "d0" || outcomes[1].Version != "1.0" {
		t.Errorf("got %+v, want the stored dataset", outcomes[1])
	}
	if log := w.log("made"); len(log) != 3 {
		t.Errorf("the log is %+v, want two imports and one failure", log)
	}
	w.clean()
}

// Options stated by users take precedence, even if the office has nothing new.
func TestImportOptions(t *testing.T) {
	w := newWorld(t, 1)
	w.watch("made:d0")
	w.sync()
	u := w.newUpdater(func(o *update.Options) { o.Import = importer.Options{Name: "Mine", Source: "My Office"} })
	outcomes := u.Import(t.Context(), "made:d0")
	if len(outcomes) != 1 || outcomes[0].Error != "" {
		t.Fatalf("%+v", outcomes)
	}
	if e := w.store.Catalog().Entry(outcomes[0].ID); e == nil || e.Name != "Mine" || e.Source != "my-office" {
		t.Errorf("the stored dataset is %+v, want the stated options", e)
	}
	it := w.item("made:d0")
	if ids, err := w.watches.DatasetsOf(t.Context(), "made"); err != nil || len(ids) != 1 || ids[0] != it.Dataset || it.Dataset == outcomes[0].ID {
		t.Errorf("the datasets are %v, %v of the item %+v, want the watched one", ids, err, it)
	}
	if log := w.log("made:d0"); len(log) != 2 || log[0].Status != "created" {
		t.Errorf("the log is %+v, want two created datasets", log)
	}
	w.clean()
}

func TestInvalidOptions(t *testing.T) {
	_, err := update.New(update.Options{Imports: -1})
	for _, want := range []string{"store, watches and table of offices", "folder", "negative"} {
		if stat.KindOf(err) != stat.Invalid || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want all mistakes, including %q", err, want)
		}
	}
}

// Run makes a round when something becomes due, also if another process added it, and
// ends with its context.
func TestRun(t *testing.T) {
	w := newWorld(t, 2)
	w.watch("made:d0")
	err := w.run(
		func() bool { return w.vintages()["d0"] == 1 },
		func() bool { w.watch("made:d1"); return true }, // as another process does
		func() bool { return w.vintages()["d1"] == 1 && !w.item("made:d1").Tried.IsZero() },
		func() bool { w.publish("d0", 2); w.pass(26 * time.Hour); return true },
		func() bool { return w.vintages()["d0"] == 2 },
	)
	if v := w.vintages(); err != nil || v["d0"] != 2 || v["d1"] != 1 {
		t.Errorf("vintages %v, %v, want two of d0 and one of d1", v, err)
	}
}

// run runs an updater until all steps are done, one after another, between its
// checks for due items.
func (w *world) run(steps ...func() (done bool)) error {
	w.Helper()
	ctx, cancel := context.WithCancel(w.Context())
	defer cancel()
	u := w.newUpdater(func(o *update.Options) {
		o.Sleep = func(ctx context.Context, _ time.Duration) error {
			runtime.Gosched()
			if len(steps) > 0 && steps[0]() {
				steps = steps[1:]
			}
			if len(steps) == 0 {
				cancel()
			}
			return ctx.Err()
		}
	})
	return u.Run(ctx)
}

// A slow office does not delay the others.
func TestRunSlowOffice(t *testing.T) {
	w := newWorld(t, 2)
	slow := replay.NewFiles(nil)
	slow.SetBody("/data/slow.csv", edited(1))
	requests, answer := make(chan struct{}), make(chan struct{})
	server := replay.Serve(http.HandlerFunc(func(wr http.ResponseWriter, r *http.Request) {
		close(requests) // closing twice would panic
		<-answer
		slow.ServeHTTP(wr, r)
	}))
	defer server.Close()
	w.table = w.newTable(w.table.Offices()[slices.IndexFunc(w.table.Offices(), func(o source.Office) bool { return o.ID == "made" })],
		source.Office{ID: "slow", Name: "Slow Office", Kind: "files", Address: server.URL, Data: server.URL + "/data/{code}.csv"})
	w.updater = w.newUpdater(func(*update.Options) {})
	w.watch("slow:slow", "made:d0")
	err := w.run(
		func() bool {
			select {
			case <-requests:
				return true
			default:
				return false
			}
		},
		func() bool { return w.vintages()["d0"] == 1 },
		func() bool { w.watch("made:d1"); return true },
		func() bool { return w.vintages()["d1"] == 1 },
		func() bool { close(answer); return true },
		func() bool { return w.vintages()["slow"] == 1 },
	)
	if v := w.vintages(); err != nil || len(v) != 3 {
		t.Errorf("vintages %v, %v, want one of each", v, err)
	}
	w.clean()
}

// Patterns are expanded even if no item is due, so that Run finds new datasets.
func TestRunExpands(t *testing.T) {
	w := newWorld(t, 1)
	w.watch("made:*")
	w.sync()
	it := w.item("made:d0")
	it.Due = began.AddDate(1, 0, 0)
	if err := w.watches.Record(t.Context(), []watch.Result{{Item: it}}); err != nil {
		t.Fatal(err)
	}
	w.publish("new", 1)
	w.pass(25 * time.Hour)
	if err := w.run(func() bool { return w.vintages()["new"] == 1 }); err != nil {
		t.Fatal(err)
	}
	if w.vintages()["new"] != 1 {
		t.Error("a new dataset of a pattern was not imported")
	}
}

// Real tables of Eurostat: if nothing changed, one request for the list of
// contents saves those for each dataset.
func TestListWithTimes(t *testing.T) {
	office := eurostattest.New(stattest.DataDir(t))
	w := newWorld(t, 0)
	server := replay.Serve(office)
	defer server.Close()
	w.table = w.newTable(source.Office{ID: "eurostat", Name: "Eurostat", Kind: "eurostat", Address: server.URL + "/eurostat/api/dissemination"})
	w.updater = w.newUpdater(func(*update.Options) {})
	w.watch("eurostat:tran_r_rapa", "eurostat:ILC_PEPS13*")
	if n, err := w.updater.Watch(t.Context(), "eurostat:theme/reg_otran", 0); err != nil || n < 2 {
		t.Errorf("a theme matches %d, %v", n, err)
	}
	first := w.sync()
	if first.Created != 2 {
		t.Fatalf("the first summary is %+v, want the two replayed datasets: %+v", first, w.finished())
	}
	server.Forget()
	w.pass(25 * time.Hour)
	if second := w.sync(); second.Unchanged != 2 {
		t.Errorf("the second summary is %+v, want two unchanged", second)
	}
	if lists := server.Requests("/catalogue/"); len(lists) != 2 {
		t.Errorf("got %d requests for the list, want two: for all of it, and for the theme", len(lists))
	}
	for e, entry := range w.finished() {
		if requests := server.Requests("/data/" + strings.TrimPrefix(e, "eurostat:") + "?"); entry.Status == "unchanged" && len(requests) > 0 {
			t.Errorf("%s was requested", e)
		}
	}
}
