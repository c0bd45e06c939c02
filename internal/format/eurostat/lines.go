package eurostat

import (
	"bufio"
	"context"
	"errors"
	"io"

	"almanac/internal/stat"
)

// Limits of lines, so that a file without line ends does not fill the memory.
const (
	maxLine  = 64 << 20 // of a table; real ones reach 20 kB (1114 weeks)
	maxEntry = 1 << 20  // of a dictionary or of a table of contents
)

// lines reads a file line by line.
type lines struct {
	scanner *bufio.Scanner
	limit   int
	number  int  // of the line read last, from 1
	open    bool // the line read last has no line end
}

func newLines(in io.Reader, limit int) *lines {
	l := &lines{scanner: bufio.NewScanner(in), limit: limit}
	l.scanner.Buffer(make([]byte, 0, 256<<10), limit)
	l.scanner.Split(func(data []byte, atEOF bool) (advance int, token []byte, err error) {
		advance, token, err = bufio.ScanLines(data, atEOF)
		l.open = advance > 0 && data[advance-1] != '\n'
		return advance, token, err
	})
	return l
}

// next returns the next line without its end (LF or CRLF); it is valid until
// the following call. At the end of the file the error is io.EOF. Every other
// error is a [stat.FileError], but for the reader's context being done.
func (l *lines) next() ([]byte, error) {
	l.number++
	if l.scanner.Scan() {
		return l.scanner.Bytes(), nil
	}
	at, err := stat.Position{Line: l.number}, l.scanner.Err()
	switch {
	case err == nil:
		return nil, io.EOF
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return nil, err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, stat.BadFile(at, "the file is cut off: its packed data end within this line")
	case errors.Is(err, bufio.ErrTooLong):
		return nil, stat.BadFile(at, "the line is longer than %d MiB, so this is no file of Eurostat", l.limit>>20)
	}
	return nil, stat.BadFile(at, "the file cannot be read further: %v", err)
}
