package update_test

import (
	"archive/zip"
	"bytes"
	"context"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"almanac/internal/importer"
	"almanac/internal/source"
	"almanac/internal/update"
	"almanac/internal/watch"
)

// Of two addresses whose files have the same name, only one updates the dataset: the
// first, and the other when the first is no longer watched.
func TestTwoReferences(t *testing.T) {
	w := newWorld(t, 0)
	a, b := w.server.URL+"/a/export.csv", w.server.URL+"/b/export.csv"
	w.files.SetBody("/a/export.csv", edited(1))
	w.files.SetBody("/b/export.csv", edited(5))
	w.watch(a, b)
	w.updater = w.newUpdater(func(o *update.Options) { o.Imports = 1 })
	w.wantSync(update.Summary{Items: 2, Created: 1, Refused: 1})
	w.files.SetBody("/a/export.csv", edited(2))
	w.files.SetBody("/b/export.csv", edited(6))
	w.pass(25 * time.Hour)
	w.wantSync(update.Summary{Items: 2, Updated: 1, Refused: 1})
	it := w.item(a)
	if other := w.item(b); other.Dataset != 0 || !strings.Contains(other.Error, "it is dataset "+strconv.Itoa(it.Dataset)) || !strings.Contains(other.Error, a) {
		t.Errorf("the second item is %+v, want that its error names the first one", other)
	}
	if o := w.updater.Import(t.Context(), b); o[0].Status != importer.Refused || w.value(it.Dataset) != 2010 {
		t.Errorf("by hand: got %+v and the value %v, want a refusal and the first one's value", o, w.value(it.Dataset))
	}
	c := w.server.URL + "/c/export.csv" // not watched
	w.files.SetBody("/c/export.csv", edited(9))
	if o := w.updater.Import(t.Context(), c); o[0].Status != importer.Refused || w.value(it.Dataset) != 2010 {
		t.Errorf("by hand, from another address: got %+v and the value %v, want a refusal and the first one's value", o, w.value(it.Dataset))
	}
	if o := w.office(""); o.LastError.After(began) {
		t.Errorf("the office is %+v, want no failure of a server", o)
	}
	if err := w.watches.Remove(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	w.pass(25 * time.Hour)
	w.wantSync(update.Summary{Items: 1, Updated: 1})
	if w.value(it.Dataset) != 6010 {
		t.Errorf("the value is %v, want the second one's", w.value(it.Dataset))
	}
	w.clean()
}

// byFile imports an edition of a dataset without a log entry.
func (w *world) byFile(code string, edition int) {
	w.Helper()
	path := filepath.Join(w.TempDir(), "file.csv")
	if err := os.WriteFile(path, []byte(edited(edition)), 0o644); err != nil {
		w.Fatal(err)
	}
	im, err := importer.New(w.store, importer.Options{Source: "Made Office", Code: code})
	if err != nil {
		w.Fatal(err)
	}
	if o := im.Import(context.Background(), path); len(o) != 1 || o[0].Error != "" {
		w.Fatalf("importing a file: %+v", o)
	}
}

// versions returns the versions in the log, the oldest first.
func (w *world) versions(ref string) (list []string) {
	w.Helper()
	for _, e := range slices.Backward(w.log(ref)) {
		list = append(list, e.Status+" "+e.Version)
	}
	return list
}

// Versions that were published without a log entry, by a killed process or by hand, get
// one when the item is next recorded, once and in order.
func TestCompleteHistory(t *testing.T) {
	w := newWorld(t, 1)
	w.byFile("d0", 1) // like a process that was killed after the import
	imported := w.clock()
	w.pass(time.Hour)
	w.watch("made:d0")
	w.sync()
	w.pass(time.Hour)
	w.byFile("d0", 2)
	w.byFile("d0", 3)
	w.publish("d0", 4)
	w.pass(25 * time.Hour)
	w.sync()
	id := w.item("made:d0").Dataset
	if _, err := w.store.Restore(t.Context(), id, "1.1"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		w.pass(8 * 24 * time.Hour)
		w.sync()
	}
	if err := w.watches.Remove(t.Context(), "made:d0"); err != nil {
		t.Fatal(err)
	}
	w.watch("made:d0")
	w.sync()
	all, err := w.store.Vintages(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for i, v := range all {
		status := "updated "
		if i == 0 {
			status = "created "
		}
		want = append(want, status+v.Version)
	}
	if got := w.versions("made:d0"); !slices.Equal(got, want) {
		t.Errorf("the log has %v, want %v", got, want)
	}
	log := w.log("made:d0")
	if first := log[len(log)-1]; !first.At.Equal(imported) || first.Added != 2*len(countries) || first.Dataset != id {
		t.Errorf("the first entry is %+v, want that of the import", first)
	}
}

// A fault of this machine's files is not the office's fault: it ends the visit,
// and everything stays due.
func TestLocalFault(t *testing.T) {
	w := newWorld(t, 30)
	w.watch("made:*")
	u := w.newUpdater(func(o *update.Options) {
		o.Notify = func(e update.Event) {
			w.record(e)
			if e.Stage == update.Fetching && e.Bytes == 0 {
				folders, _ := filepath.Glob(filepath.Join(w.staging(), "*"))
				for _, folder := range folders {
					os.RemoveAll(folder)
				}
			}
		}
	})
	s, err := u.Sync(t.Context())
	if err == nil || s != (update.Summary{Items: 30, Postponed: 30}) {
		t.Errorf("the summary is %+v, %v, want the error", s, err)
	}
	if requests := w.server.Requests("/data/"); len(requests) > 1 {
		t.Errorf("the office got %d requests, want one", len(requests))
	}
	if o := w.office("made"); !o.Until.IsZero() || o.Failing != 0 || !o.LastError.IsZero() {
		t.Errorf("the office is %+v, want no failure", o)
	}
	if o := u.Import(t.Context(), "made:d0"); len(o) != 1 || o[0].Status != importer.Refused || w.item("made:d0").Failed != 0 {
		t.Errorf("by hand: got %+v of %+v, want a refusal and no failure of the item", o, w.item("made:d0"))
	}
	w.pass(time.Minute)
	w.wantSync(update.Summary{Items: 30, Created: 30})
}

// A storage fault is not the office's fault. It ends the visit before everything is
// fetched in vain.
func TestStorageFault(t *testing.T) {
	w := newWorld(t, 30)
	w.watch("made:*")
	u := w.newUpdater(func(o *update.Options) {
		o.Imports = 1
		o.Notify = func(e update.Event) {
			if e.Stage != update.Importing {
				return
			}
			files, _ := filepath.Glob(filepath.Join(w.staging(), strconv.FormatInt(w.item(e.Ref).ID, 10), "*"))
			for _, path := range files { // a link to itself cannot be opened
				os.Remove(path)
				os.Symlink(path, path)
			}
		}
	})
	s, err := u.Sync(t.Context())
	if err == nil || s.Failed < 2 || s.Failed > 5 || s.Failed+s.Postponed != 30 {
		t.Errorf("the summary is %+v, %v, want an early end and the error", s, err)
	}
	if o := w.office("made"); !o.LastError.IsZero() {
		t.Errorf("the office is %+v, want no failure", o)
	}
	w.pass(15 * time.Second)
	w.wantSync(update.Summary{Items: 30, Created: 30})
}

// Times written by a clock that was years ahead delay nothing.
func TestWrongClock(t *testing.T) {
	w := newWorld(t, 2)
	w.watch("made:*")
	w.sync()
	ahead := began.AddDate(20, 0, 0)
	for _, ref := range []string{"made:d0", "made:d1"} {
		it := w.item(ref)
		it.Due, it.Checked, it.Tried, it.Changed = ahead, ahead, ahead, ahead
		if err := w.watches.Record(t.Context(), []watch.Result{{Item: it}}); err != nil {
			t.Fatal(err)
		}
	}
	w.wantSync(update.Summary{Items: 2, Unchanged: 2})
	if due := w.item("made:d0").Due.Sub(w.clock()); due > 25*time.Hour {
		t.Errorf("it is due in %v, want a day", due)
	}
	until := w.clock().AddDate(0, 0, 30)
	if err := w.watches.Pause(t.Context(), watch.Office{ID: "made", LastError: w.clock(), Error: "no connection", Until: until}); err != nil {
		t.Fatal(err)
	}
	w.wantSync(update.Summary{Items: 2, Unchanged: 2})
	if _, _, err := w.watches.Expand(t.Context(), "made:*", []watch.Ref{{Office: "made", Text: "made:d0"}}, ahead); err != nil {
		t.Fatal(err)
	}
	w.wantSync(update.Summary{Items: 1, Created: 0, Unchanged: 1}) // listed again, and stored before
}

// Errors of servers are stored as short texts, also if a server sends a long one.
func TestLongTexts(t *testing.T) {
	w := newWorld(t, 30)
	w.table = w.newTable(source.Office{ID: "made", Name: strings.Repeat("Männer ", 300), Kind: "files", Address: w.server.URL,
		Data: w.server.URL + "/data/{code}.csv", Contents: w.server.URL + "/list.tsv"})
	w.updater = w.newUpdater(func(*update.Options) {})
	w.watch("made:*")
	w.sync()
	w.list("d0")
	w.pass(25 * time.Hour)
	w.finished()
	w.sync()
	list, err := w.watches.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{
		"watch": list[0].Error, "log": w.log("made:*")[0].Error, "event": w.finished()["made:*"].Error,
		"outcome": w.updater.Import(t.Context(), "maid:"+strings.Repeat("x", 5000))[0].Error,
	}
	for what, text := range texts {
		if len(text) > 1000 || len(text) < 900 || !utf8.ValidString(text) || !strings.HasSuffix(text, "…") {
			t.Errorf("%s: a text of %d bytes: %.60q", what, len(text), text)
		}
	}
	w.sync()
	if log := w.log("made:*"); len(log) != 1 {
		t.Errorf("got %d entries with one reason, want one", len(log))
	}
}

func zipped(t *testing.T, names ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i, name := range names {
		file, err := z.Create(name)
		if err == nil {
			_, err = file.Write([]byte(edited(i + 1)))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A dataset that disappears from its file is reported once and still served.
func TestVanishedDataset(t *testing.T) {
	w := newWorld(t, 0)
	both := w.server.URL + "/both.zip"
	w.files.SetBody("/both.zip", zipped(t, "men.csv", "women.csv"))
	w.watch(both)
	w.wantSync(update.Summary{Items: 1, Created: 1})
	if ids, err := w.watches.DatasetsOf(t.Context(), ""); err != nil || len(ids) != 2 {
		t.Errorf("datasets %v, %v, want two", ids, err)
	}
	w.files.SetBody("/both.zip", zipped(t, "men.csv"))
	for range 2 {
		w.pass(25 * time.Hour)
		w.sync(both)
	}
	log := w.log(both)
	if len(log) != 3 || log[0].Status != "vanished" || log[0].Dataset == w.item(both).Dataset || !strings.Contains(log[0].Error, "version 1.0 is still served") {
		t.Errorf("the log is %+v, want one entry on the vanished dataset", log)
	}
	if ids, err := w.watches.DatasetsOf(t.Context(), ""); err != nil || !slices.Equal(ids, []int{w.item(both).Dataset}) {
		t.Errorf("the datasets are %v, %v, want the remaining one", ids, err)
	}
	w.files.SetBody("/both.zip", zipped(t, "men.csv", "women.csv"))
	w.pass(25 * time.Hour)
	w.sync(both)
	if ids, err := w.watches.DatasetsOf(t.Context(), ""); err != nil || len(ids) != 2 || len(w.log(both)) != 3 {
		t.Errorf("the datasets are %v, %v, with %d entries, want both again and no new entry", ids, err, len(w.log(both)))
	}
}

// The title from the list is kept for a dataset watched by name, though later
// rounds do not read the list.
func TestTitleIsKept(t *testing.T) {
	w := newWorld(t, 1)
	w.watch("made:d0")
	if s := string(w.item("made:d0").State); !strings.Contains(s, "Dataset d0") {
		t.Errorf("a new item's state is %s, want its title", s)
	}
	w.sync()
	for range 2 {
		id := w.item("made:d0").Dataset
		if e := w.store.Catalog().Entry(id); e == nil || e.Name != "Dataset d0" {
			t.Fatalf("the stored dataset is %+v, want the title", e)
		}
		if err := w.store.Remove(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		w.pass(25 * time.Hour)
		w.server.Forget()
		w.sync()
		if requests := w.server.Requests("/list"); len(requests) > 0 {
			t.Errorf("the list was requested again, although the title is known")
		}
	}
}

// An import by hand also fetches unchanged data and reports what they contain.
func TestImportAlwaysFetches(t *testing.T) {
	w := newWorld(t, 1)
	w.watch("made:d0")
	w.sync()
	w.server.Forget()
	o := w.updater.Import(t.Context(), "made:d0")
	if len(o) != 1 || o[0].Status != importer.Unchanged || o[0].Series != len(countries) || o[0].Observations.Stored != 2*len(countries) {
		t.Errorf("got %+v, want the counts of the fetched data", o)
	}
	if requests := w.server.Requests("/data/"); len(requests) != 1 || requests[0].Status != http.StatusOK {
		t.Errorf("the requests are %+v, want one unconditional one", requests)
	}
	if it := w.item("made:d0"); len(it.State) == 0 || w.versions("made:d0")[0] != "created 1.0" || len(w.log("made:d0")) != 1 {
		t.Errorf("the item is %+v, the log %v", it, w.versions("made:d0"))
	}
}
