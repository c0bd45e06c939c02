package text

import (
	"bytes"
	"context"
	"errors"
	"io"

	"almanac/internal/stat"
)

// LineErrors returns file with errors that name the line at which reading broke
// off: packed data that are damaged or cut off. [Open] adds it itself; readers
// that use [almanac/internal/format.Input] without Open need it.
func LineErrors(file io.Reader) io.Reader { return &lineCounter{file: file} }

type lineCounter struct {
	file  io.Reader
	lines int // that have passed
}

func (c *lineCounter) Read(buffer []byte) (int, error) {
	n, err := c.file.Read(buffer)
	c.lines += bytes.Count(buffer[:n], []byte{'\n'})
	if err == nil || err == io.EOF {
		return n, err
	}
	var known *stat.FileError
	if errors.As(err, &known) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return n, err
	}
	message := "the file cannot be read further: " + err.Error()
	if errors.Is(err, io.ErrUnexpectedEOF) {
		message = "the file is cut off: its packed data end within this line"
	}
	return n, &readError{&stat.FileError{At: stat.Position{Line: c.lines + 1}, Message: message}, err}
}

// readError is a [stat.FileError] with its cause.
type readError struct {
	*stat.FileError
	cause error
}

func (e *readError) Unwrap() []error { return []error{e.FileError, e.cause} }
