package eurostat

import (
	"bufio"
	"errors"
	"io"

	"almanac/internal/stat"
)

// Limits of lines, so that a file without line ends does not fill the memory.
const (
	maxLine  = 64 << 20 // of a table; real ones reach 20 kB (1114 weeks)
	maxEntry = 1 << 20  // of a dictionary or of a table of contents
)

type lines struct {
	scanner *bufio.Scanner
	limit   int
	number  int  // of the current line, from 1
	open    bool // the current line has no line end
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

// next returns the next line without its end (LF or CRLF); it is valid until the
// following call. At the end of the file the error is io.EOF.
func (l *lines) next() ([]byte, error) {
	l.number++
	if l.scanner.Scan() {
		return l.scanner.Bytes(), nil
	}
	err := l.scanner.Err()
	if err == nil {
		return nil, io.EOF
	}
	if errors.Is(err, bufio.ErrTooLong) {
		return nil, stat.BadFile(stat.Position{Line: l.number}, "the line is longer than %d MiB; this is not a file of Eurostat", l.limit>>20)
	}
	return nil, err
}
