package update_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/internal/database"
	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/source/offices"
	"almanac/internal/source/replay"
	"almanac/internal/source/sourcetest"
	"almanac/internal/stat"
	"almanac/internal/store"
	"almanac/internal/update"
	"almanac/internal/watch"
)

// world is an installation and an office of plain files that it watches.
type world struct {
	testing.TB
	files  *replay.Files // of the office "made"
	server *replay.Server
	table  *offices.Table

	dir     string
	store   *store.Store
	watches *watch.DB
	updater *update.Updater

	mu     sync.Mutex
	now    time.Time
	slept  time.Duration
	events []update.Event
	codes  []string // that the office lists
}

var began = time.Date(2025, 3, 1, 12, 0, 0, 0, time.UTC)

// newWorld creates an office with datasets d0, d1, …, and an installation that
// watches nothing yet.
func newWorld(t testing.TB, datasets int) *world {
	t.Helper()
	w := &world{TB: t, files: replay.NewFiles(nil), dir: t.TempDir(), now: began}
	w.server = replay.Serve(w.files)
	t.Cleanup(w.server.Close)
	for i := range datasets {
		w.publish(fmt.Sprintf("d%d", i), 1)
	}
	w.table = w.newTable(source.Office{
		ID: "made", Name: "Made Office", Kind: "files", Address: w.server.URL, Data: w.server.URL + "/data/{code}.csv",
		Contents: w.server.URL + "/list.tsv",
	})
	w.open()
	t.Cleanup(w.close)
	return w
}

func (w *world) newTable(own ...source.Office) *offices.Table {
	w.Helper()
	return sourcetest.NewTable(w, fetch.Options{Now: w.clock, Sleep: w.sleep}, own...)
}

func (w *world) open() {
	w.Helper()
	var err error
	if w.store, err = store.Open(context.Background(), store.Options{Dir: w.dir, Now: w.clock}); err != nil {
		w.Fatal(err)
	}
	if w.watches, err = watch.Open(context.Background(), database.Location{Dir: w.dir}); err != nil {
		w.Fatal(err)
	}
	w.updater = w.newUpdater(func(*update.Options) {})
}

func (w *world) close() {
	w.Helper()
	if err := w.watches.Close(); err != nil {
		w.Error(err)
	}
	if err := w.store.Close(); err != nil {
		w.Error(err)
	}
}

func (w *world) newUpdater(change func(*update.Options)) *update.Updater {
	w.Helper()
	o := update.Options{
		Store: w.store, Watches: w.watches, Sources: w.table, Dir: w.staging(),
		Now: w.clock, Sleep: w.sleep, Rand: func() float64 { return 0.5 }, Notify: w.record,
	}
	change(&o)
	k, err := update.New(o)
	if err != nil {
		w.Fatal(err)
	}
	return k
}

func (w *world) staging() string { return filepath.Join(w.dir, "sync") }

func (w *world) clock() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

// sleep advances the clock at once.
func (w *world) sleep(ctx context.Context, d time.Duration) error {
	w.pass(d)
	w.mu.Lock()
	w.slept += d
	w.mu.Unlock()
	return ctx.Err()
}

func (w *world) pass(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(d)
}

func (w *world) record(e update.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events = append(w.events, e)
}

// finished returns the entries finished since the last call, by reference.
func (w *world) finished() map[string]watch.Entry {
	w.mu.Lock()
	defer w.mu.Unlock()
	entries := map[string]watch.Entry{}
	for _, e := range w.events {
		if e.Entry != nil {
			entries[e.Ref] = *e.Entry
		}
	}
	w.events = nil
	return entries
}

// publish publishes an edition of a dataset: values of 20 countries in two
// years, with the codes of the list.
func (w *world) publish(code string, edition int) {
	w.files.SetBody("/data/"+code+".csv", edited(edition))
	if !slices.Contains(w.codes, code) {
		w.list(append(w.codes, code)...)
	}
}

var countries = strings.Fields("AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL")

func edited(edition int) string {
	var b strings.Builder
	b.WriteString("Country,Year,Value\n")
	for i, country := range countries {
		fmt.Fprintf(&b, "%s,2022,%d\n%s,2023,%d\n", country, 1000+i, country, 1000*edition+i)
	}
	return b.String()
}

// list publishes the list of the office's datasets.
func (w *world) list(codes ...string) {
	w.codes = codes
	var b strings.Builder
	for _, code := range codes {
		fmt.Fprintf(&b, "%s\tDataset %s\n", code, code)
	}
	w.files.SetBody("/list.tsv", b.String())
}

func (w *world) watch(refs ...string) {
	w.Helper()
	for _, ref := range refs {
		if _, err := w.updater.Watch(w.Context(), ref, 0); err != nil {
			w.Fatal(err)
		}
	}
}

func (w *world) sync(refs ...string) update.Summary {
	w.Helper()
	s, err := w.updater.Sync(w.Context(), refs...)
	if err != nil {
		w.Fatal(err)
	}
	return s
}

// wantSync makes a round and checks its summary.
func (w *world) wantSync(want update.Summary, refs ...string) {
	w.Helper()
	if got := w.sync(refs...); got != want {
		w.Errorf("the summary is %+v, want %+v", got, want)
	}
}

func (w *world) item(ref string) watch.Item {
	w.Helper()
	items, err := w.watches.Items(w.Context(), ref)
	if err != nil || len(items) != 1 {
		w.Fatalf("got %d items %s, %v, want one", len(items), ref, err)
	}
	return items[0]
}

// vintages returns the number of vintages of each dataset, by code.
func (w *world) vintages() map[string]int {
	w.Helper()
	numbers := map[string]int{}
	for _, e := range w.store.Catalog().Entries {
		list, err := w.store.Vintages(context.Background(), e.ID)
		if err != nil {
			w.Fatal(err)
		}
		numbers[e.Code] += len(list)
	}
	return numbers
}

// value returns the value of a dataset for Germany and 2023, its latest year.
func (w *world) value(dataset int) float64 {
	w.Helper()
	v, err := w.store.Vintage(context.Background(), dataset)
	if err != nil {
		w.Fatal(err)
	}
	latest, err := v.LatestOf(nil, stat.LatestLast)
	if err != nil {
		w.Fatal(err)
	}
	for i, area := range latest.Areas {
		if v.Dataset.Geography.Codes[area].ID == "DE" {
			return latest.Values[i]
		}
	}
	w.Fatalf("dataset %d has no value of Germany", dataset)
	return 0
}

func (w *world) log(of string) []watch.Entry {
	w.Helper()
	entries, err := w.watches.Log(w.Context(), of, 1000)
	if err != nil {
		w.Fatal(err)
	}
	return entries
}

// clean checks that no downloads are left over.
func (w *world) clean() {
	w.Helper()
	left, err := os.ReadDir(w.staging())
	if err != nil || len(left) > 0 {
		w.Errorf("%d folders of downloads are left, %v", len(left), err)
	}
}

func (w *world) office(id string) watch.Office {
	w.Helper()
	offices, err := w.watches.Offices(w.Context())
	if err != nil {
		w.Fatal(err)
	}
	i := slices.IndexFunc(offices, func(o watch.Office) bool { return o.ID == id })
	if i < 0 {
		w.Fatalf("nothing is known of %s", id)
	}
	return offices[i]
}
