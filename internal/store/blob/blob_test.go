package blob_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"almanac/internal/stattest/s3"
	"almanac/internal/store/blob"
)

func stage(t *testing.T, d blob.Store, text string) blob.Staged {
	t.Helper()
	s, err := d.Stage(func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func read(t *testing.T, d blob.Store, key string) string {
	t.Helper()
	b, err := d.Open(t.Context(), key, blob.Whole)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	text := make([]byte, b.Size)
	if _, err := b.ReadAt(text, 0); err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestMain(m *testing.M) { os.Exit(s3.Run(m)) }

// onBoth runs a test with an empty store of each kind.
func onBoth(t *testing.T, test func(t *testing.T, d blob.Store)) {
	t.Run("Dir", func(t *testing.T) {
		d, err := blob.OpenDir(t.TempDir(), time.Now())
		if err != nil {
			t.Fatal(err)
		}
		test(t, d)
	})
	t.Run("S3", func(t *testing.T) { test(t, openS3(t, s3.NewBucket(t).Place(), t.TempDir(), 1<<20)) })
}

func openS3(t *testing.T, address, dir string, cache int64) *blob.S3 {
	t.Helper()
	place, err := blob.ParsePlace(address)
	if err != nil {
		t.Fatal(err)
	}
	b, err := blob.OpenBucket(blob.BucketOptions{Place: place, Dir: dir, Cache: cache, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	return b.Folder("vintages")
}

func TestSaveAs(t *testing.T) {
	onBoth(t, func(t *testing.T, d blob.Store) {
		first := stage(t, d, "one")
		if keys, err := d.List(""); err != nil || len(keys) != 0 {
			t.Errorf("a staged blob is listed: %v, %v", keys, err)
		}
		if err := first.SaveAs("1/a.parquet"); err != nil {
			t.Fatal(err)
		}
		if got := read(t, d, "1/a.parquet"); got != "one" {
			t.Errorf("read %q", got)
		}
		if err := stage(t, d, "two").SaveAs("1/a.parquet"); err != nil {
			t.Fatal(err)
		}
		if got := read(t, d, "1/a.parquet"); got != "one" {
			t.Errorf("an existing blob was replaced: it contains %q", got)
		}
		stage(t, d, "three").Discard()
		if err := stage(t, d, "four").SaveAs("2/b.parquet"); err != nil {
			t.Fatal(err)
		}
		for prefix, want := range map[string][]string{"": {"1/a.parquet", "2/b.parquet"}, "2/": {"2/b.parquet"}, "3/": nil} {
			if keys, err := d.List(prefix); err != nil || !slices.Equal(keys, want) {
				t.Errorf("List(%q) = %v, %v; want %v", prefix, keys, err, want)
			}
		}
	})
}

func TestFailedWrite(t *testing.T) {
	onBoth(t, func(t *testing.T, d blob.Store) {
		full := errors.New("disk full")
		if _, err := d.Stage(func(io.Writer) error { return full }); !errors.Is(err, full) {
			t.Errorf("Stage = %v", err)
		}
		if keys, err := d.List(""); err != nil || len(keys) != 0 {
			t.Errorf("left behind: %v, %v", keys, err)
		}
	})
}

func TestDelete(t *testing.T) {
	onBoth(t, func(t *testing.T, d blob.Store) {
		if err := stage(t, d, "one").SaveAs("a"); err != nil {
			t.Fatal(err)
		}
		for range 2 { // a missing blob is not an error
			if err := d.Delete("a"); err != nil {
				t.Error(err)
			}
		}
		if _, err := d.Open(t.Context(), "a", blob.Whole); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("a deleted blob can be opened: %v", err)
		}
	})
}

func TestOpenDirDeletesOldStagedFiles(t *testing.T) {
	dir := t.TempDir()
	staging := filepath.Join(dir, ".staging")
	if err := os.MkdirAll(staging, 0o755); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	for name, age := range map[string]time.Duration{"left": 2 * time.Hour, "being-written": time.Minute} {
		file := filepath.Join(staging, name)
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, now, now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := blob.OpenDir(dir, now); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(staging)
	if err != nil || len(entries) != 1 || entries[0].Name() != "being-written" {
		t.Errorf("after opening there are %v, %v; want being-written alone", entries, err)
	}
}
