package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"almanac/internal/stat"
	"almanac/internal/store"
)

// keptFiles returns the files below the store's folder of charts.
func keptFiles(t *testing.T, dir string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(filepath.Join(filesOf(t, dir), "charts"), func(path string, e fs.DirEntry, err error) error {
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

// A chart is stored under its digest. It survives restarts and changes of the dataset.
func TestKeptCharts(t *testing.T) {
	onBoth(t, func(t *testing.T, h home) {
		dir := h.newDir(t)
		s := open(t, store.Options{Dir: dir})
		id := publish(t, s, "t", []cell{{Key: [3]string{"a", "u", "DE"}, Period: "2020", Value: 1}}).ID
		const digest = "0123456789abcdef0123456789abcdef"
		text := fmt.Appendf(nil, `{"Dataset": %d, "Title": "%s"}`, id, strings.Repeat("Numbers, ", 1000))
		wantKept := func(when string, s *store.Store) {
			t.Helper()
			if got, err := s.Chart(digest); err != nil || !bytes.Equal(got, text) {
				t.Errorf("%s: %d bytes of %d, %v", when, len(got), len(text), err)
			}
		}
		if _, err := s.Chart(digest); stat.KindOf(err) != stat.NotFound {
			t.Errorf("before KeepChart: %v, want not found", err)
		}
		for range 2 {
			if err := s.KeepChart(digest, text); err != nil {
				t.Fatal(err)
			}
		}
		wantKept("at once", s)
		if err := s.KeepChart(digest, []byte("another text")); err != nil {
			t.Fatal(err)
		}
		wantKept("kept again", s)
		if _, err := s.Chart("f" + digest[1:]); stat.KindOf(err) != stat.NotFound {
			t.Errorf("another digest: %v, want not found", err)
		}
		files := keptFiles(t, dir)
		if len(files) != 1 {
			t.Fatalf("files are %v, want one", files)
		}
		if info, err := os.Stat(files[0]); err != nil || info.Size() > int64(len(text)/10) {
			t.Errorf("the file is not compressed: %v, %v", info.Size(), err)
		}

		publish(t, s, "t", []cell{{Key: [3]string{"a", "u", "DE"}, Period: "2020", Value: 2}})
		if n, err := s.Prune(context.Background(), id, 1); n != 1 || err != nil {
			t.Fatalf("%d pruned, %v", n, err)
		}
		wantKept("after its vintage was pruned", s)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		s = open(t, store.Options{Dir: dir})
		wantKept("after a restart", s)

		// A damaged file is an error, never another chart.
		if err := os.WriteFile(files[0], []byte("not compressed"), 0o644); err != nil {
			t.Fatal(err)
		}
		filesOf(t, dir) // there are no copies
		if _, err := s.Chart(digest); err == nil || stat.KindOf(err) != stat.Internal || !strings.Contains(err.Error(), digest) {
			t.Errorf("a broken file: %v, want a failure that names the chart", err)
		}
		// Drawing the chart again repairs it.
		if err := s.KeepChart(digest, text); err != nil {
			t.Fatal(err)
		}
		wantKept("kept again over a broken file", s)

		// The folder is deleted while the store is open.
		removeFiles(t, dir, "charts")
		if err := s.KeepChart(digest, text); err != nil {
			t.Fatal(err)
		}
		wantKept("kept again in a folder that was cleared", s)

		// It is deleted with its dataset; other charts stay.
		const others = "ffff456789abcdef0123456789abcdef"
		if err := s.KeepChart(others, []byte(`{"Dataset": 77}`)); err != nil {
			t.Fatal(err)
		}
		if err := s.Remove(context.Background(), id); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Chart(digest); stat.KindOf(err) != stat.NotFound {
			t.Errorf("after its dataset was removed: %v, want not found", err)
		}
		if _, err := s.Chart(others); err != nil {
			t.Errorf("after another dataset was removed: %v", err)
		}
	})
}

// Several callers may store the same chart at once. No unfinished file is left.
func TestKeepChartAtOnce(t *testing.T) {
	dir := t.TempDir()
	s := open(t, store.Options{Dir: dir})
	text := []byte(strings.Repeat("x", 10_000))
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			digest := fmt.Sprintf("%032x", i%3)
			if err := s.KeepChart(digest, text); err != nil {
				t.Error(err)
			}
			if got, err := s.Chart(digest); err != nil || !bytes.Equal(got, text) {
				t.Errorf("%d bytes, %v", len(got), err)
			}
		})
	}
	all.Wait()
	if files := keptFiles(t, dir); len(files) != 3 {
		t.Errorf("files are %v, want three", files)
	}
}

// A full disk is Unavailable, any other failure Internal. The test makes a folder that
// cannot be written; the full disk is only an error value.
func TestKeepChartErrors(t *testing.T) {
	for err, kind := range map[error]stat.Kind{
		fmt.Errorf("writing: %w", syscall.ENOSPC):                  stat.Unavailable,
		&fs.PathError{Op: "write", Path: "x", Err: syscall.EDQUOT}: stat.Unavailable,
		fmt.Errorf("writing: %w", syscall.EIO):                     stat.Internal,
	} {
		if got := store.KeepError("0123", err); stat.KindOf(got) != kind {
			t.Errorf("%v becomes %v", err, got)
		}
	}
	dir := t.TempDir()
	s := open(t, store.Options{Dir: dir})
	// A file where the folder should be.
	if err := os.WriteFile(filepath.Join(dir, "charts", "01"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := s.KeepChart("0123456789abcdef", []byte("x")); err == nil || stat.KindOf(err) != stat.Internal {
		t.Errorf("%v, want a failure", err)
	}
	if files := keptFiles(t, dir); len(files) != 1 {
		t.Errorf("left behind: %v", files)
	}
}
