package text

import (
	"bytes"
	"errors"
	"io"

	"almanac/internal/stat"
)

// Scanner reads text and knows the line and column of the next byte.
type Scanner struct {
	in     io.Reader
	buffer []byte
	i, end int   // buffer[i:end] is read and not yet consumed
	err    error // io.EOF or the failure that ended the text
	before int   // bytes of the text before the buffer
	line   int
	start  int // offset of the first byte of the line
}

// scannerBuffer is how far a [Scanner] can look ahead.
const scannerBuffer = 64 << 10

// NewScanner returns a scanner of a text in UTF-8 (see [Open]).
func NewScanner(in io.Reader) *Scanner { return NewScannerSize(in, scannerBuffer) }

// NewScannerSize returns a scanner that can look ahead so many bytes.
func NewScannerSize(in io.Reader, size int) *Scanner {
	return &Scanner{in: in, buffer: make([]byte, size), line: 1}
}

// At returns the position of the next byte.
func (s *Scanner) At() stat.Position {
	return stat.Position{Line: s.line, Column: s.before + s.i - s.start + 1}
}

// Offset returns the number of bytes consumed.
func (s *Scanner) Offset() int { return s.before + s.i }

// Has buffers n bytes and reports whether there are that many.
func (s *Scanner) Has(n int) bool {
	for s.end-s.i < n && s.err == nil {
		if s.i > 0 {
			s.before += s.i
			s.end = copy(s.buffer, s.buffer[s.i:s.end])
			s.i = 0
		}
		if s.end == len(s.buffer) {
			break
		}
		var read int
		read, s.err = s.in.Read(s.buffer[s.end:])
		s.end += read
	}
	return s.end-s.i >= n
}

// Ahead returns the bytes that are buffered. They are valid until the next call
// of Has.
func (s *Scanner) Ahead() []byte { return s.buffer[s.i:s.end] }

// Peek returns the next byte, 0 at the end of the text.
func (s *Scanner) Peek() byte {
	if s.i == s.end && !s.Has(1) {
		return 0
	}
	return s.buffer[s.i]
}

// Skip consumes n buffered bytes.
func (s *Scanner) Skip(n int) {
	skipped := s.buffer[s.i : s.i+n]
	if lines := bytes.Count(skipped, []byte{'\n'}); lines > 0 {
		s.line += lines
		s.start = s.before + s.i + bytes.LastIndexByte(skipped, '\n') + 1
	}
	s.i += n
}

// Advance is Skip for bytes without line ends.
func (s *Scanner) Advance(n int) { s.i += n }

// Space consumes white space.
func (s *Scanner) Space() {
	for {
		switch s.Peek() {
		case '\n':
			s.Skip(1)
		case ' ', '\t', '\r':
			s.Advance(1)
		default:
			return
		}
	}
}

// Until consumes the text before the first byte that is among stops and appends
// it to text. It reports whether there is such a byte; it gives up when text
// has more than limit bytes.
func (s *Scanner) Until(text []byte, stops string, limit int) ([]byte, bool) {
	for len(text) <= limit && s.Has(1) {
		n := bytes.IndexAny(s.Ahead(), stops)
		found := n >= 0
		if !found {
			n = len(s.Ahead())
		}
		text = append(text, s.Ahead()[:n]...)
		s.Skip(n)
		if found {
			return text, true
		}
	}
	return text, false
}

// Err returns the error that ended the text, nil for io.EOF.
func (s *Scanner) Err() error {
	if errors.Is(s.err, io.EOF) {
		return nil
	}
	return s.err
}

// BadFile returns the error that ended the text, else a [stat.FileError] at the
// position.
func (s *Scanner) BadFile(at stat.Position, message string, args ...any) error {
	if err := s.Err(); err != nil {
		return err
	}
	return stat.BadFile(at, message, args...)
}
