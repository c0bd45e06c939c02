// Package blob stores files under keys: put if absent, read at, list, delete. It
// hides paths, so that an object store can replace the folder.
//
// A key consists of path-safe words separated by "/": "0/12/000003-1.2-3fa94c01b7de.parquet". A
// blob with a key is complete and never changes: it is written under a temporary
// name and synced before it gets its key.
package blob

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"
)

// Dir stores blobs as files below a folder.
type Dir struct{ root string }

const stagingName = ".staging"

// stagedFor is how long writing a blob may take. An older temporary file was left
// by a process that was killed. Writing a large blob takes seconds.
const stagedFor = time.Hour

// OpenDir opens the folder root or creates it. It deletes what a killed process
// left unfinished.
func OpenDir(root string, now time.Time) (*Dir, error) {
	staging := filepath.Join(root, stagingName)
	if err := os.MkdirAll(staging, 0o750); err != nil {
		return nil, fmt.Errorf("creating the folder of blobs: %w", err)
	}
	entries, err := os.ReadDir(staging)
	if err != nil {
		return nil, fmt.Errorf("reading the folder of blobs: %w", err)
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && now.Sub(info.ModTime()) > stagedFor {
			_ = os.Remove(filepath.Join(staging, e.Name())) // the next process tries again
		}
	}
	return &Dir{root: root}, nil
}

// Staged is a blob that has been written and synced but has no key yet.
type Staged struct {
	dir  *Dir
	path string
}

// Stage writes and syncs a blob. SaveAs makes it visible; Discard deletes it.
func (d *Dir) Stage(write func(io.Writer) error) (_ *Staged, err error) {
	f, err := d.createTemp("blob-*")
	if err != nil {
		return nil, err
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
	if err := f.Close(); err != nil {
		return nil, fmt.Errorf("closing a new file: %w", err)
	}
	return &Staged{dir: d, path: f.Name()}, nil
}

// SaveAs gives the blob its key. An existing blob with the key stays, because equal
// keys mean equal bytes.
func (s *Staged) SaveAs(key string) error {
	target := s.dir.Path(key)
	if err := os.MkdirAll(filepath.Dir(target), 0o750); err != nil {
		return fmt.Errorf("creating the folder of %s: %w", key, err)
	}
	err := os.Link(s.path, target)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("saving %s: %w", key, err)
	}
	if err := syncDir(filepath.Dir(target)); err != nil {
		return err
	}
	return os.Remove(s.path)
}

// Replace gives the blob the key of a damaged one, which it replaces.
func (s *Staged) Replace(key string) error {
	target := s.dir.Path(key)
	if err := os.MkdirAll(filepath.Dir(target), 0o750); err != nil {
		return fmt.Errorf("creating the folder of %s: %w", key, err)
	}
	if err := os.Rename(s.path, target); err != nil {
		return fmt.Errorf("replacing %s: %w", key, err)
	}
	return syncDir(filepath.Dir(target))
}

// Discard deletes a blob that was not saved under a key.
func (s *Staged) Discard() { os.Remove(s.path) }

// Blob is a blob open for reading.
type Blob struct {
	*os.File
	Size int64
}

// Open opens a blob. The error wraps [fs.ErrNotExist] if there is none.
func (d *Dir) Open(key string) (*Blob, error) {
	f, err := os.Open(d.Path(key))
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

// Delete deletes a blob. It is not an error if there is none.
func (d *Dir) Delete(key string) error {
	if err := os.Remove(d.Path(key)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// List returns the sorted keys below a folder ("12/"); "" lists all.
func (d *Dir) List(folder string) ([]string, error) {
	var keys []string
	err := fs.WalkDir(os.DirFS(d.root), path.Clean(folder), func(key string, e fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case e.IsDir() && e.Name() == stagingName:
			return fs.SkipDir
		case !e.IsDir():
			keys = append(keys, key)
		}
		return nil
	})
	return keys, err
}

// Path returns the path of the file of a blob.
func (d *Dir) Path(key string) string { return filepath.Join(d.root, filepath.FromSlash(key)) }

// syncDir makes the file names in a folder durable.
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

// Scratch creates a temporary file for reading and writing, on the disk of the blobs. Its
// name is removed at once where the system allows that, so that a killed process leaves
// nothing; elsewhere the next [OpenDir] deletes it.
func (d *Dir) Scratch() (*os.File, error) {
	f, err := d.createTemp("scratch-*")
	if err == nil {
		_ = os.Remove(f.Name()) // Windows refuses it while the file is open
	}
	return f, err
}

func (d *Dir) createTemp(pattern string) (*os.File, error) {
	staging := filepath.Join(d.root, stagingName)
	f, err := os.CreateTemp(staging, pattern)
	if errors.Is(err, fs.ErrNotExist) {
		// Somebody deleted the folder. Create it only if its parent exists: if not,
		// the disk may have been unmounted.
		_ = os.Mkdir(d.root, 0o750)
		_ = os.Mkdir(staging, 0o750)
		f, err = os.CreateTemp(staging, pattern)
	}
	if err != nil {
		return nil, fmt.Errorf("creating a temporary file: %w", err)
	}
	return f, nil
}
