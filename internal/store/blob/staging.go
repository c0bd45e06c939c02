package blob

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// staging is the folder of files being written.
type staging string

const stagingName = ".staging"

// stagedFor is how long writing a blob may take. An older temporary file was left
// by a process that was killed. Writing a large blob takes seconds.
const stagedFor = time.Hour

// openStaging opens or creates the folder below root. It deletes what a killed process left
// unfinished.
func openStaging(root string, now time.Time) (staging, error) {
	folder := staging(filepath.Join(root, stagingName))
	if err := os.MkdirAll(string(folder), 0o750); err != nil {
		return "", fmt.Errorf("creating the folder of blobs: %w", err)
	}
	entries, err := os.ReadDir(string(folder))
	if err != nil {
		return "", fmt.Errorf("reading the folder of blobs: %w", err)
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && now.Sub(info.ModTime()) > stagedFor {
			_ = os.Remove(filepath.Join(string(folder), e.Name())) // the next process tries again
		}
	}
	return folder, nil
}

// write creates a file and returns its path. After an error there is none.
func (s staging) write(write func(*os.File) error) (path string, err error) {
	f, err := s.create("blob-*")
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if err := write(f); err != nil {
		return "", err
	}
	if err := f.Close(); err != nil {
		return "", fmt.Errorf("closing a new file: %w", err)
	}
	return f.Name(), nil
}

// Scratch creates a temporary file for reading and writing, on the disk of the blobs. Its
// name is removed at once where the system allows that, so that a killed process leaves
// nothing; elsewhere the next [openStaging] deletes it.
func (s staging) Scratch() (*os.File, error) {
	f, err := s.create("scratch-*")
	if err == nil {
		_ = os.Remove(f.Name()) // Windows refuses it while the file is open
	}
	return f, err
}

func (s staging) create(pattern string) (*os.File, error) {
	f, err := os.CreateTemp(string(s), pattern)
	if errors.Is(err, fs.ErrNotExist) {
		// Somebody deleted the folder. Create it only if its parent exists: if not,
		// the disk may have been unmounted.
		_ = os.Mkdir(filepath.Dir(string(s)), 0o750)
		_ = os.Mkdir(string(s), 0o750)
		f, err = os.CreateTemp(string(s), pattern)
	}
	if err != nil {
		return nil, fmt.Errorf("creating a temporary file: %w", err)
	}
	return f, nil
}
