package text

import (
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"almanac/internal/stat"
)

// TestScanner: positions count lines and bytes, also in a text longer than the buffer.
func TestScanner(t *testing.T) {
	long := strings.Repeat("x", 3*scannerBuffer)
	for name, s := range map[string]*Scanner{
		"whole": NewScanner(strings.NewReader(" a\n \t" + long + "\nb")),
		"bytes": NewScanner(iotest.OneByteReader(strings.NewReader(" a\n \t" + long + "\nb"))),
	} {
		check := func(line, column int) {
			t.Helper()
			if got, want := s.At(), (stat.Position{Line: line, Column: column}); got != want {
				t.Errorf("%s: at %v, want %v", name, got, want)
			}
		}
		s.Space()
		check(1, 2)
		s.Skip(1)
		s.Space()
		check(2, 3)
		if text, found := s.Until(nil, "b", 1<<20); !found || string(text) != long+"\n" {
			t.Errorf("%s: %d bytes, found %v", name, len(text), found)
		}
		check(3, 1)
		if s.Peek() != 'b' || s.Has(2) || s.Offset() != len(long)+6 {
			t.Errorf("%s: next %q at %d", name, s.Peek(), s.Offset())
		}
		s.Skip(1)
		if s.Peek() != 0 || s.Err() != nil {
			t.Errorf("%s: next %q, error %v at the end", name, s.Peek(), s.Err())
		}
	}
	broken := errors.New("broken")
	s := NewScanner(iotest.ErrReader(broken))
	if _, found := s.Until(nil, "x", 10); found || s.Err() != broken || s.BadFile(s.At(), "unused") != broken {
		t.Errorf("found %v, error %v; want the error of the reader", found, s.Err())
	}
}
