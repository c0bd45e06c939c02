package store_test

import (
	"os"
	"path/filepath"
	"testing"

	"almanac/internal/stattest/postgres"
	"almanac/internal/stattest/s3"
)

func TestMain(m *testing.M) { os.Exit(s3.Run(besidePostgres{m})) }

// besidePostgres are the tests of the package, beside a PostgreSQL server.
type besidePostgres struct{ *testing.M }

func (m besidePostgres) Run() int { return postgres.Run(m.M) }

// buckets are those of stores whose files are not in their data directories.
var buckets = map[string]s3.Bucket{}

// home is a kind of store: whether its files are in a bucket.
type home struct{ inBucket bool }

// onBoth runs a test with each kind of store.
func onBoth(t *testing.T, test func(t *testing.T, h home)) {
	t.Run("in the data directory", func(t *testing.T) { test(t, home{}) })
	t.Run("in a bucket", func(t *testing.T) { test(t, home{inBucket: true}) })
}

// newDir returns an empty data directory.
func (h home) newDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if h.inBucket {
		buckets[dir] = s3.NewBucket(t)
	}
	return dir
}

// removeFiles removes the files of a store below a folder.
func removeFiles(t *testing.T, dir, folder string) {
	t.Helper()
	if b, ok := buckets[dir]; ok {
		b.Remove(t, "test/"+folder)
	} else if err := os.RemoveAll(filepath.Join(dir, folder)); err != nil {
		t.Fatal(err)
	}
}

// filesOf returns the folder with the files of the store in a data directory. It deletes copies of them.
func filesOf(t *testing.T, dir string) string {
	t.Helper()
	b, ok := buckets[dir]
	if !ok {
		return dir
	}
	for _, name := range []string{"vintages", "quarantine", "charts"} {
		if err := os.RemoveAll(filepath.Join(dir, "blobs", name)); err != nil {
			t.Fatal(err)
		}
	}
	return b.Path("test")
}
