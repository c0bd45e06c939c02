package text

import (
	"bytes"
	"context"
	"errors"
	"io"

	"almanac/internal/stat"
)

// LineErrors passes a file on, with failures that say in which line reading broke
// off: packed data that end in the middle, or are damaged. [Text] does so
// itself; who reads Data, or what Again opens, without it does so with this.
func LineErrors(file io.Reader) io.Reader { return &placed{from: file} }

// placed counts the lines that have passed.
type placed struct {
	from  io.Reader
	lines int
}

func (p *placed) Read(buffer []byte) (int, error) {
	n, err := p.from.Read(buffer)
	p.lines += bytes.Count(buffer[:n], []byte{'\n'})
	if err == nil || err == io.EOF {
		return n, err
	}
	var known *stat.FileError
	if errors.As(err, &known) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return n, err
	}
	at := stat.Position{Line: p.lines + 1}
	return n, &brokenOff{&stat.FileError{At: at, Message: "the file cannot be read further: " + err.Error()}, err}
}

// brokenOff is a [stat.FileError] with its cause.
type brokenOff struct {
	*stat.FileError
	cause error
}

func (e *brokenOff) Unwrap() []error { return []error{e.FileError, e.cause} }
