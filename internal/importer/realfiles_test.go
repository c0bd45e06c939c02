package importer_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sync/errgroup"

	"almanac/internal/importer"
	"almanac/internal/stat"
	"almanac/internal/stattest"
	"almanac/internal/store"
)

// bulkFile matches a row of the manifest: a Eurostat bulk file, with an independent count of
// its cells and values.
var bulkFile = regexp.MustCompile("(?m)^\\| `(eurostat/tsv-[a-z]+/[^`]+)` .*? (\\d+) cells, (\\d+) values ")

// Every Eurostat bulk file imports with the office's dictionaries, packed or not, in the old
// style and in the new. Every cell of it is accounted for.
func TestRealEurostatFiles(t *testing.T) {
	dir := stattest.DataDir(t)
	manifest, err := os.ReadFile(filepath.Join(dir, "MANIFEST.md"))
	if err != nil {
		t.Fatal(err)
	}
	counted := bulkFile.FindAllStringSubmatch(string(manifest), -1)
	if len(counted) < 15 {
		t.Fatalf("%d bulk files in the manifest, want at least 15", len(counted))
	}
	files := map[string]*realFile{}
	for _, f := range realFiles(t) {
		files[f.name] = f
	}
	for _, f := range counted {
		t.Run(f[1], func(t *testing.T) {
			stattest.SkipLargeUnderRace(t, stattest.Size(t, filepath.Join(dir, filepath.FromSlash(f[1]))))
			if files[f[1]] == nil {
				t.Fatal("the file is missing")
			}
			outcomes, geography := files[f[1]].first, files[f[1]].geography
			if len(outcomes) != 1 || outcomes[0].Status == importer.Refused {
				t.Fatalf("%+v", outcomes)
			}
			n := outcomes[0].Observations
			if n.Read != number(t, f[2]) || n.Read != n.Stored+n.Missing+n.Dropped {
				t.Errorf("%+v, want %s cells read and each of them stored, missing or dropped", n, f[2])
			}
			// The dropped cells of these files have a value, but no valid period.
			if n.Stored+n.Dropped != number(t, f[3]) {
				t.Errorf("%+v, want %s values", n, f[3])
			}
			if len(geography) == 0 {
				t.Error("the file has no areas")
			}
			for _, c := range geography {
				if c.Label == "" || c.Area == "" {
					t.Errorf("area %+v without a label or an ID", c)
				}
			}
		})
	}
}

// realFile is one of the offices' files with the results of an inspection and of two
// imports into its own store, the second with little memory, with the structures and dictionaries of its office.
type realFile struct {
	name         string // such as "eurostat/tsv-new/sdg_08_10.tsv"
	inspected    []importer.Inspection
	first, again []importer.Outcome
	geography    []stat.Code // of the first dataset that was imported
}

var readRealFiles struct {
	once  sync.Once
	files []*realFile
	err   error
}

// realFiles imports all of the offices' files, once for all tests; under the race detector
// only small ones.
func realFiles(t *testing.T) []*realFile {
	t.Helper()
	dir := stattest.DataDir(t)
	all := &readRealFiles
	all.once.Do(func() {
		all.err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Dir(path) == dir {
				return err
			}
			if info, err := entry.Info(); err != nil || stattest.IsTooLargeForRace(info.Size()) {
				return err
			}
			name, err := filepath.Rel(dir, path)
			all.files = append(all.files, &realFile{name: filepath.ToSlash(name)})
			return err
		})
		var group errgroup.Group
		group.SetLimit(runtime.GOMAXPROCS(0))
		for _, f := range all.files {
			group.Go(func() error { return f.read(dir, t.TempDir()) })
		}
		all.err = errors.Join(all.err, group.Wait())
	})
	if all.err != nil {
		t.Fatal(all.err)
	}
	return all.files
}

func (f *realFile) read(dir, folder string) error {
	ctx := context.Background()
	s, err := store.Open(ctx, store.Options{Dir: folder})
	if err != nil {
		return err
	}
	defer s.Close()
	office, _, _ := strings.Cut(f.name, "/")
	im, err := importer.New(s, importer.Options{Labels: filepath.Join(dir, office)})
	if err != nil {
		return err
	}
	path := filepath.Join(dir, filepath.FromSlash(f.name))
	f.inspected = im.Inspect(ctx, path)
	f.first = im.Import(ctx, path)
	if entries := s.Catalog().Entries; len(entries) > 0 {
		v, err := s.Vintage(ctx, entries[0].ID)
		if err != nil {
			return err
		}
		f.geography = v.Dataset.Geography.Codes
	}
	f.again, err = f.importSpilled(ctx, dir, folder)
	return err
}

// importSpilled imports the file again, with so little memory that most observations go
// through temporary files: the result must be the same.
func (f *realFile) importSpilled(ctx context.Context, dir, folder string) ([]importer.Outcome, error) {
	s, err := store.Open(ctx, store.Options{Dir: folder, ImportMemory: 64 << 10})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	office, _, _ := strings.Cut(f.name, "/")
	im, err := importer.New(s, importer.Options{Labels: filepath.Join(dir, office)})
	if err != nil {
		return nil, err
	}
	return im.Import(ctx, filepath.Join(dir, filepath.FromSlash(f.name))), nil
}

func number(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
