package sdmxml

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"almanac/internal/stat"
)

// Bounds of a message, against hostile files.
const (
	maxDepth      = 64
	maxAttributes = 256
	maxTag        = 1 << 20 // bytes of a tag
	chunk         = 64 << 10
)

// token is a kind of token.
type token uint8

const (
	tokenEnd   token = iota // the document is at its end
	tokenOpen               // a start tag: name, attributes
	tokenClose              // an end tag, or the end of an element written <a/>
	tokenText               // text that is not only white space
)

// field is an attribute of an element, or an element in place of one in generic
// data.
type field struct {
	prefix, name, value []byte
	part                part
}

// scanner reads XML as far as SDMX-ML uses it: elements, attributes, text,
// the five entities and character references. It skips comments and processing
// instructions, and refuses a document type definition. It holds one tag at a
// time, and the next overwrites what it returns.
//
// It replaces encoding/xml, which takes ten times as long and allocates for every
// attribute.
type scanner struct {
	in  *bufio.Reader
	eof bool
	buf []byte // what in has in its buffer
	r   int    // buf[r:] is not read yet

	counted int // the lines of buf[:counted] are counted
	lines   int // line breaks before counted
	column  int // bytes between the last of them and counted

	names   []byte // of the open elements, one after another
	starts  []int  // where each begins
	rooted  bool   // the root was read
	closing bool   // the last start tag was <a/>

	place  stat.Position // of the last start tag
	name   []byte        // of that tag, without its prefix
	prefix []byte
	fields []field
	text   []byte

	isPrefixed bool // some field has a prefix or declares a namespace
}

func newScanner(in io.Reader) *scanner {
	return &scanner{in: bufio.NewReaderSize(in, maxTag)}
}

// at is the position of buf[i], which must not be before that of an earlier call.
func (s *scanner) at(i int) stat.Position {
	if passed := s.buf[s.counted:i]; len(passed) > 0 {
		if n := bytes.Count(passed, []byte{'\n'}); n > 0 {
			s.lines += n
			s.column = len(passed) - 1 - bytes.LastIndexByte(passed, '\n')
		} else {
			s.column += len(passed)
		}
		s.counted = i
	}
	return stat.Position{Line: s.lines + 1, Column: s.column + 1}
}

func (s *scanner) bad(message string, args ...any) error {
	return stat.BadFile(s.at(s.r), message, args...)
}

// fill moves buf[r:] to the front and reads more. It fails at the end of the
// file: the document is incomplete.
func (s *scanner) fill() error {
	if s.eof {
		s.r = len(s.buf)
		if !s.rooted {
			return s.bad("the file has no SDMX message")
		}
		return s.bad("the file ends in the middle of <%s>: it is cut off", s.open())
	}
	s.at(s.r)
	_, _ = s.in.Discard(s.r) // cannot fail: they are in the buffer
	s.r, s.counted = 0, s.counted-s.r
	_, err := s.in.Peek(s.in.Buffered() + 1)
	s.buf, _ = s.in.Peek(s.in.Buffered())
	switch {
	case errors.Is(err, io.EOF):
		s.eof = true
	case errors.Is(err, bufio.ErrBufferFull):
		return s.bad("a tag of more than %d bytes", maxTag)
	case err != nil:
		return err
	}
	return nil
}

// open is the name of the innermost open element.
func (s *scanner) open() []byte {
	if len(s.starts) == 0 {
		return nil
	}
	return s.names[s.starts[len(s.starts)-1]:]
}

func (s *scanner) next() (token, error) {
	if s.closing {
		s.closing = false
		return tokenClose, nil
	}
	for {
		some, err := s.characters()
		if some || err != nil {
			return tokenText, err
		}
		if s.r == len(s.buf) { // only after the root
			return tokenEnd, nil
		}
		for len(s.buf)-s.r < 2 {
			if err := s.fill(); err != nil {
				return 0, err
			}
		}
		switch s.buf[s.r+1] {
		case '!':
			some, err = s.declaration()
		case '?':
			err = s.skipTo("<?", "?>")
		case '/':
			return tokenClose, s.endTag()
		default:
			return tokenOpen, s.startTag()
		}
		if some || err != nil {
			return tokenText, err
		}
	}
}

// characters reads text up to the next tag, or a piece of long text; some is
// false if there is only white space.
func (s *scanner) characters() (some bool, err error) {
	for {
		size := bytes.IndexByte(s.buf[s.r:], '<')
		found := size >= 0
		if !found {
			size = len(s.buf) - s.r
		}
		blank := 0
		for blank < size && isSpace(s.buf[s.r+blank]) {
			blank++
		}
		if !found && blank == size {
			s.r = len(s.buf)
			if s.eof && s.rooted && len(s.starts) == 0 {
				return false, nil
			}
			if err := s.fill(); err != nil {
				return false, err
			}
			continue
		}
		if blank == size {
			s.r += size
			return false, nil
		}
		if len(s.starts) == 0 {
			s.r += blank
			return false, s.bad("text outside of the message: %.20q", s.buf[s.r:])
		}
		if !found && size < chunk {
			if err := s.fill(); err != nil {
				return false, err
			}
			continue
		}
		if !found {
			// A piece must not end in the middle of an entity.
			if and := bytes.LastIndexByte(s.buf[s.r:s.r+size], '&'); and > size-maxEntity {
				size = and
			}
		}
		if s.text, err = unescape(s.text[:0], s.buf[s.r:s.r+size]); err != nil {
			return false, s.bad("%v", err)
		}
		s.r += size
		return true, nil
	}
}

// declaration reads what begins with <!; some is true for a section with text.
func (s *scanner) declaration() (some bool, err error) {
	const comment, section, end = "<!--", "<![CDATA[", "]]>"
	for len(s.buf)-s.r < len(section) && !s.eof {
		if err := s.fill(); err != nil {
			return false, err
		}
	}
	switch head := s.buf[s.r:]; {
	case bytes.HasPrefix(head, []byte(comment)):
		return false, s.skipTo(comment, "-->")
	case bytes.HasPrefix(head, []byte("<!DOCTYPE")):
		return false, s.bad("the file has a document type definition, which SDMX messages do not have")
	case !bytes.HasPrefix(head, []byte(section)):
		return false, s.bad("%.12q is neither a tag nor a comment", head)
	case len(s.starts) == 0:
		return false, s.bad("text outside of the message")
	}
	size, err := s.find(end)
	if err != nil {
		return false, err
	}
	s.text = append(s.text[:0], s.buf[s.r+len(section):s.r+size]...)
	s.r += size + len(end)
	return len(bytes.TrimSpace(s.text)) > 0, nil
}

// find returns the number of bytes before the next end.
func (s *scanner) find(end string) (size int, err error) {
	for {
		if size = bytes.Index(s.buf[s.r:], []byte(end)); size >= 0 {
			return size, nil
		}
		if err := s.fill(); err != nil {
			return 0, err
		}
	}
}

// skipTo skips from begin to behind the next end, however far that is.
func (s *scanner) skipTo(begin, end string) error {
	s.r += len(begin)
	for {
		if size := bytes.Index(s.buf[s.r:], []byte(end)); size >= 0 {
			s.r += size + len(end)
			return nil
		}
		s.r = max(s.r, len(s.buf)-len(end)+1)
		if err := s.fill(); err != nil {
			return err
		}
	}
}

// endTag reads an end tag, which must close the innermost open element.
func (s *scanner) endTag() error {
	size, err := s.find(">")
	if err != nil {
		return err
	}
	name := bytes.TrimRight(s.buf[s.r+2:s.r+size], " \t\r\n")
	if len(s.starts) == 0 {
		return s.bad("unexpected </%.40s>", name)
	}
	if open := s.open(); !bytes.Equal(name, open) {
		return s.bad("unexpected </%.40s>: <%.40s> must be closed first", name, open)
	}
	last := len(s.starts) - 1
	s.names, s.starts = s.names[:s.starts[last]], s.starts[:last]
	s.r += size + 1
	return nil
}

// skip reads the element whose start tag was read last to its end.
func (s *scanner) skip() error {
	for depth := 1; depth > 0; {
		t, err := s.next()
		switch {
		case err != nil:
			return err
		case t == tokenOpen:
			depth++
		case t == tokenClose:
			depth--
		}
	}
	return nil
}

// content reads the text of the element whose start tag was read last, without
// that of the elements in it.
func (s *scanner) content() (string, error) {
	var text []byte
	for {
		t, err := s.next()
		if err == nil && t == tokenOpen {
			err = s.skip()
		}
		switch {
		case err != nil:
			return "", err
		case t == tokenClose:
			return string(bytes.TrimSpace(text)), nil
		case t == tokenText:
			if text = append(text, s.text...); len(text) > chunk {
				return "", s.bad("a text of more than %d bytes", chunk)
			}
		}
	}
}

// children calls visit at the start tag of each element in the one whose start
// tag was read last; visit reads it to its end.
func (s *scanner) children(visit func() error) error {
	for {
		t, err := s.next()
		if err != nil {
			return err
		}
		switch t {
		case tokenClose:
			return nil
		case tokenOpen:
			if err := visit(); err != nil {
				return err
			}
		}
	}
}

// attribute is the value of an attribute of the last start tag; "" if it has
// none of that name.
func (s *scanner) attribute(name string) string { return string(s.raw(name)) }

// raw is the value of an attribute until the next tag is read.
func (s *scanner) raw(name string) []byte {
	for _, f := range s.fields {
		if string(f.name) == name && string(f.prefix) != "xmlns" {
			return f.value
		}
	}
	return nil
}
