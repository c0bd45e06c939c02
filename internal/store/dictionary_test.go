package store_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"almanac/internal/stat"
	"almanac/internal/stattest/postgres"
	"almanac/internal/store"
)

// listText writes a code list as "version: A Annual, M Monthly".
func listText(l *stat.CodeList) string {
	if l == nil {
		return "none"
	}
	var codes []string
	for _, c := range l.Codes {
		codes = append(codes, c.ID+" "+c.Label)
	}
	return l.Version + ": " + strings.Join(codes, ", ")
}

// listOf returns a list of a version with codes such as "A Annual, M Monthly".
func listOf(version, codes string) *stat.CodeList {
	l := &stat.CodeList{Name: "CL_FREQ", Version: version}
	for part := range strings.SplitSeq(codes, ", ") {
		id, label, _ := strings.Cut(part, " ")
		l.Codes = append(l.Codes, stat.Code{ID: id, Label: label})
	}
	return l
}

func updateOf(lists ...*stat.CodeList) store.DictionaryUpdate {
	d := stat.NewDictionary("ecb")
	for _, l := range lists {
		d.Lists[stat.ListName(l.Name)] = l
	}
	return store.DictionaryUpdate{Dictionary: d}
}

// Lists of one name are merged: each code has its newest label, and the order is that
// of the newest complete list. A partial list removes no codes. The lists are the same
// when the store is opened again.
func TestMergedLists(t *testing.T) {
	dir := t.TempDir()
	s := openAt(t, dir)
	part := listOf("3.0", "Q Quarterly (3.0)")
	part.Partial = true
	for _, step := range []struct {
		list *stat.CodeList
		want string
	}{
		{listOf("1.0", "M Monthly, A Yearly"), "1.0: M Monthly, A Yearly"},
		{listOf("2.0", "A Annual, Q Quarterly"), "2.0: A Annual, Q Quarterly, M Monthly"},
		{listOf("1.0", "M Of the month, A Old"), "2.0: A Annual, Q Quarterly, M Of the month"},
		{part, "3.0: A Annual, Q Quarterly (3.0), M Of the month"},
		{listOf("2.0", "A Annual").Only(func(string) bool { return true }), "3.0: A Annual, Q Quarterly (3.0), M Of the month"},
	} {
		if err := s.UpdateDictionary(t.Context(), "ecb", updateOf(step.list)); err != nil {
			t.Fatal(err)
		}
		for _, again := range []*store.Store{s, openAt(t, dir)} {
			known, err := again.Dictionary(t.Context(), "ecb")
			if err != nil {
				t.Fatal(err)
			}
			if got := listText(known.Lists["freq"]); got != step.want || known.Lists["freq"].Grown {
				t.Errorf("%s, want %s", got, step.want)
			}
		}
	}
	if other, err := s.Dictionary(t.Context(), "bis"); err != nil || len(other.Lists) != 0 {
		t.Errorf("the dictionary of another office has %v (%v)", other.Lists, err)
	}
}

func openAt(t *testing.T, dir string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), store.Options{Dir: dir, DatabaseURL: postgres.At(t, dir).URL})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// An update that changes nothing is not written.
func TestUnchangedDictionary(t *testing.T) {
	dir := t.TempDir()
	s := openAt(t, dir)
	update := updateOf(listOf("1.0", "M Monthly, A Yearly"))
	update.Dictionary.Structures["exr"] = &stat.Structure{ID: "EXR", Dimensions: []stat.Component{{ID: "FREQ", List: "CL_FREQ"}}}
	update.Dictionary.Concepts["freq"] = "Frequency"
	update.Dataset, update.Labels = "EXR", map[string]map[string]string{"FREQ": {"A": "annual"}}
	revision := func() (n int64) {
		db := postgres.Open(t, dir, "catalog")
		if err := db.QueryRow("SELECT revision FROM dictionary WHERE source = 'ecb'").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	for range 3 {
		if err := s.UpdateDictionary(t.Context(), "ecb", update); err != nil {
			t.Fatal(err)
		}
		if n := revision(); n != 1 {
			t.Errorf("revision %d, want 1", n)
		}
	}
	known, err := openAt(t, dir).Dictionary(t.Context(), "ecb")
	if err != nil {
		t.Fatal(err)
	}
	if known.Structure("exr").Dimensions[0].List != "CL_FREQ" || known.Concepts["freq"] != "Frequency" || known.LabelInFiles("freq", "A") != "annual" {
		t.Errorf("the dictionary is %+v, want the stored one", known)
	}
}

// A label from data files is used as long as all datasets agree. Its only dataset may
// change it. Once two datasets differ, it stays unknown.
func TestLabelsInFiles(t *testing.T) {
	s := openAt(t, t.TempDir())
	for i, step := range []struct{ dataset, label, want string }{
		{"a", "Total", "Total"},
		{"a", "All", "All"},
		{"b", "All", "All"},
		{"a", "Total", ""},
		{"b", "Total", ""},
		{"a", "Total", ""},
	} {
		err := s.UpdateDictionary(t.Context(), "ecb", store.DictionaryUpdate{Dataset: step.dataset, Labels: map[string]map[string]string{"SEX": {"T": step.label}}})
		if err != nil {
			t.Fatal(err)
		}
		known, err := s.Dictionary(t.Context(), "ecb")
		if got := known.LabelInFiles("sex", "T"); err != nil || got != step.want {
			t.Errorf("step %d: %q (%v), want %q", i+1, got, err, step.want)
		}
	}
}

// Several stores on one directory update a dictionary at once and lose nothing.
func TestUpdatesAtOnce(t *testing.T) {
	dir := t.TempDir()
	var wait sync.WaitGroup
	want := map[string]string{}
	for n := range 4 {
		s := openAt(t, dir)
		for i := range 5 {
			want[fmt.Sprintf("c%d-%d", n, i)] = "Concept"
		}
		wait.Go(func() {
			for i := range 5 {
				update := updateOf(listOf("1.0", fmt.Sprintf("%d-%d Code", n, i)))
				update.Dictionary.Concepts[fmt.Sprintf("c%d-%d", n, i)] = "Concept"
				update.Dataset, update.Labels = fmt.Sprint(n), map[string]map[string]string{"sex": {"T": fmt.Sprint(n)}}
				if err := s.UpdateDictionary(t.Context(), "ecb", update); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	known, err := openAt(t, dir).Dictionary(t.Context(), "ecb")
	if err != nil {
		t.Fatal(err)
	}
	if !maps.Equal(known.Concepts, want) || len(known.Lists["freq"].Codes) != 20 || known.LabelInFiles("sex", "T") != "" {
		t.Errorf("%d concepts, %d codes, label %q; want 20, 20 and none: the datasets differ", len(known.Concepts), len(known.Lists["freq"].Codes), known.LabelInFiles("sex", "T"))
	}
}

// A catalogue of schema version 1, without dictionaries, gets their tables.
func TestOldCatalogGetsDictionaries(t *testing.T) {
	postgres.FilesOnly(t)
	dir := t.TempDir()
	openAt(t, dir).Close()
	db := postgres.Open(t, dir, "catalog")
	var tables []string
	rows, err := db.Query("SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'dictionary%'")
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		tables = append(tables, name)
	}
	rows.Close()
	slices.Sort(tables)
	for _, name := range tables {
		if _, err := db.Exec("DROP TABLE " + name); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := db.Exec("ALTER TABLE vintage DROP COLUMN changed; ALTER TABLE description DROP COLUMN next_update; PRAGMA user_version = 1"); err != nil {
		t.Fatal(err)
	}
	db.Close()
	s := openAt(t, dir)
	if err := s.UpdateDictionary(t.Context(), "ecb", updateOf(listOf("1.0", "A Annual"))); err != nil || len(tables) != 8 {
		t.Errorf("updating a dictionary after %q were dropped: %v", tables, err)
	}
}

// BenchmarkUpdateDictionary measures an import whose code lists are known.
func BenchmarkUpdateDictionary(b *testing.B) {
	s, err := store.Open(b.Context(), store.Options{Dir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	geo := &stat.CodeList{Name: "geo", Version: "0.2021"}
	for i := range 4000 {
		geo.Codes = append(geo.Codes, stat.Code{ID: fmt.Sprint("AREA", i), Label: fmt.Sprint("Area ", i)})
	}
	n := 0
	for b.Loop() {
		n++
		update := updateOf(geo.Only(func(id string) bool { return len(id)%3 == 0 }))
		update.Dictionary.Structures[fmt.Sprint("d", n)] = &stat.Structure{ID: fmt.Sprint("D", n), Dimensions: []stat.Component{{ID: "geo"}}}
		if err := s.UpdateDictionary(b.Context(), "ecb", update); err != nil {
			b.Fatal(err)
		}
	}
}

// A structure that names code lists, itself or through the structure that it uses,
// is replaced only by another that names lists.
func TestStructureKeepsItsLists(t *testing.T) {
	dims := func(list string, ids ...string) (all []stat.Component) {
		for _, id := range ids {
			all = append(all, stat.Component{ID: id, List: list})
		}
		return all
	}
	dir := t.TempDir()
	s := openAt(t, dir)
	for i, step := range []struct {
		structure *stat.Structure
		want      string // of EXR
	}{
		{&stat.Structure{ID: "EXR", Dimensions: dims("", "AGE")}, " AGE in "},
		{&stat.Structure{ID: "EXR_DSD", Dimensions: dims("CL_FREQ", "FREQ")}, " AGE in "},
		{&stat.Structure{ID: "EXR", Uses: "EXR_DSD"}, " FREQ in CL_FREQ"},
		{&stat.Structure{ID: "EXR", Dimensions: dims("", "AGE"), Title: "Rates"}, "Rates FREQ in CL_FREQ"},
		{&stat.Structure{ID: "EXR_DSD", Dimensions: dims("", "AGE")}, "Rates FREQ in CL_FREQ"},
		{&stat.Structure{ID: "EXR", Uses: "UNKNOWN"}, "Rates FREQ in CL_FREQ"},
		{&stat.Structure{ID: "EXR", Dimensions: dims("CL_SEX", "SEX")}, "Rates SEX in CL_SEX"},
		{&stat.Structure{ID: "EXR", Dimensions: dims("", "SEX", "AGE")}, "Rates SEX in CL_SEX"},
	} {
		d := stat.NewDictionary("ecb")
		d.Structures[strings.ToLower(step.structure.ID)] = step.structure
		if err := s.UpdateDictionary(t.Context(), "ecb", store.DictionaryUpdate{Dictionary: d}); err != nil {
			t.Fatal(err)
		}
		for _, again := range []*store.Store{s, openAt(t, dir)} {
			known, err := again.Dictionary(t.Context(), "ecb")
			if err != nil {
				t.Fatal(err)
			}
			got := "none"
			if known := known.Structure("exr"); known != nil {
				got = known.Title
				for _, dim := range known.Dimensions {
					got += " " + dim.ID + " in " + dim.List
				}
			}
			if got != step.want {
				t.Errorf("step %d: %q, want %q", i+1, got, step.want)
			}
		}
	}
}
