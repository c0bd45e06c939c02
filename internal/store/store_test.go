package store_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/stat"
	"almanac/internal/stattest"
	"almanac/internal/stattest/postgres"
	"almanac/internal/store"
)

// open opens a store that is closed when the test ends.
func open(t testing.TB, o store.Options) *store.Store {
	t.Helper()
	o.DatabaseURL = postgres.At(t, o.Dir).URL
	if b, ok := buckets[o.Dir]; ok {
		o.Blobs = b.Place()
	}
	s, err := store.Open(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// cell is an observation by codes, as tests write and compare it.
type cell struct {
	Key    [3]string // dimension, unit dimension, area
	Period string
	Value  float64 // NaN is none
	Flags  stat.Flags
	Note   string
	Unit   string
}

// publish stores cells as a dataset of two dimensions and a geography.
func publish(t testing.TB, s *store.Store, code string, cells []cell, edit ...func(*stat.Dataset)) store.Result {
	t.Helper()
	r, err := tryPublish(s, code, cells, edit...)
	if err != nil {
		t.Fatal(err)
	}
	if r.Quarantined != nil {
		t.Fatalf("quarantined: %v", r.Quarantined.Reasons)
	}
	return r
}

// replace is publish without the quarantine.
func replace(t testing.TB, s *store.Store, code string, cells []cell, edit ...func(*stat.Dataset)) store.Result {
	t.Helper()
	draft, err := prepare(s, code, cells, edit...)
	if err != nil {
		t.Fatal(err)
	}
	r, err := draft.Publish(context.Background(), store.PublishOptions{Accept: true})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func tryPublish(s *store.Store, code string, cells []cell, edit ...func(*stat.Dataset)) (store.Result, error) {
	draft, err := prepare(s, code, cells, edit...)
	if err != nil {
		return store.Result{}, err
	}
	return draft.Publish(context.Background(), store.PublishOptions{})
}

// prepare returns a complete draft.
func prepare(s *store.Store, code string, cells []cell, edit ...func(*stat.Dataset)) (*store.Draft, error) {
	d := &stat.Dataset{
		Source: stat.Source{ID: "test", Name: "Test office"}, Code: code, Name: "Table " + strings.ToLower(code),
		Dimensions: []stat.Dimension{
			{ID: "item", Label: "Item", Role: stat.RoleOther},
			{ID: "unit", Label: "Unit", Role: stat.RoleUnit},
		},
		Geography: stat.Dimension{ID: "geo", Label: "Area", Role: stat.RoleGeo}, GeographyAt: 2,
	}
	b := s.NewBuilder(d)
	for i, c := range cells {
		key := make([]int32, 3)
		for axis, dim := range d.Axes() {
			key[axis] = position(dim, c.Key[axis])
		}
		p, err := stat.ParsePeriod(c.Period)
		if err != nil {
			return nil, err
		}
		err = b.Add(stat.Observation{Key: key, Period: p, Value: c.Value, Flags: c.Flags, Note: c.Note, Unit: c.Unit, At: stat.Position{Line: i + 1, Column: 1}})
		if err != nil {
			return nil, err
		}
	}
	current, err := s.Current(context.Background(), d.Source.ID, d.Code)
	if err != nil {
		return nil, err
	}
	draft, err := b.Finish(func(dim *stat.Dimension) map[string]int32 {
		if current != nil {
			for _, axis := range current.Dataset.Axes() {
				if axis.ID == dim.ID {
					return axis.Positions()
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, dim := range d.Axes() {
		for i, c := range dim.Codes {
			dim.Codes[i].Label = "Label of " + c.ID
		}
	}
	for i, c := range d.Geography.Codes {
		d.Geography.Codes[i].Area = c.ID
	}
	for _, e := range edit {
		e(d)
	}
	return draft, nil
}

// position finds a code in a dimension and adds it if it is not there.
func position(dim *stat.Dimension, id string) int32 {
	for i, c := range dim.Codes {
		if c.ID == id {
			return int32(i)
		}
	}
	dim.Codes = append(dim.Codes, stat.Code{ID: id})
	return int32(len(dim.Codes) - 1)
}

// read returns what a query selects from a dataset, in order.
func read(t testing.TB, s *store.Store, id int, q stat.Query) []cell {
	t.Helper()
	v, err := s.Vintage(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	x, err := v.Select(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	return cellsOf(t, x, q.Flags)
}

func cellsOf(t testing.TB, x *stat.Extract, flags bool) []cell {
	t.Helper()
	var got []cell
	for b, err := range x.Blocks {
		if err != nil {
			t.Fatal(err)
		}
		for row, p := range b.Periods {
			for i := b.RowStart[row]; i < b.RowStart[row+1]; i++ {
				c := cell{Period: x.Periods[p].String(), Value: b.Value[i], Unit: b.Unit}
				for axis, code := range b.Key {
					c.Key[axis] = x.Dataset.Dimensions[axis].Codes[code].ID
				}
				c.Key[2] = x.Dataset.Geography.Codes[b.Areas[b.Area[i]]].ID
				if flags {
					c.Flags, c.Note = b.Flags[i], b.Note[i]
				}
				got = append(got, c)
			}
		}
	}
	return got
}

var sameCells = cmp.Options{cmp.Comparer(func(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || math.IsNaN(a) && math.IsNaN(b)
})}

var none = math.NaN()

var gdp = []cell{
	{Key: [3]string{"GDP", "EUR", "DE"}, Period: "2020", Value: 1, Flags: "P"},
	{Key: [3]string{"GDP", "EUR", "DE"}, Period: "2021", Value: 2},
	{Key: [3]string{"GDP", "EUR", "FR"}, Period: "2020", Value: 0},
	{Key: [3]string{"GDP", "EUR", "FR"}, Period: "2021", Value: none, Flags: "CONF_STATUS:C Q", Note: "secret"},
	{Key: [3]string{"CPI", "IDX", "DE"}, Period: "2020", Value: 100},
}

func TestReadPublished(t *testing.T) {
	onBoth(t, func(t *testing.T, h home) {
		dir := h.newDir(t)
		s := open(t, store.Options{Dir: dir})
		r := publish(t, s, "gdp", gdp)
		if r.Status != store.Created || r.Vintage.Version != "1.0" || r.Vintage.Observations != 4 || r.Vintage.Series != 3 || r.Vintage.Added != 4 {
			t.Errorf("first publication: %+v", r)
		}
		want := []cell{gdp[0], gdp[2], gdp[1], gdp[3], gdp[4]}
		if diff := cmp.Diff(want, read(t, s, r.ID, stat.Query{Flags: true}), sameCells); diff != "" {
			t.Errorf("with flags (-want +got):\n%s", diff)
		}
		again := open(t, store.Options{Dir: dir, Memory: 1})
		for range 2 { // nothing stays in memory: the file is read each time
			if diff := cmp.Diff(want, read(t, again, r.ID, stat.Query{Flags: true}), sameCells); diff != "" {
				t.Errorf("opened again (-want +got):\n%s", diff)
			}
		}
	})
}

func TestUnchangedData(t *testing.T) {
	s := open(t, store.Options{Dir: t.TempDir()})
	first := publish(t, s, "gdp", gdp)
	again := publish(t, s, "GDP", gdp, func(d *stat.Dataset) { d.Updated = time.Unix(1e9, 0) })
	if again.Status != store.Unchanged || again.ID != first.ID || again.Vintage.Version != "1.0" {
		t.Errorf("the same data under another time of update, code in capitals: %+v", again)
	}
	vintages, err := s.Vintages(context.Background(), first.ID)
	if err != nil || len(vintages) != 1 {
		t.Errorf("vintages: %v, %v", vintages, err)
	}
}

func TestChangedDataAndRestore(t *testing.T) {
	onBoth(t, func(t *testing.T, h home) {
		ctx := context.Background()
		s := open(t, store.Options{Dir: h.newDir(t)})
		id := publish(t, s, "gdp", gdp).ID
		first, err := s.Vintage(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		changed := append([]cell(nil), gdp[1:]...) // DE 2020 removed
		changed[0].Value = 2.5                     // DE 2021 revised
		changed = append(changed, cell{Key: [3]string{"GDP", "EUR", "IT"}, Period: "2021", Value: 3})
		r := replace(t, s, "gdp", changed)
		if r.Status != store.Updated || r.ID != id || r.Vintage.Version != "1.1" ||
			r.Vintage.Added != 1 || r.Vintage.Revised != 1 || r.Vintage.Removed != 1 {
			t.Errorf("changed data: %+v", r)
		}
		x, err := first.Select(ctx, stat.Query{Flags: true})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(cellsOf(t, x, true)); n != len(gdp) {
			t.Errorf("a reader of the old vintage sees %d observations, want %d", n, len(gdp))
		}
		before := read(t, s, id, stat.Query{Flags: true})
		restored, err := s.Restore(ctx, id, "1.0")
		if err != nil || restored.Vintage.Version != "1.2" {
			t.Fatalf("restoring 1.0: %+v, %v", restored, err)
		}
		want := []cell{gdp[0], gdp[2], gdp[1], gdp[3], gdp[4]}
		if diff := cmp.Diff(want, read(t, s, id, stat.Query{Flags: true}), sameCells); diff != "" {
			t.Errorf("restored (-want +got):\n%s", diff)
		}
		if cmp.Equal(want, before, sameCells) {
			t.Error("the changed vintage was equal to the first")
		}
		set, err := s.Edit(ctx, id, func(d *stat.Dataset) error { d.Curate("licence", "CC0"); return nil })
		if err != nil {
			t.Fatal(err)
		}
		if again, err := s.Restore(ctx, id, "1.1"); err != nil || again.Vintage.Version == set.Vintage.Version {
			t.Fatalf("restoring 1.1: %+v, %v", again, err)
		}
		if v, err := s.Vintage(ctx, id); err != nil || v.Dataset.Licence != "CC0" || v.Dataset.Curated["licence"] != "CC0" {
			t.Errorf("restored, the licence that a curator set is %q: %v", v.Dataset.Licence, err)
		}
		if _, err := s.Restore(ctx, id, "7.7"); stat.KindOf(err) != stat.NotFound {
			t.Errorf("restoring an unknown version: %v", err)
		}
	})
}

// Versions are 1.0, 1.1 … 1.9, 2.0. The store keeps every vintage until Prune deletes
// all but the newest.
func TestVersions(t *testing.T) {
	onBoth(t, func(t *testing.T, h home) {
		s := open(t, store.Options{Dir: h.newDir(t)})
		var last store.Result
		for i := range 12 {
			cells := append([]cell(nil), gdp...)
			cells[0].Value = float64(i)
			last = publish(t, s, "gdp", cells)
			if want := []string{"1.0", "1.1", "1.2", "1.3", "1.4", "1.5", "1.6", "1.7", "1.8", "1.9", "2.0", "2.1"}[i]; last.Vintage.Version != want {
				t.Errorf("vintage %d is %s, want %s", i+1, last.Vintage.Version, want)
			}
		}
		if last.Vintage.Version != "2.1" {
			t.Errorf("the twelfth vintage is %s, want 2.1", last.Vintage.Version)
		}
		n, err := s.Prune(context.Background(), last.ID, 2)
		if err != nil || n != 10 {
			t.Errorf("pruning to 2: %d, %v", n, err)
		}
		vintages, err := s.Vintages(context.Background(), last.ID)
		if err != nil || len(vintages) != 2 || vintages[1].Version != "2.1" {
			t.Errorf("after pruning: %+v, %v", vintages, err)
		}
	})
}

func TestDoubledKeys(t *testing.T) {
	s := open(t, store.Options{Dir: t.TempDir()})
	same := append(append([]cell(nil), gdp...), gdp[0], gdp[3])
	r := publish(t, s, "gdp", same)
	if r.Vintage.Observations != 4 {
		t.Errorf("the same observation twice: %+v", r)
	}
	other := append([]cell(nil), gdp...)
	twice := gdp[0]
	twice.Value = 9
	_, err := tryPublish(s, "gdp", append(other, twice))
	if stat.KindOf(err) != stat.Refused {
		t.Fatalf("two values at one place: %v", err)
	}
	if got, want := err.Error(), `6:1: the value 9 with flags P conflicts with the value 1 with flags P at line 1, column 1, for the same series and period: if both are right, a column that tells them apart is missing, else remove one`; got != "file:"+want {
		t.Errorf("message:\n got %s\nwant %s", got, want)
	}
	if v, _ := s.Vintages(context.Background(), r.ID); len(v) != 1 {
		t.Errorf("a refused import left %d vintages", len(v))
	}
}

// An ID is never reused. A removed dataset is not found; imported again under its code,
// in upper or lower case, it has its ID again.
func TestRemovedDatasetKeepsItsID(t *testing.T) {
	onBoth(t, func(t *testing.T, h home) {
		ctx := context.Background()
		dir := h.newDir(t)
		s := open(t, store.Options{Dir: dir})
		a, b := publish(t, s, "a", gdp), publish(t, s, "b", gdp)
		if err := s.Remove(ctx, b.ID); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Vintage(ctx, b.ID); stat.KindOf(err) != stat.NotFound {
			t.Errorf("a removed dataset: %v", err)
		}
		if c := publish(t, s, "c", gdp); c.ID == b.ID || c.ID == a.ID {
			t.Errorf("ID %d was reused", c.ID)
		}
		if back := publish(t, s, "B", gdp); back.ID != b.ID || back.Vintage.Version != "1.0" {
			t.Errorf("imported again: %+v, want ID %d", back, b.ID)
		}
	})
}

func TestRebuiltCatalog(t *testing.T) {
	onBoth(t, func(t *testing.T, h home) {
		ctx := context.Background()
		dir := h.newDir(t)
		s := open(t, store.Options{Dir: dir})
		first := publish(t, s, "gdp", gdp)
		changed := append([]cell(nil), gdp...)
		changed[0].Value = 7
		publish(t, s, "gdp", changed, func(d *stat.Dataset) { d.Description = "second" })
		gone := publish(t, s, "gone", gdp)
		if err := s.Remove(ctx, gone.ID); err != nil {
			t.Fatal(err)
		}
		publish(t, s, "other", gdp[:3])
		type state struct {
			Entries  []store.Entry
			Vintages []stat.Vintage
			Dataset  *stat.Dataset
			Default  *stat.Latest
			Cells    []cell
		}
		look := func(s *store.Store) state {
			v, err := s.Vintage(ctx, first.ID)
			if err != nil {
				t.Fatal(err)
			}
			vintages, err := s.Vintages(ctx, first.ID)
			if err != nil {
				t.Fatal(err)
			}
			return state{s.Catalog().Entries, vintages, v.Dataset, defaultOf(t, v), read(t, s, first.ID, stat.Query{Flags: true})}
		}
		want := look(s)
		s.Close()
		postgres.Drop(t, dir, "catalog")
		s = open(t, store.Options{Dir: dir})
		opt := cmp.Options{sameCells, cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".areas" || p.Last().String() == ".seq" }, cmp.Ignore()),
			cmp.AllowUnexported(store.Entry{}), cmp.Comparer(func(a, b stat.Period) bool { return a == b })}
		if diff := cmp.Diff(want, look(s), opt); diff != "" {
			t.Errorf("rebuilt (-before +after):\n%s", diff)
		}
		if r := publish(t, s, "new", gdp); r.ID <= gone.ID {
			t.Errorf("after rebuilding, a new dataset has ID %d, which was used before", r.ID)
		}
		if r := publish(t, s, "gone", gdp); r.ID != gone.ID {
			t.Errorf("the removed dataset has ID %d again, want %d", r.ID, gone.ID)
		}
	})
}

func TestAnotherProcessSeesPublications(t *testing.T) {
	dir := t.TempDir()
	writer, reader := open(t, store.Options{Dir: dir}), open(t, store.Options{Dir: dir})
	id := publish(t, writer, "gdp", gdp).ID
	stattest.Eventually(t, func() error {
		if reader.Catalog().Entry(id) == nil {
			return errors.New("the publication of another process is not listed")
		}
		return nil
	})
	if got := read(t, reader, id, stat.Query{}); len(got) != 4 {
		t.Errorf("read %d observations", len(got))
	}
}

// Other processes see a change within two seconds. The clock is that of synctest, so a
// busy machine does not fail the test.
func TestAnotherProcessSeesChangesSoon(t *testing.T) {
	dir := t.TempDir()
	id := publish(t, open(t, store.Options{Dir: dir}), "gdp", gdp).ID
	synctest.Test(t, func(t *testing.T) {
		writer, reader := open(t, store.Options{Dir: dir}), open(t, store.Options{Dir: dir})
		if err := writer.Remove(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		for removed := time.Now(); reader.Catalog().Entry(id) != nil; time.Sleep(10 * time.Millisecond) {
			if time.Since(removed) >= 2*time.Second {
				t.Fatal("a removed dataset is listed for two seconds")
			}
		}
	})
}

func TestCatalogWithAreas(t *testing.T) {
	s := open(t, store.Options{Dir: t.TempDir()})
	publish(t, s, "a", gdp)
	publish(t, s, "b", gdp[:2])
	publish(t, s, "c", gdp[2:3])
	for _, tc := range []struct {
		areas []string
		want  []int32
	}{{[]string{"DE"}, []int32{0, 1}}, {[]string{"FR"}, []int32{0, 2}}, {[]string{"FR", "DE"}, []int32{0, 1, 2}}, {[]string{"fr"}, []int32{0, 2}}, {[]string{"D"}, nil}, {nil, nil}} {
		if got := s.Catalog().With(tc.areas...); !cmp.Equal(got, tc.want) {
			t.Errorf("With(%v) = %v, want %v", tc.areas, got, tc.want)
		}
	}
}

// A published label keeps matching its first code.
func TestFormerLabels(t *testing.T) {
	ctx := context.Background()
	s := open(t, store.Options{Dir: t.TempDir()})
	relabel := func(label string) func(*stat.Dataset) {
		return func(d *stat.Dataset) { d.Dimensions[0].Codes[0].Label = label }
	}
	id := publish(t, s, "gdp", gdp, relabel("Product")).ID
	publish(t, s, "gdp", gdp, relabel("Domestic product"))
	find := func(text string) int32 {
		v, err := s.Vintage(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		pos, ok := v.Find(0, text)
		if !ok {
			return -1
		}
		return pos
	}
	for text, want := range map[string]int32{"Product": 0, "Domestic product": 0, "GDP": 0, "CPI": 1, "gdp": -1, "product": -1} {
		if got := find(text); got != want {
			t.Errorf("Find(%q) = %d, want %d", text, got, want)
		}
	}
}

// Without labels in the file, the order of the codes is that of the vintage
// before, so that rows in another order are no change.
func TestOrderOfCodesIsKept(t *testing.T) {
	s := open(t, store.Options{Dir: t.TempDir()})
	publish(t, s, "gdp", gdp)
	shuffled := []cell{gdp[4], gdp[3], gdp[1], gdp[0], gdp[2]}
	if r := publish(t, s, "gdp", shuffled); r.Status != store.Unchanged {
		t.Errorf("the same rows in another order: %+v", r)
	}
}
