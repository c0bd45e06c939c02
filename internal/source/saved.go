package source

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"almanac/internal/source/fetch"
)

// saved is a list of contents that is read from a file, since it may be too long
// for memory. The file has no name from the beginning where the system allows
// that: nothing is left of it, however the process ends.
type saved struct{ *os.File }

// save asks for a list of contents.
func save(ctx context.Context, c *fetch.Client, r fetch.Request) (saved, fetch.Answer, error) {
	file, err := os.CreateTemp("", "almanac-contents-*")
	if err != nil {
		return saved{}, fetch.Answer{}, err
	}
	_ = os.Remove(file.Name()) // Close does where it cannot be done now
	list := saved{file}
	answer, err := c.SaveTo(ctx, r, file)
	if err != nil {
		return saved{}, answer, errors.Join(err, list.Close())
	}
	return list, answer, nil
}

// Close closes the file, which is gone then.
func (s saved) Close() error {
	err := s.File.Close()
	if removed := os.Remove(s.Name()); !errors.Is(removed, fs.ErrNotExist) {
		err = errors.Join(err, removed)
	}
	return err
}

// dropFiles removes files of a download that is not to be.
func dropFiles(files []string) {
	for _, file := range files {
		_ = os.Remove(file) // the folder is emptied anyway
	}
}
