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

// lines is a scanner of lines, which end with LF or CRLF.
type lines struct {
	*bufio.Scanner
	limit  int
	number int  // of the current line, from 1
	open   bool // the current line has no line end
}

func newLines(in io.Reader, limit int) *lines {
	l := &lines{Scanner: bufio.NewScanner(in), limit: limit}
	l.Buffer(make([]byte, 0, 256<<10), limit)
	l.Split(func(data []byte, atEOF bool) (advance int, token []byte, err error) {
		advance, token, err = bufio.ScanLines(data, atEOF)
		l.open = advance > 0 && data[advance-1] != '\n'
		return advance, token, err
	})
	return l
}

func (l *lines) Scan() bool {
	l.number++
	return l.Scanner.Scan()
}

func (l *lines) Err() error {
	err := l.Scanner.Err()
	if errors.Is(err, bufio.ErrTooLong) {
		return stat.BadFile(stat.Position{Line: l.number}, "the line is longer than %d MiB; this is not a file of Eurostat", l.limit>>20)
	}
	return err
}
