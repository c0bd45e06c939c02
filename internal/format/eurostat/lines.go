package eurostat

import (
	"bufio"
	"context"
	"errors"
	"io"

	"almanac/internal/stat"
)

// Sizes of lines. Real ones reach 20 kB (1114 weeks); the limit keeps a file
// without line ends from filling the memory.
const (
	lineBuffer = 256 << 10
	maxLine    = 64 << 20
)

// lines reads a file line by line.
type lines struct {
	in     *bufio.Reader
	long   []byte // holds a line that is longer than the buffer
	number int    // of the line read last, from 1
	open   bool   // the line read last has no line end
}

func newLines(in io.Reader) *lines {
	return &lines{in: bufio.NewReaderSize(in, lineBuffer)}
}

// next returns the next line without its end (LF or CRLF); it is valid until
// the following call. At the end of the file the error is io.EOF. Every other
// error is a [stat.FileError], but for the reader's context being done.
func (l *lines) next() ([]byte, error) {
	l.number++
	l.open = false
	line, err := l.in.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		line, err = l.nextLong(line)
	}
	if err == nil {
		line = line[:len(line)-1]
		if n := len(line); n > 0 && line[n-1] == '\r' {
			line = line[:n-1]
		}
		return line, nil
	}
	if errors.Is(err, io.EOF) {
		l.open = true
		if len(line) > 0 {
			return line, nil
		}
		return nil, io.EOF
	}
	return nil, l.failure(err)
}

func (l *lines) nextLong(start []byte) ([]byte, error) {
	l.long = append(l.long[:0], start...)
	for {
		part, err := l.in.ReadSlice('\n')
		l.long = append(l.long, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return l.long, err
		}
		if len(l.long) > maxLine {
			return nil, errLongLine
		}
	}
}

var errLongLine = errors.New("the line is longer than 64 MiB")

// failure says where in the file reading it broke off.
func (l *lines) failure(err error) error {
	at := stat.Position{Line: l.number}
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return stat.BadFile(at, "the file is cut off: its packed data end within this line")
	case errors.Is(err, errLongLine):
		return stat.BadFile(at, "%v, so this is no table", err)
	}
	return stat.BadFile(at, "the file cannot be read further: %v", err)
}
