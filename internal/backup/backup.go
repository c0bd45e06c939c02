// Package backup copies an installation while servers use it, and restores it.
//
// A backup is a folder, a tar file with the same contents, or objects below a place in an S3 store: the files of a
// data directory, and manifest.json, which lists them with their digests. What the installation has in
// PostgreSQL and in an S3 store is in the backup as files, too, so that it can be restored as a data directory alone. Databases
// are copied as of one moment each, the catalogue last; then come the files that it may refer to,
// which never change. So no copy refers to something that another one lacks.
package backup

import (
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
	"time"

	"almanac/internal/database"
	"almanac/internal/diskreserve"
	"almanac/internal/store"
)

// Options say what is copied where.
type Options struct {
	// Dir is the data directory.
	Dir string
	// Files are the files of the store if they are not in the data directory, else nil.
	Files *store.Files
	// CopyDatabases copies the databases into files in a folder, the catalogue last, if they are not files in
	// the data directory; else it is nil.
	CopyDatabases func(ctx context.Context, folder string) error
	// To is the new backup: a place such as s3://BUCKET/PREFIX, a tar file if its name ends with .tar, else a folder.
	To string
	// Without are the names of files in the data directory that are left out.
	Without []string
	// Version is the version of the program.
	Version string
	// Now is the time of the backup.
	Now time.Time
}

// Manifest lists the files of a backup.
type Manifest struct {
	Created time.Time `json:"created"`
	Version string    `json:"version"` // of the program that made it
	Files   []File    `json:"files"`   // by path
}

// File is a file of a backup.
type File struct {
	Path   string      `json:"path"` // with slashes, in the data directory
	Mode   fs.FileMode `json:"mode"` // permissions
	Size   int64       `json:"size"` // in bytes
	SHA256 string      `json:"sha256"`
}

// Bytes returns the size of all files.
func (m *Manifest) Bytes() (sum int64) {
	for _, f := range m.Files {
		sum += f.Size
	}
	return sum
}

const (
	manifestFile = "manifest.json"
	catalogFile  = "catalog.db"
	tarSuffix    = ".tar"
	partSuffix   = ".partial"
)

// attempts is how often a backup is made at most when files were removed meanwhile.
const attempts = 3

// errRemoved says that a file was removed that the copied catalogue may refer to.
var errRemoved = errors.New("a file was removed during the backup")

// Create makes a backup. The target must not exist, or be an empty folder. After an error
// there is no target.
func Create(ctx context.Context, o Options) (*Manifest, error) {
	if err := checkFree(o.To); err != nil {
		return nil, err
	}
	partial := strings.TrimSuffix(o.To, string(filepath.Separator)) + partSuffix
	if isBucket(o.To) {
		var err error
		if partial, err = os.MkdirTemp("", "almanac-backup-"); err != nil {
			return nil, err
		}
	}
	defer os.RemoveAll(partial)
	var m *Manifest
	var err error
	for range attempts {
		if err := os.RemoveAll(partial); err != nil {
			return nil, err
		}
		if m, err = copyAll(ctx, o, partial); !errors.Is(err, errRemoved) {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	finished := partial
	if isBucket(o.To) {
		return m, nil
	}
	if strings.HasSuffix(o.To, tarSuffix) {
		finished = filepath.Join(partial, "backup"+tarSuffix)
	} else if err := os.Remove(o.To); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err := os.Rename(finished, o.To); err != nil {
		return nil, err
	}
	return m, syncFolder(filepath.Dir(o.To))
}

// checkFree returns an error unless a path or place is free: nothing or an empty folder.
func checkFree(path string) error {
	if isBucket(path) {
		return checkFreeBucket(path)
	}
	files, err := os.ReadDir(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && len(files) == 0:
		return nil
	case err == nil:
		return fmt.Errorf("%s is not empty", path)
	}
	if _, statErr := os.Stat(path); statErr == nil {
		return fmt.Errorf("%s exists", path)
	}
	return err
}

// copyAll copies everything into the folder partial, into a tar file in it, or into a bucket.
func copyAll(ctx context.Context, o Options, partial string) (*Manifest, error) {
	if err := os.MkdirAll(partial, 0o700); err != nil {
		return nil, err
	}
	before, err := listFiles(o)
	if err != nil {
		return nil, err
	}
	copyDatabases := o.CopyDatabases
	if copyDatabases == nil {
		copyDatabases = func(ctx context.Context, folder string) error { return copyDatabaseFiles(ctx, o.Dir, folder) }
	}
	if err := copyDatabases(ctx, partial); err != nil {
		return nil, err
	}
	databases, err := filepath.Glob(filepath.Join(partial, "*.db"))
	if err != nil {
		return nil, err
	}
	after, err := listFiles(o)
	if err != nil {
		return nil, err
	}
	t, err := newTarget(o.To, partial)
	if err != nil {
		return nil, err
	}
	defer t.close()
	m := &Manifest{Created: o.Now.UTC(), Version: o.Version}
	for _, path := range databases {
		if err := m.add(t, Options{Dir: partial}, filepath.Base(path)); err != nil {
			return nil, err
		}
	}
	files := append(before, after...)
	slices.Sort(files)
	for _, name := range slices.Compact(files) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		switch err := m.add(t, o, name); {
		case errors.Is(err, fs.ErrNotExist) && isReferred(name):
			return nil, fmt.Errorf("%w: %s", errRemoved, name)
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return nil, err
		}
	}
	slices.SortFunc(m.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return nil, err
	}
	if err := t.put(File{Path: manifestFile, Mode: 0o600, Size: int64(len(text))}, strings.NewReader(string(text))); err != nil {
		return nil, err
	}
	return m, t.finish()
}

// add copies a file of an installation to the target.
func (m *Manifest) add(t target, o Options, name string) error {
	f, content, err := open(o, name)
	if err != nil {
		return err
	}
	defer content.Close()
	digest := sha256.New()
	if err := t.put(f, io.TeeReader(io.LimitReader(content, f.Size), digest)); err != nil {
		return fmt.Errorf("copying %s: %w", name, err)
	}
	f.SHA256 = hex.EncodeToString(digest.Sum(nil))
	m.Files = append(m.Files, f)
	return nil
}

// content is the content of a file.
type content struct {
	io.Reader
	io.Closer
}

// open opens a file of an installation.
func open(o Options, name string) (File, content, error) {
	if o.Files != nil && isOfStore(name) {
		b, err := o.Files.Open(name)
		if err != nil {
			return File{}, content{}, err
		}
		return File{Path: name, Mode: 0o600, Size: b.Size}, content{b.Reader(), b}, nil
	}
	file, err := os.Open(filepath.Join(o.Dir, filepath.FromSlash(name)))
	if err != nil {
		return File{}, content{}, err
	}
	info, err := file.Stat()
	if err != nil {
		return File{}, content{}, errors.Join(err, file.Close())
	}
	return File{Path: name, Mode: info.Mode().Perm(), Size: info.Size()}, content{file, file}, nil
}

// copyDatabaseFiles copies the databases of a data directory, the catalogue last: what the
// others say of datasets is then in the catalogue, too.
func copyDatabaseFiles(ctx context.Context, dir, folder string) error {
	paths, err := filepath.Glob(filepath.Join(dir, "*.db"))
	if err != nil {
		return err
	}
	slices.SortFunc(paths, func(a, b string) int {
		if isCatalog := filepath.Base(a) == catalogFile; isCatalog != (filepath.Base(b) == catalogFile) {
			if isCatalog {
				return 1
			}
			return -1
		}
		return strings.Compare(a, b)
	})
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		to := filepath.Join(folder, filepath.Base(path))
		if err := database.Backup(ctx, path, to); err != nil {
			return err
		}
		if err := os.Chmod(to, info.Mode().Perm()); err != nil {
			return err
		}
	}
	return nil
}

// isReferred reports whether the catalogue may refer to a file.
func isReferred(name string) bool {
	return strings.HasPrefix(name, "vintages/") || strings.HasPrefix(name, "quarantine/")
}

// isOfStore reports whether a file is one of [store.Files].
func isOfStore(name string) bool { return isReferred(name) || strings.HasPrefix(name, "charts/") }

// passed are the folders of a data directory that every server makes anew.
var passed = []string{"blobs", "cache", "sync"}

// listFiles lists the files of an installation but databases and what need not be
// copied, with slashes.
func listFiles(o Options) (names []string, err error) {
	err = filepath.WalkDir(o.Dir, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // removed meanwhile
		}
		if err != nil {
			return err
		}
		name, err := filepath.Rel(o.Dir, path)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		switch {
		case d.IsDir() && (slices.Contains(passed, name) || d.Name() == ".staging" || name == restoring):
			return fs.SkipDir
		case d.Type().IsRegular() && !isPassed(o, name):
			names = append(names, name)
		}
		return nil
	})
	if err != nil || o.Files == nil {
		return names, err
	}
	elsewhere, err := o.Files.List()
	return append(names, elsewhere...), err
}

// passedFiles are files of a data directory that belong to this machine, or say where something is that the backup
// has itself.
var passedFiles = []string{manifestFile, diskreserve.File, store.PlaceFile, database.NoteFile}

func isPassed(o Options, name string) bool {
	if slices.Contains(o.Without, name) || slices.Contains(passedFiles, name) {
		return true
	}
	isTop := !strings.Contains(name, "/")
	ends := func(suffix string) bool { return isTop && strings.HasSuffix(name, suffix) }
	return ends(".db") || ends(".db-wal") || ends(".db-shm") || ends(".db-journal") || ends(".lock")
}
