package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"almanac/internal/stat"
)

// Dir stores blobs as files below a folder.
type Dir struct {
	root string
	staging
}

// OpenDir opens the folder root or creates it. It deletes what a killed process
// left unfinished.
func OpenDir(root string, now time.Time) (*Dir, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	staging, err := openStaging(root, now)
	return &Dir{root, staging}, err
}

// stagedFile is a blob that has been written and synced but has no key yet.
type stagedFile struct {
	dir  *Dir
	path string
}

// Stage writes and syncs a blob.
func (d *Dir) Stage(write func(io.Writer) error) (Staged, error) {
	path, err := d.write(func(f *os.File) error {
		if err := write(f); err != nil {
			return err
		}
		return stat.Wrap(f.Sync(), "syncing a new file")
	})
	if err != nil {
		return nil, err
	}
	return &stagedFile{dir: d, path: path}, nil
}

// SaveAs gives the blob its key. An existing blob with the key stays, because equal
// keys mean equal bytes.
func (s *stagedFile) SaveAs(key string) error {
	target := s.dir.Address(key)
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
func (s *stagedFile) Replace(key string) error {
	target := s.dir.Address(key)
	if err := os.MkdirAll(filepath.Dir(target), 0o750); err != nil {
		return fmt.Errorf("creating the folder of %s: %w", key, err)
	}
	if err := os.Rename(s.path, target); err != nil {
		return fmt.Errorf("replacing %s: %w", key, err)
	}
	return syncDir(filepath.Dir(target))
}

// Discard deletes a blob that was not saved under a key.
func (s *stagedFile) Discard() { os.Remove(s.path) }

// Open opens a blob. The error wraps [fs.ErrNotExist] if there is none.
func (d *Dir) Open(_ context.Context, key string, _ Use) (*Blob, error) {
	f, err := os.Open(d.Address(key))
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	return &Blob{ReaderAt: f, Size: info.Size(), close: f.Close}, nil
}

// Delete deletes a blob. It is not an error if there is none.
func (d *Dir) Delete(key string) error {
	if err := os.Remove(d.Address(key)); !errors.Is(err, fs.ErrNotExist) {
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

// Address returns the path of the file of a blob.
func (d *Dir) Address(key string) string { return filepath.Join(d.root, filepath.FromSlash(key)) }

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
