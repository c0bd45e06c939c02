// Package blob keeps the bytes of the store under keys: put if absent, read
// at, list, delete by key. Nobody outside it knows paths, so that an object
// store can take the place of the folder used here.
//
// A key is a few path-safe words with "/" between: "12/1.0-3fa9.parquet". What
// has a key is whole and never changes: bytes are written under a temporary
// name, synced, and only then given their key.
package blob

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Dir keeps blobs as files below a folder.
type Dir struct {
	root string
}

const stagingName = ".staging"

// stagedFor is how long a blob may take to be written: one that is older was
// left by a process that was killed. Writing a large one takes seconds.
const stagedFor = time.Hour

// OpenDir opens the blobs below root and creates the folder if there is none.
// It removes what a killed process left unfinished.
func OpenDir(root string, now time.Time) (*Dir, error) {
	staging := filepath.Join(root, stagingName)
	if err := os.MkdirAll(staging, 0o755); err != nil {
		return nil, fmt.Errorf("making the folder of vintages: %w", err)
	}
	entries, err := os.ReadDir(staging)
	if err != nil {
		return nil, fmt.Errorf("reading the folder of vintages: %w", err)
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && now.Sub(info.ModTime()) > stagedFor {
			_ = os.Remove(filepath.Join(staging, e.Name())) // the next process tries again
		}
	}
	return &Dir{root: root}, nil
}

// Staged is a blob that is written and synced but has no key yet.
type Staged struct {
	dir  *Dir
	path string
	Size int64
}

// Stage writes a blob and syncs it. It is not visible before Commit; Discard
// throws it away.
func (d *Dir) Stage(write func(io.Writer) error) (_ *Staged, err error) {
	staging := filepath.Join(d.root, stagingName)
	f, err := os.CreateTemp(staging, "blob-*")
	if errors.Is(err, fs.ErrNotExist) {
		// Somebody cleared the folder. What is above it has to be there: else the
		// disk may be gone, and this the place where it was mounted.
		_ = os.Mkdir(d.root, 0o755)
		_ = os.Mkdir(staging, 0o755)
		f, err = os.CreateTemp(staging, "blob-*")
	}
	if err != nil {
		return nil, fmt.Errorf("making a temporary file: %w", err)
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if err := write(f); err != nil {
		return nil, err
	}
	if err := f.Sync(); err != nil {
		return nil, fmt.Errorf("syncing a new file: %w", err)
	}
	size, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, err
	}
	if err := f.Close(); err != nil {
		return nil, fmt.Errorf("closing a new file: %w", err)
	}
	return &Staged{dir: d, path: f.Name(), Size: size}, nil
}

// Commit gives the blob its key. A blob that has the key already stays as it
// is: equal keys mean equal bytes.
func (s *Staged) Commit(key string) error {
	target := s.dir.path(key)
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return fmt.Errorf("making the folder of %s: %w", key, err)
	}
	err := os.Link(s.path, target)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("naming %s: %w", key, err)
	}
	if err := syncDir(filepath.Dir(target)); err != nil {
		return err
	}
	return os.Remove(s.path)
}

// Discard removes a blob that was not committed.
func (s *Staged) Discard() { os.Remove(s.path) }

// Blob is a blob opened for reading.
type Blob struct {
	*os.File
	Size int64
}

// Open opens a blob. The error wraps [fs.ErrNotExist] if there is none.
func (d *Dir) Open(key string) (*Blob, error) {
	f, err := os.Open(d.path(key))
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	return &Blob{File: f, Size: info.Size()}, nil
}

// Delete removes a blob; one that is not there is no error.
func (d *Dir) Delete(key string) error {
	err := os.Remove(d.path(key))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// List returns the keys that begin with prefix, in order.
func (d *Dir) List(prefix string) ([]string, error) {
	var keys []string
	start := d.root
	if i := strings.LastIndexByte(prefix, '/'); i >= 0 {
		start = d.path(prefix[:i])
	}
	err := filepath.WalkDir(start, func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		if e.IsDir() {
			if e.Name() == stagingName {
				return filepath.SkipDir
			}
			return nil
		}
		rel, err := filepath.Rel(d.root, path)
		if err != nil {
			return err
		}
		if key := filepath.ToSlash(rel); strings.HasPrefix(key, prefix) {
			keys = append(keys, key)
		}
		return nil
	})
	return keys, err
}

func (d *Dir) path(key string) string { return filepath.Join(d.root, filepath.FromSlash(key)) }

// syncDir makes the names in a folder durable.
func syncDir(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil {
		return fmt.Errorf("syncing a folder: %w", err)
	}
	return nil
}
