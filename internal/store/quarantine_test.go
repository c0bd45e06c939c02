package store_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/internal/stat"
	"almanac/internal/stattest/postgres"
	"almanac/internal/store"
)

var testTime = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

var (
	whole = sheet{rows: years("DE", 10)}
	half  = sheet{rows: years("DE", 5)}
	third = sheet{rows: years("DE", 3)}
)

// quarantined publishes all values and then half of them, which are quarantined.
func quarantined(t *testing.T, dir string) (s *store.Store, id int) {
	t.Helper()
	s = open(t, store.Options{Dir: dir, Now: func() time.Time { return testTime }})
	id = whole.publish(t, s).ID
	if r := half.publish(t, s); r.Status != store.Quarantined {
		t.Fatalf("half of the values: %+v", r)
	}
	return s, id
}

// filesBelow returns the paths of the files below a folder.
func filesBelow(t *testing.T, folder ...string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(filepath.Join(folder...), func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) { // a bucket has no empty folders
			return nil
		}
		if err == nil && !e.IsDir() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// checkCurrent checks which version is current, and how many values it has.
func checkCurrent(t *testing.T, s *store.Store, version string, values int) {
	t.Helper()
	v, err := s.Vintage(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	x, err := v.Select(t.Context(), stat.Query{})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for b, err := range x.Blocks {
		if err != nil {
			t.Fatal(err)
		}
		n += len(b.Value)
	}
	if v.Version != version || n != values || v.Observations != values {
		t.Errorf("the current version is %s with %d values (%d counted), want %s with %d", v.Version, n, v.Observations, version, values)
	}
}

func listQuarantined(t *testing.T, s *store.Store) []store.QuarantinedVintage {
	t.Helper()
	list, err := s.Quarantined(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// The old vintage stays current; accept publishes the new one as the next version,
// with the changes since the old one.
func TestAccept(t *testing.T) {
	onBoth(t, func(t *testing.T, h home) {
		dir := h.newDir(t)
		s, id := quarantined(t, dir)
		checkCurrent(t, s, "1.0", 10)
		generation := s.Catalog().Generation
		other := open(t, store.Options{Dir: dir}) // as another process sees it
		list := listQuarantined(t, other)
		if len(list) != 1 || list[0].ID != id || list[0].Against != "1.0" || list[0].Observations != 5 || list[0].Removed != 5 ||
			!list[0].Since.Equal(testTime) || list[0].Lacks() != "5 of 10 values (50.0 %)" {
			t.Errorf("in quarantine: %+v", list)
		}
		if other.Catalog().Generation != generation || len(filesBelow(t, filesOf(t, dir), "vintages")) != 1 {
			t.Error("the quarantined vintage changed the catalogue or the published files")
		}
		r, err := other.Accept(t.Context(), id)
		if err != nil || r.Status != store.Updated || r.Vintage.Version != "1.1" || r.Vintage.Removed != 5 || r.Vintage.Added != 0 || r.Vintage.Revised != 0 {
			t.Fatalf("accepted: %+v, %v", r, err)
		}
		checkCurrent(t, other, "1.1", 5)
		if h, err := other.QuarantinedVintage(t.Context(), id); h != nil || err != nil || len(listQuarantined(t, other)) != 0 {
			t.Errorf("still in quarantine: %+v, %v", h, err)
		}
		if files := filesBelow(t, filesOf(t, dir), "quarantine"); len(files) != 0 {
			t.Errorf("files left in quarantine: %v", files)
		}
		if _, err := other.Accept(t.Context(), id); stat.KindOf(err) != stat.NotFound || !strings.Contains(err.Error(), "no update in quarantine") {
			t.Errorf("accepted twice: %v", err)
		}
		if r := half.publish(t, other); r.Status != store.Unchanged {
			t.Errorf("the accepted file again: %+v", r)
		}
	})
}

// Accept publishes against the version that is current then, and keeps what a
// curator has set since.
func TestAcceptAfterOtherVersions(t *testing.T) {
	s, id := quarantined(t, t.TempDir())
	edit := func(name string) {
		t.Helper()
		if _, err := s.Edit(t.Context(), id, func(d *stat.Dataset) error { d.Curate("name", name); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	edit("By hand")
	if list := listQuarantined(t, s); len(list) != 1 {
		t.Fatalf("an edit emptied the quarantine: %+v", list)
	}
	r, err := s.Accept(t.Context(), id)
	if err != nil || r.Vintage.Version != "1.2" || r.Vintage.Removed != 5 {
		t.Fatalf("accepted: %+v, %v", r, err)
	}
	v, err := s.Vintage(t.Context(), id)
	if err != nil || v.Dataset.Name != "By hand" {
		t.Errorf("the name is %q, %v", v.Dataset.Name, err)
	}
}

// A dataset has at most one vintage in quarantine: a later import that is
// quarantined replaces it, one that is published or unchanged removes it.
func TestLaterImportsReplaceTheQuarantine(t *testing.T) {
	onBoth(t, func(t *testing.T, h home) {
		more := sheet{rows: years("DE", 12)}
		for _, c := range []struct {
			name  string
			then  sheet
			want  store.Status
			lacks []string // what is in quarantine afterwards
		}{
			{"the same file", half, store.Quarantined, []string{"5 of 10 values (50.0 %)"}},
			{"another quarantined one", third, store.Quarantined, []string{"7 of 10 values (70.0 %)"}},
			{"one that is published", more, store.Updated, nil},
			{"the current version", whole, store.Unchanged, nil},
		} {
			t.Run(c.name, func(t *testing.T) {
				dir := h.newDir(t)
				s, id := quarantined(t, dir)
				before := filesBelow(t, filesOf(t, dir), "quarantine")
				if r := c.then.publish(t, s); r.Status != c.want {
					t.Errorf("%+v, want %s", r, c.want)
				}
				var lacks []string
				for _, h := range listQuarantined(t, s) {
					lacks = append(lacks, h.Lacks())
				}
				files := filesBelow(t, filesOf(t, dir), "quarantine")
				if !slices.Equal(lacks, c.lacks) || len(files) != len(c.lacks) {
					t.Errorf("in quarantine %q, files %v, want %q", lacks, files, c.lacks)
				}
				if c.name == "the same file" && !slices.Equal(files, before) {
					t.Errorf("it was stored twice: %v, then %v", before, files)
				}
				if len(c.lacks) == 0 {
					if _, err := s.Accept(t.Context(), id); stat.KindOf(err) != stat.NotFound {
						t.Errorf("accepting what was replaced: %v", err)
					}
				}
			})
		}
	})
}

// Rejected data are deleted, and the same data are not quarantined again.
func TestReject(t *testing.T) {
	onBoth(t, func(t *testing.T, h home) {
		dir := h.newDir(t)
		s, id := quarantined(t, dir)
		if h, err := s.Reject(t.Context(), id); err != nil || h.Observations != 5 {
			t.Fatalf("rejected: %+v, %v", h, err)
		}
		checkEmpty := func() {
			t.Helper()
			checkCurrent(t, s, "1.0", 10)
			if list, files := listQuarantined(t, s), filesBelow(t, filesOf(t, dir), "quarantine"); len(list)+len(files) != 0 {
				t.Errorf("after it was rejected there are %+v, %v", list, files)
			}
		}
		checkEmpty()
		again := half.publish(t, s)
		if again.Status != store.Quarantined || !again.Quarantined.Rejected || !again.Quarantined.Since.Equal(testTime) {
			t.Errorf("the rejected data again: %+v", again)
		}
		checkEmpty()
		for what, do := range map[string]func() error{
			"accepting": func() error { _, err := s.Accept(t.Context(), id); return err },
			"rejecting": func() error { _, err := s.Reject(t.Context(), id); return err },
		} {
			if err := do(); stat.KindOf(err) != stat.NotFound || !strings.Contains(err.Error(), "rejected on 2026-11-21") || !strings.Contains(err.Error(), "--accept") {
				t.Errorf("%s a rejected vintage: %v", what, err)
			}
		}
		if r := third.publish(t, s); r.Status != store.Quarantined || r.Quarantined.Rejected {
			t.Errorf("other data: %+v", r)
		}
		if r, err := half.draft(t, s).Publish(t.Context(), store.PublishOptions{Accept: true}); err != nil || r.Status != store.Updated || len(listQuarantined(t, s)) != 0 {
			t.Errorf("accepted import of rejected data: %+v, %v", r, err)
		}
	})
}

func TestQuarantineOfUnknownDataset(t *testing.T) {
	s, id := quarantined(t, t.TempDir())
	if _, err := s.Accept(t.Context(), 99); stat.KindOf(err) != stat.NotFound {
		t.Errorf("accepting for an unknown dataset: %v", err)
	}
	if err := s.Remove(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Accept(t.Context(), id); stat.KindOf(err) != stat.NotFound {
		t.Errorf("accepting for a removed dataset: %v", err)
	}
}

func TestRemoveEmptiesTheQuarantine(t *testing.T) {
	onBoth(t, func(t *testing.T, h home) {
		dir := h.newDir(t)
		s, id := quarantined(t, dir)
		if err := s.Remove(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		if list, files := listQuarantined(t, s), filesBelow(t, filesOf(t, dir), "quarantine"); len(list)+len(files) != 0 {
			t.Errorf("after the dataset was removed there are %+v, %v", list, files)
		}
		if r := half.publish(t, s); r.Status != store.Created || r.ID != id {
			t.Errorf("imported after it was removed: %+v", r)
		}
	})
}

// A crash leaves at most a file without a row, which the next import of the dataset
// deletes. A missing file is an error until the dataset is imported again.
func TestOrphansInQuarantine(t *testing.T) {
	dir := t.TempDir()
	s, id := quarantined(t, dir)
	orphan := filepath.Join(dir, "quarantine", "0", "1", "orphan.parquet")
	for _, next := range []sheet{third, {rows: years("DE", 11)}} {
		if err := os.WriteFile(orphan, []byte("left"), 0o644); err != nil {
			t.Fatal(err)
		}
		next.publish(t, s)
		if files := filesBelow(t, dir, "quarantine"); slices.Contains(files, orphan) || len(files) != len(listQuarantined(t, s)) {
			t.Errorf("in quarantine there are %v", files)
		}
	}
	half.publish(t, s)
	if err := os.Remove(filesBelow(t, dir, "quarantine")[0]); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Accept(t.Context(), id); stat.KindOf(err) != stat.NotFound || !strings.Contains(err.Error(), "import it again") {
		t.Errorf("accepting a missing file: %v", err)
	}
	half.publish(t, s)
	if r, err := s.Accept(t.Context(), id); err != nil || r.Vintage.Observations != 5 {
		t.Errorf("accepted after it was imported again: %+v, %v", r, err)
	}
}

// A catalogue rebuilt from the files keeps the vintages in quarantine, does not list
// them as published, and skips files that are damaged or were accepted.
func TestRebuildKeepsTheQuarantine(t *testing.T) {
	onBoth(t, func(t *testing.T, h home) {
		dir := h.newDir(t)
		s, id := quarantined(t, dir)
		want := listQuarantined(t, s)
		file, err := os.ReadFile(filesBelow(t, filesOf(t, dir), "quarantine")[0])
		if err != nil {
			t.Fatal(err)
		}
		again := rebuilt(t, s, dir)
		checkCurrent(t, again, "1.0", 10)
		if got := listQuarantined(t, again); len(got) != 1 || got[0].Lacks() != want[0].Lacks() || got[0].ID != id || !got[0].Since.Equal(want[0].Since) {
			t.Errorf("in quarantine after rebuilding: %+v, want %+v", got, want)
		}
		if r, err := again.Accept(t.Context(), id); err != nil || r.Vintage.Version != "1.1" {
			t.Fatalf("accepted after rebuilding: %+v, %v", r, err)
		}
		folder := filepath.Join(filesOf(t, dir), "quarantine", "0", "1")
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		for name, body := range map[string][]byte{"accepted.parquet": file, "damaged.parquet": file[:100]} {
			if err := os.WriteFile(filepath.Join(folder, name), body, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		again = rebuilt(t, again, dir)
		checkCurrent(t, again, "1.1", 5)
		if got := listQuarantined(t, again); len(got) != 0 {
			t.Errorf("the accepted vintage is in quarantine again: %+v", got)
		}
	})
}

// rebuilt closes a store and opens it without its catalogue.
func rebuilt(t *testing.T, s *store.Store, dir string) *store.Store {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	postgres.Drop(t, dir, "catalog")
	return open(t, store.Options{Dir: dir})
}

// Processes that quarantine, accept and reject at once leave a consistent state: the
// current vintage and the one in quarantine have their files.
func TestQuarantineTogether(t *testing.T) {
	dir := t.TempDir()
	quarantined(t, dir)
	openTogether(t, dir, 6, func(i int, s *store.Store) error {
		var err error
		switch i % 3 {
		case 0:
			_, err = s.Accept(t.Context(), 1)
		case 1:
			_, err = s.Reject(t.Context(), 1)
		default:
			_, err = third.draft(t, s).Publish(t.Context(), store.PublishOptions{})
		}
		if kind := stat.KindOf(err); err != nil && kind != stat.NotFound && kind != stat.Conflict {
			return err
		}
		return nil
	})
	s := open(t, store.Options{Dir: dir})
	v, err := s.Vintage(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	checkCurrent(t, s, v.Version, v.Observations)
	if list, files := listQuarantined(t, s), filesBelow(t, dir, "quarantine"); len(list) != len(files) {
		t.Errorf("%d vintages in quarantine with the files %v", len(list), files)
	}
}
