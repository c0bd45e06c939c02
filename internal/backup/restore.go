package backup

import (
	"archive/tar"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// restoring is the folder in a data directory in which files are until all of them are
// there and have the right digests.
const restoring = ".restoring"

// Restore copies a backup into a data directory, which must be empty or not exist. It is
// an error if a file of the backup is damaged or missing; the data directory is then empty.
func Restore(ctx context.Context, from, dir string) (*Manifest, error) {
	if err := checkFree(dir); err != nil {
		return nil, fmt.Errorf("a backup is restored into an empty folder only: %w", err)
	}
	read, err := readerOf(from)
	if err != nil {
		return nil, err
	}
	staging := filepath.Join(dir, restoring)
	if err := os.MkdirAll(staging, 0o700); err != nil {
		return nil, err
	}
	defer os.RemoveAll(staging)
	found := map[string]File{}
	var manifest []byte
	err = read(from, func(name string, r io.Reader) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if name == manifestFile {
			var err error
			manifest, err = io.ReadAll(r)
			return err
		}
		f, err := extract(staging, name, r)
		found[name] = f
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("reading the backup %s: %w", from, err)
	}
	m, err := verify(staging, manifest, found)
	if err != nil {
		return nil, fmt.Errorf("the backup %s cannot be restored: %w", from, err)
	}
	if err := syncFolders(staging); err != nil {
		return nil, err
	}
	return m, moveUp(staging, dir)
}

// readerOf returns what calls a function for each file of a backup.
func readerOf(from string) (func(from string, each func(name string, r io.Reader) error) error, error) {
	if isBucket(from) {
		return readBucket, nil
	}
	info, err := os.Stat(from)
	if err == nil && !info.IsDir() {
		return readTar, nil
	}
	return readFolder, err
}

// extract writes a file of a backup and returns its size and digest.
func extract(folder, name string, r io.Reader) (f File, err error) {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return f, fmt.Errorf("the path %q leads out of the backup", name)
	}
	path := filepath.Join(folder, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return f, err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return f, err
	}
	digest := sha256.New()
	f.Size, err = io.Copy(io.MultiWriter(file, digest), r)
	f.SHA256 = hex.EncodeToString(digest.Sum(nil))
	return f, errors.Join(err, file.Sync(), file.Close())
}

// verify compares what was found with the manifest, and gives the files their modes.
func verify(folder string, manifest []byte, found map[string]File) (*Manifest, error) {
	var m Manifest
	if manifest == nil {
		return nil, fmt.Errorf("it has no %s, so it is not complete", manifestFile)
	}
	if err := json.Unmarshal(manifest, &m); err != nil {
		return nil, fmt.Errorf("%s: %w", manifestFile, err)
	}
	for _, want := range m.Files {
		got, ok := found[want.Path]
		switch {
		case !ok:
			return nil, fmt.Errorf("%s is missing", want.Path)
		case got.SHA256 != want.SHA256:
			return nil, fmt.Errorf("%s is damaged: its digest is %s, not %s", want.Path, got.SHA256, want.SHA256)
		}
		if err := os.Chmod(filepath.Join(folder, filepath.FromSlash(want.Path)), want.Mode.Perm()); err != nil {
			return nil, err
		}
		delete(found, want.Path)
	}
	for name := range found {
		return nil, fmt.Errorf("%s is not in %s", name, manifestFile)
	}
	return &m, nil
}

// moveUp moves what is in a folder into the folder above it, the catalogue last.
func moveUp(staging, dir string) error {
	files, err := os.ReadDir(staging)
	if err != nil {
		return err
	}
	slices.SortStableFunc(files, func(a, b fs.DirEntry) int {
		switch catalogFile {
		case a.Name():
			return 1
		case b.Name():
			return -1
		}
		return strings.Compare(a.Name(), b.Name())
	})
	for _, f := range files {
		if err := os.Rename(filepath.Join(staging, f.Name()), filepath.Join(dir, f.Name())); err != nil {
			return err
		}
	}
	return syncFolder(dir)
}

func readFolder(from string, each func(name string, r io.Reader) error) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		return each(filepath.ToSlash(name), file)
	})
}

func readTar(from string, each func(name string, r io.Reader) error) error {
	file, err := os.Open(from)
	if err != nil {
		return err
	}
	defer file.Close()
	for archive := tar.NewReader(file); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if header.Typeflag != tar.TypeReg {
			return fmt.Errorf("%q is not a file", header.Name)
		}
		if err := each(header.Name, archive); err != nil {
			return err
		}
	}
}
