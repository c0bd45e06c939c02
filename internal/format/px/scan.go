package px

import (
	"bytes"
	"errors"
	"io"

	"almanac/internal/stat"
)

// scanner reads text and knows where in it it stands.
type scanner struct {
	from   io.Reader
	buffer []byte
	i, end int   // what is read and not yet used: buffer[i:end]
	err    error // why there is no more: io.EOF, or a failure
	before int   // bytes of the text before the buffer
	line   int
	start  int // where in the text the line starts
}

// bufferSize is also the longest text that must be seen at once: a cell, or a
// key of a sparse row.
const bufferSize = 64 << 10

func newScanner(from io.Reader) *scanner {
	return &scanner{from: from, buffer: make([]byte, bufferSize), line: 1}
}

// place is where the next byte stands.
func (s *scanner) place() stat.Position {
	return stat.Position{Line: s.line, Column: s.before + s.i - s.start + 1}
}

// offset is how much of the text is used.
func (s *scanner) offset() int { return s.before + s.i }

// need reads on until n bytes can be seen, or the text ends. It reports
// whether they can.
func (s *scanner) need(n int) bool {
	for s.end-s.i < n && s.err == nil {
		if s.i > 0 {
			s.before += s.i
			s.end = copy(s.buffer, s.buffer[s.i:s.end])
			s.i = 0
		}
		if s.end == len(s.buffer) {
			break
		}
		read, err := s.from.Read(s.buffer[s.end:])
		s.end += read
		s.err = err
	}
	return s.end-s.i >= n
}

// failure is why reading ended, if it is not the end of the text.
func (s *scanner) failure() error {
	if errors.Is(s.err, io.EOF) {
		return nil
	}
	return s.err
}

// broken is why reading ended, else the error that the text itself is.
func (s *scanner) broken(at stat.Position, message string, args ...any) error {
	if err := s.failure(); err != nil {
		return err
	}
	return stat.BadFile(at, message, args...)
}

// cutOff is broken for a text that ends too early.
func (s *scanner) cutOff(message string, args ...any) error {
	return s.broken(s.place(), message, args...)
}

// peek is the next byte, 0 at the end of the text.
func (s *scanner) peek() byte {
	if s.i == s.end && !s.need(1) {
		return 0
	}
	return s.buffer[s.i]
}

// skip uses up the byte that peek returned.
func (s *scanner) skip() {
	if s.buffer[s.i] == '\n' {
		s.newLine()
	}
	s.i++
}

// newLine counts the line that ends with the next byte.
func (s *scanner) newLine() {
	s.line++
	s.start = s.before + s.i + 1
}

func (s *scanner) space() {
	for {
		switch s.peek() {
		case ' ', '\t', '\r', '\n':
			s.skip()
		default:
			return
		}
	}
}

// until appends to text what comes before the first byte that is among stops,
// and uses it up. It reports whether there was one; none is sought when the
// text is longer than all that may stand before the cells.
func (s *scanner) until(text []byte, stops string) ([]byte, bool) {
	for len(text) <= maxHeader && s.need(1) {
		part := s.buffer[s.i:s.end]
		at := bytes.IndexAny(part, stops)
		if at >= 0 {
			part = part[:at]
		}
		text = append(text, part...)
		for _, c := range part {
			if c == '\n' {
				s.newLine()
			}
			s.i++
		}
		if at >= 0 {
			return text, true
		}
	}
	return text, false
}
