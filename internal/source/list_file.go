package source

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"almanac/internal/source/fetch"
)

// listFile is a list of contents in a temporary file, because it may be too long for
// memory. The file is removed while it is open, if the system allows it, so that nothing
// remains if the process is killed.
type listFile struct{ *os.File }

// save downloads a list of contents.
func save(ctx context.Context, c *fetch.Client, r fetch.Request) (listFile, fetch.Answer, error) {
	file, err := os.CreateTemp("", "almanac-contents-*")
	if err != nil {
		return listFile{}, fetch.Answer{}, err
	}
	_ = os.Remove(file.Name()) // otherwise Close removes it
	list := listFile{file}
	answer, err := c.SaveTo(ctx, r, file)
	if err != nil {
		return listFile{}, answer, errors.Join(err, list.Close())
	}
	return list, answer, nil
}

// Close closes and removes the file.
func (s listFile) Close() error {
	err := s.File.Close()
	if removeErr := os.Remove(s.Name()); !errors.Is(removeErr, fs.ErrNotExist) {
		err = errors.Join(err, removeErr)
	}
	return err
}
