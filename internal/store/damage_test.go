package store_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/stat"
	"almanac/internal/stattest/postgres"
	"almanac/internal/store"
)

// newestFile returns the file of the newest version in a store with one dataset.
func newestFile(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(filesOf(t, dir), "vintages", "0", "1", "*.parquet"))
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no files of versions: %v", err)
	}
	return files[len(files)-1]
}

// damages are what can happen to a file.
var damages = map[string]func(t *testing.T, file string){
	"a flipped byte": func(t *testing.T, file string) {
		t.Helper()
		all, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all[len(all)/4] ^= 1
		write(t, file, all)
	},
	"a shorter file": func(t *testing.T, file string) {
		t.Helper()
		all, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		write(t, file, all[:len(all)/2])
	},
	"an empty file": func(t *testing.T, file string) { write(t, file, nil) },
	"a lost file": func(t *testing.T, file string) {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	},
}

func write(t *testing.T, file string, content []byte) {
	t.Helper()
	if err := os.WriteFile(file, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

// A version whose file is damaged is replaced by the one before, once it was found by reading it, and
// says so. Importing the same data writes the same file again; another process sees it.
func TestDamagedVersion(t *testing.T) {
	onBoth(t, func(t *testing.T, h home) {
		for name, damage := range damages {
			t.Run(name, func(t *testing.T) {
				dir := h.newDir(t)
				s := open(t, store.Options{Dir: dir})
				first, second := &sheet{rows: years("DE", 10)}, &sheet{rows: years("DE", 12)}
				id := first.publish(t, s).ID
				second.publish(t, s)
				file := newestFile(t, dir)
				whole, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				damage(t, file)
				other := open(t, store.Options{Dir: dir})

				v, err := other.Vintage(t.Context(), id)
				if err != nil || v.Version != "1.1" {
					t.Fatalf("before it is read: version %v, %v", v, err)
				}
				if _, err := v.Select(t.Context(), stat.Query{}); !errors.Is(err, store.ErrDamaged) || stat.KindOf(err) != stat.Unavailable {
					t.Fatalf("reading the damaged version: %v", err)
				}
				checkCurrent(t, other, "1.0", 10)
				if v, err = other.Vintage(t.Context(), id); err != nil || !v.IsInstead() {
					t.Errorf("the version that is served does not say that it is not the current one: %v", err)
				}
				if list := other.Damages(); len(list) != 1 || list[0].ID != id || list[0].Version != "1.1" {
					t.Errorf("the damaged versions are %+v", list)
				}
				if _, err := other.VintageAt(t.Context(), id, store.At{Version: "1.0"}); err != nil {
					t.Errorf("the version before: %v", err)
				}

				r := second.publish(t, s)
				if r.Status != store.Unchanged || !r.IsRepaired || r.Vintage.Version != "1.1" {
					t.Errorf("importing the same data: %+v", r)
				}
				again, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(whole, again); diff != "" {
					t.Error("the file is not what it was")
				}
				if r := second.publish(t, s); r.IsRepaired {
					t.Error("a whole file was written again")
				}
				checkCurrent(t, s, "1.1", 12)
				for v, err := range other.Check(t.Context()) {
					if err != nil || v.Err != nil {
						t.Errorf("after the repair: %+v, %v", v, err)
					}
				}
				checkCurrent(t, other, "1.1", 12)
			})
		}
	})
}

// Data that differ from those of a damaged version are compared with the version before it, and an
// earlier version can be restored.
func TestImportAfterDamage(t *testing.T) {
	onBoth(t, func(t *testing.T, h home) {
		dir := h.newDir(t)
		s := open(t, store.Options{Dir: dir})
		id := (&sheet{rows: years("DE", 10)}).publish(t, s).ID
		(&sheet{rows: years("DE", 12)}).publish(t, s)
		damages["a flipped byte"](t, newestFile(t, dir))
		s = open(t, store.Options{Dir: dir})
		if r := (&sheet{rows: years("DE", 13)}).publish(t, s); r.Status != store.Updated || r.Vintage.Version != "1.2" || r.Vintage.Added != 3 {
			t.Errorf("importing other data: %+v", r)
		}
		checkCurrent(t, s, "1.2", 13)
		damages["a lost file"](t, newestFile(t, dir))
		s = open(t, store.Options{Dir: dir})
		if r, err := s.Restore(t.Context(), id, "1.0"); err != nil || r.Status != store.Updated || r.Vintage.Version != "1.3" {
			t.Errorf("restoring a version: %+v, %v", r, err)
		}
		checkCurrent(t, s, "1.3", 10)
	})
}

// A version that is in memory is written again from there, as soon as the damage is found.
func TestRepairFromMemory(t *testing.T) {
	onBoth(t, func(t *testing.T, h home) {
		dir := h.newDir(t)
		s := open(t, store.Options{Dir: dir})
		id := (&sheet{rows: years("DE", 10)}).publish(t, s).ID
		(&sheet{rows: years("DE", 12)}).publish(t, s)
		s = open(t, store.Options{Dir: dir})
		checkCurrent(t, s, "1.1", 12) // which reads it
		file := newestFile(t, dir)
		whole, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		damages["a flipped byte"](t, file)
		v, err := s.Vintage(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		f, err := v.File()
		if err != nil {
			t.Fatalf("downloading the damaged file: %v", err)
		}
		f.Close()
		again, err := os.ReadFile(file)
		if err != nil || !bytes.Equal(whole, again) || len(s.Damages()) != 0 {
			t.Errorf("the file is not what it was, or there are damages: %v, %v", s.Damages(), err)
		}
	})
}

// If no version can be read, requests fail with the way on, and an import of the same data helps.
func TestOnlyVersionIsDamaged(t *testing.T) {
	onBoth(t, func(t *testing.T, h home) {
		dir := h.newDir(t)
		s := open(t, store.Options{Dir: dir})
		only := &sheet{rows: years("DE", 10)}
		id := only.publish(t, s).ID
		damages["a flipped byte"](t, newestFile(t, dir))
		s = open(t, store.Options{Dir: dir})
		for range 2 {
			v, err := s.Vintage(t.Context(), id)
			if err == nil {
				_, err = v.Select(t.Context(), stat.Query{})
			}
			if !errors.Is(err, store.ErrDamaged) || stat.KindOf(err) != stat.Unavailable {
				t.Errorf("reading the only version: %v", err)
			}
		}
		if r := only.publish(t, s); !r.IsRepaired {
			t.Errorf("importing the same data: %+v", r)
		}
		checkCurrent(t, s, "1.0", 10)
	})
}

// A code list in the catalogue with another code, or without its row, is stored again from the file.
func TestDamagedCodeList(t *testing.T) {
	postgres.FilesOnly(t)
	for name, statement := range map[string]string{
		"a changed code": "UPDATE code_list SET codes = CAST(replace(codes, 'DE', 'XX') AS BLOB)",
		"lost lists":     "DELETE FROM code_list",
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			id := (&sheet{rows: years("DE", 3)}).publish(t, open(t, store.Options{Dir: dir})).ID
			db := postgres.Open(t, dir, "catalog")
			if _, err := db.Exec(statement); err != nil {
				t.Fatal(err)
			}
			for range 2 { // the second one reads what the first has stored
				v, err := open(t, store.Options{Dir: dir}).Vintage(t.Context(), id)
				if err != nil {
					t.Fatal(err)
				}
				if code := v.Dataset.Geography.Codes[0]; code.ID != "DE" || code.Label != "DE" {
					t.Errorf("the code is %+v", code)
				}
			}
			var n int
			if err := db.QueryRow("SELECT count(*) FROM code_list WHERE instr(codes, 'XX') > 0").Scan(&n); err != nil || n != 0 {
				t.Errorf("the catalogue has %d wrong lists, %v", n, err)
			}
		})
	}
}
