package source

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// streamItem is how many bytes one value may have that is read as a whole: an
// entry of a list, a header. Real ones have a few thousand.
const streamItem = 16 << 20

// stream reads an answer in JSON entry by entry, so that a list may be long and
// memory does not grow with it.
type stream struct {
	*json.Decoder
	in   io.Reader
	read int64
}

// newStream reads the JSON in a reader.
func newStream(in io.Reader) *stream {
	s := &stream{in: in}
	s.Decoder = json.NewDecoder(s)
	return s
}

// Read hands bytes to the decoder, which keeps all of a value that it has not
// come to the end of.
func (s *stream) Read(p []byte) (int, error) {
	if s.read-s.InputOffset() > streamItem {
		return 0, fmt.Errorf("a value is longer than %d MiB", streamItem>>20)
	}
	n, err := s.in.Read(p[:min(len(p), 64<<10)])
	s.read += int64(n)
	return n, err
}

// delimiter reads a bracket or a brace.
func (s *stream) delimiter(want json.Delim) error {
	token, err := s.Token()
	if err != nil {
		return early(err)
	}
	if token != want {
		return fmt.Errorf("%v stands where %v is to stand", token, want)
	}
	return nil
}

// object reads an object. For each of its fields use reads the value, or says
// that it did not.
func (s *stream) object(use func(field string) (read bool, err error)) error {
	if err := s.delimiter('{'); err != nil {
		return err
	}
	for s.More() {
		token, err := s.Token()
		if err != nil {
			return early(err)
		}
		field, _ := token.(string)
		read, err := use(field)
		if err == nil && !read {
			err = s.skip()
		}
		if err != nil {
			return early(err)
		}
	}
	return s.delimiter('}')
}

// list reads a list, whose entries use reads.
func (s *stream) list(use func() error) error {
	if err := s.delimiter('['); err != nil {
		return err
	}
	for s.More() {
		if err := use(); err != nil {
			return early(err)
		}
	}
	return s.delimiter(']')
}

// skip passes over a value.
func (s *stream) skip() error {
	for depth := 0; ; {
		token, err := s.Token()
		if err != nil {
			return early(err)
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

// pass passes over an entry of a list, which is an object, at once: in half the
// time of skip, which holds no more than a word of it.
func (s *stream) pass() error {
	var nothing struct{}
	return early(s.Decode(&nothing))
}

// end reports what follows the answer.
func (s *stream) end() error {
	if _, err := s.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows after its end")
	}
	return nil
}

// early is an error of the decoder in the words of the reader: an end is none
// where an answer is still open.
func early(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("it ends in the middle")
	}
	return err
}

// longestReason bounds what is told of an answer, in bytes.
const longestReason = 300

// notUnderstood says that an answer is not what its server is known to give.
func notUnderstood(kind stat.Kind, address string, err error) error {
	var said *stat.Error
	if errors.As(err, &said) {
		return stat.Errorf(said.Kind, "%s: %v", address, err)
	}
	why := err.Error()
	if len(why) > longestReason { // it may repeat what the server said
		why = strings.ToValidUTF8(why[:longestReason], "") + "…"
	}
	return stat.Errorf(kind, "%s: the answer cannot be understood: %s", address, why)
}

// isMissing reports whether a server says that there is nothing at an address.
func isMissing(err error) bool {
	var failed *fetch.Error
	return errors.As(err, &failed) && failed.Reason == fetch.Missing
}

// errShifted says that the answers to one question are of two releases.
var errShifted = errors.New("the pages are of two releases")
