// Package jsonstream reads long JSON lists of offices entry by entry.
package jsonstream

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// maxValue limits the bytes of a value that is read as a whole: an entry of a list,
// a header. Real ones have a few thousand.
const maxValue = 16 << 20

// Stream reads JSON entry by entry, so that memory does not grow with the length of a
// list.
type Stream struct {
	*json.Decoder
	in   io.Reader
	read int64
}

// New returns a stream of a JSON text.
func New(in io.Reader) *Stream {
	s := &Stream{in: in}
	s.Decoder = json.NewDecoder(s)
	return s
}

// ReadFile opens a file and passes it to read.
func ReadFile(path string, read func(*Stream) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return read(New(file))
}

// Read implements [io.Reader] for the decoder, which buffers a value until its end.
func (s *Stream) Read(p []byte) (int, error) {
	if s.read-s.InputOffset() > maxValue {
		return 0, fmt.Errorf("a value is larger than %d MiB", maxValue>>20)
	}
	n, err := s.in.Read(p[:min(len(p), 64<<10)])
	s.read += int64(n)
	return n, err
}

// Delimiter reads a bracket or a brace.
func (s *Stream) Delimiter(want json.Delim) error {
	token, err := s.Token()
	if err != nil {
		return UnexpectedEnd(err)
	}
	if token != want {
		return fmt.Errorf("expected %v, found %v", want, token)
	}
	return nil
}

// Object reads an object. use reads the value of a field, or returns false to skip it.
func (s *Stream) Object(use func(field string) (read bool, err error)) error {
	if err := s.Delimiter('{'); err != nil {
		return err
	}
	for s.More() {
		token, err := s.Token()
		if err != nil {
			return UnexpectedEnd(err)
		}
		field, _ := token.(string)
		read, err := use(field)
		if err == nil && !read {
			err = s.Skip()
		}
		if err != nil {
			return UnexpectedEnd(err)
		}
	}
	return s.Delimiter('}')
}

// List reads a list; use reads each entry.
func (s *Stream) List(use func() error) error {
	if err := s.Delimiter('['); err != nil {
		return err
	}
	for s.More() {
		if err := use(); err != nil {
			return UnexpectedEnd(err)
		}
	}
	return s.Delimiter(']')
}

// Skip skips a value. It keeps at most one token of it in memory.
func (s *Stream) Skip() error {
	for depth := 0; ; {
		token, err := s.Token()
		if err != nil {
			return UnexpectedEnd(err)
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return nil
		}
	}
}

// SkipEntry skips an entry of a list, which must be an object. It takes half the time of
// skip but keeps the whole entry in memory.
func (s *Stream) SkipEntry() error {
	var nothing struct{}
	return UnexpectedEnd(s.Decode(&nothing))
}

// End checks that nothing follows the document.
func (s *Stream) End() error {
	if _, err := s.Token(); !errors.Is(err, io.EOF) {
		return errors.New("unexpected content after the end")
	}
	return nil
}

// UnexpectedEnd replaces the decoder's io.EOF, which is an error inside a document.
func UnexpectedEnd(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("unexpected end")
	}
	return err
}
