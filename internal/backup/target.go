package backup

import (
	"archive/tar"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// target is what a backup is written to.
type target interface {
	// put writes a file with the bytes of a reader, which are f.Size.
	put(f File, r io.Reader) error
	// finish ends the backup, which is then on disk.
	finish() error
	// close gives up what is not finished. It may follow finish.
	close()
}

func newTarget(to, partial string) (target, error) {
	if isBucket(to) {
		return newBucketTarget(to, partial)
	}
	if !strings.HasSuffix(to, tarSuffix) {
		return folderTarget(partial), nil
	}
	file, err := os.OpenFile(filepath.Join(partial, "backup"+tarSuffix), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	return &tarTarget{file, tar.NewWriter(file)}, nil
}

// folderTarget is a folder. The copies of databases are in it already.
type folderTarget string

func (t folderTarget) put(f File, r io.Reader) error {
	path := filepath.Join(string(t), filepath.FromSlash(f.Path))
	if strings.HasSuffix(path, ".db") {
		_, err := io.Copy(io.Discard, r) // for the digest
		return errors.Join(err, syncFile(path))
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return writeFile(path, f, r)
}

func (t folderTarget) finish() error { return syncFolders(string(t)) }
func (t folderTarget) close()        {}

type tarTarget struct {
	file   *os.File
	writer *tar.Writer
}

func (t *tarTarget) put(f File, r io.Reader) error {
	header := &tar.Header{Typeflag: tar.TypeReg, Name: f.Path, Mode: int64(f.Mode), Size: f.Size, Format: tar.FormatPAX}
	if err := t.writer.WriteHeader(header); err != nil {
		return err
	}
	n, err := io.Copy(t.writer, r)
	if err == nil && n != f.Size {
		err = io.ErrUnexpectedEOF
	}
	return err
}

func (t *tarTarget) finish() error { return errors.Join(t.writer.Close(), t.file.Sync()) }
func (t *tarTarget) close()        { t.file.Close() }

// writeFile writes a new file, which is then on disk.
func writeFile(path string, f File, r io.Reader) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	n, err := io.Copy(file, r)
	if err == nil && n != f.Size {
		err = io.ErrUnexpectedEOF
	}
	return errors.Join(err, file.Chmod(f.Mode.Perm()), file.Sync(), file.Close())
}

func syncFile(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}

func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// syncFolders syncs a folder and those below it.
func syncFolders(path string) error {
	files, err := os.ReadDir(path)
	if err != nil {
		return err
	}
	for _, f := range files {
		if f.IsDir() {
			err = errors.Join(err, syncFolders(filepath.Join(path, f.Name())))
		}
	}
	return errors.Join(err, syncFolder(path))
}
