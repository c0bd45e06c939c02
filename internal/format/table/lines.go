package table

import (
	"bufio"
	"bytes"
	"io"
	"strings"
)

// lines splits a text into rows as encoding/csv does, but several times as fast, as long
// as each row is one line whose cells have no quotes, or quotes around the whole cell. The
// first line that is anything else, and all after it, are left to encoding/csv. Unlike
// there, blanks may precede a cell in quotes and follow the last one, and numbers of
// footnotes the only one.
type lines struct {
	text   *bufio.Reader
	sep    byte
	number int      // of the current line
	offset int64    // bytes before the next line
	left   []byte   // the line that is left to encoding/csv
	cells  []string // of the current row, reused
	starts []int    // where each cell begins in the line
	isLeft bool     // no more rows are read here
	before int      // lines before the one that is left
}

// Sizes of the buffer for lines, of a file and of the beginning of one.
const (
	lineBuffer  = 64 << 10
	shortBuffer = 4 << 10
)

// Read reads what is left, for encoding/csv.
func (l *lines) Read(p []byte) (int, error) {
	if len(l.left) > 0 {
		n := copy(p, l.left)
		l.left = l.left[n:]
		return n, nil
	}
	return l.text.Read(p)
}

// next returns the cells of the next line that is not empty; [io.EOF] after the last. It
// returns nil if encoding/csv must read it.
func (l *lines) next() ([]string, error) {
	for !l.isLeft {
		line, err := l.text.ReadSlice('\n')
		switch {
		case err == bufio.ErrBufferFull, err == nil && !l.split(line):
			l.leave(line)
			return nil, nil
		case err == io.EOF && len(line) > 0:
			l.leave(line) // the last line has no end
			return nil, nil
		case err != nil:
			return nil, err
		}
		l.number++
		l.offset += int64(len(line))
		if len(l.cells) > 0 {
			return l.cells, nil
		}
	}
	return nil, nil
}

func (l *lines) leave(line []byte) {
	l.isLeft, l.before, l.left = true, l.number, bytes.Clone(line)
}

// split splits a line into cells, none if it is empty. It returns false if encoding/csv
// must split it.
func (l *lines) split(line []byte) bool {
	l.cells, l.starts = l.cells[:0], l.starts[:0]
	line = line[:len(line)-1]
	if end := len(line) - 1; end >= 0 && line[end] == '\r' {
		line = line[:end]
	}
	if len(line) == 0 {
		return true
	}
	hasQuotes := bytes.IndexByte(line, '"') >= 0
	text := string(line)
	for start := 0; ; {
		begin, end := start, len(text)
		for hasQuotes && begin < len(text) && text[begin] == ' ' {
			begin++
		}
		if begin == len(text) || text[begin] != '"' {
			begin = start
		}
		isQuoted := hasQuotes && begin < len(text) && text[begin] == '"'
		if isQuoted {
			begin++
			n := strings.IndexByte(text[begin:], '"')
			if n < 0 {
				return false
			}
			end = begin + n
		} else if n := strings.IndexByte(text[begin:], l.sep); n >= 0 {
			end = begin + n
		}
		if hasQuotes && !isQuoted && strings.IndexByte(text[begin:end], '"') >= 0 {
			return false
		}
		l.cells = append(l.cells, text[begin:end])
		l.starts = append(l.starts, start)
		if isQuoted {
			end++
			if blank := strings.TrimLeft(text[end:], " \t"); blank == "" {
				end = len(text) // of the Bureau of Economic Analysis
			} else if start == 0 && strings.Trim(blank, " \t0123456789") == "" {
				l.cells[0] += " " + blank // the footnotes of a title of Statistics Canada: "Population" 1 2
				end = len(text)
			}
		}
		if end == len(text) {
			return true
		}
		if text[end] != l.sep {
			return false
		}
		start = end + 1
	}
}
