package sdmxml

import (
	"bytes"
	"encoding/xml"
	"errors"
	"regexp"
	"strings"

	"almanac/internal/stat"
)

// Classes of bytes.
const (
	inName  = 1 << iota // part of a name
	atStart             // the first of a name
	plain               // part of a value that needs no decoding
	blanks              // white space
)

var classes = makeClasses()

func makeClasses() (classes [256]uint8) {
	for c := range 256 {
		switch {
		case c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c >= 0x80:
			classes[c] = inName | atStart | plain
		case c >= '0' && c <= '9' || c == '-' || c == '.':
			classes[c] = inName | plain
		case c == ' ':
			classes[c] = blanks | plain
		case strings.IndexByte(spaces, byte(c)) >= 0:
			classes[c] = blanks
		case c > ' ' && strings.IndexByte(`"'<&`, byte(c)) < 0: // XML does not allow other control characters
			classes[c] = plain
		}
	}
	return classes
}

// startTag reads a start tag. If the buffer ends within it, it is read again when more
// is buffered.
func (s *scanner) startTag() error {
	s.place = s.in.At()
	for {
		s.tag, s.i = s.in.Ahead(), len("<")
		err := s.parseTag()
		if err == nil {
			break
		}
		if s.i >= len(s.tag) {
			err = s.more()
		}
		if err != nil {
			return err
		}
	}
	s.in.Skip(s.i)
	for i := range s.fields {
		f := &s.fields[i]
		if !s.isEscaped || !bytes.ContainsAny(f.value, "&\t\n\r") {
			continue
		}
		var err error
		if f.value, err = unescape(f.value); err != nil {
			return stat.BadFile(s.place, "the value of %s: %v", f.name, err)
		}
	}
	switch {
	case s.depth == 0 && s.hasRoot:
		return stat.BadFile(s.place, "a second element <%.40s> after the end of the message", s.name)
	case s.isSelfClosing:
	case s.depth == maxDepth:
		return stat.BadFile(s.place, "elements are nested more than %d deep", maxDepth)
	default:
		open := s.open[s.depth][:0]
		if len(s.prefix) > 0 {
			open = append(append(open, s.prefix...), ':')
		}
		s.open[s.depth] = append(open, s.name...)
		s.depth++
	}
	s.hasRoot = true
	return nil
}

// plainSpaces replaces each white space character or line break by a space, as XML
// requires in values, and makes a value fit for the text of an element.
var plainSpaces = strings.NewReplacer("\r\n", " ", "\t", " ", "\n", " ", "\r", " ", ">", "&gt;")

// surrogate matches a reference to one of the code points d800 to dfff (55296 to 57343).
var surrogate = regexp.MustCompile(`(?i)&#(x0*d[89a-f]..|0*55(29[6-9]|[3-9]..)|0*56...|0*57([0-2]..|3[0-3].|34[0-3]));`)

// unescape replaces entities by characters, and white space by plain spaces.
func unescape(text []byte) ([]byte, error) {
	var element struct {
		Text []byte `xml:",chardata"`
	}
	err := xml.Unmarshal([]byte("<x>"+plainSpaces.Replace(string(text))+"</x>"), &element)
	if surrogate.Match(text) {
		err = errors.New("a reference to a character that XML does not have")
	}
	var syntax *xml.SyntaxError
	if errors.As(err, &syntax) {
		err = errors.New(syntax.Msg + " (write & as &amp;)")
	}
	return element.Text, err
}

// parseTag parses the start tag at tag[i:]. If it fails with i at the end of tag, the
// buffer ends within the tag.
func (s *scanner) parseTag() (err error) {
	s.fields, s.isPrefixed, s.isEscaped, s.isSelfClosing = s.fields[:0], false, false, false
	s.prefix, s.name, err = s.readName()
	for err == nil {
		hasSpace := len(s.run(blanks)) > 0
		if s.isSelfClosing = s.peek() == '/'; s.isSelfClosing {
			s.i++
		}
		switch c := s.peek(); {
		case c == '>':
			s.i++
			return nil
		case s.isSelfClosing || !hasSpace:
			return s.bad("unexpected %q in <%.40s>: want a space or the end of the tag", c, s.name)
		}
		err = s.readField()
	}
	return err
}

// peek returns the next byte of the tag, or 0 at the end of the buffer.
func (s *scanner) peek() byte {
	if s.i < len(s.tag) {
		return s.tag[s.i]
	}
	return 0
}

// run reads bytes of a class.
func (s *scanner) run(class uint8) []byte {
	tag, i := s.tag, s.i
	for i < len(tag) && classes[tag[i]]&class != 0 {
		i++
	}
	run := tag[s.i:i]
	s.i = i
	return run
}

// readName reads a name, which may have a prefix.
func (s *scanner) readName() (prefix, name []byte, err error) {
	for {
		if classes[s.peek()]&atStart == 0 {
			return nil, nil, s.bad("unexpected %q: want a name", s.peek())
		}
		name = s.run(inName)
		switch {
		case s.peek() != ':':
			return prefix, name, nil
		case prefix != nil:
			return nil, nil, s.bad("name with two colons: %.40q", s.tag[s.i-len(prefix)-1-len(name):])
		}
		prefix = name
		s.i++
	}
}

func (s *scanner) readField() (err error) {
	var f field
	if f.prefix, f.name, err = s.readName(); err != nil {
		return err
	}
	if f.value, err = s.readValue(f.name); err != nil {
		return err
	}
	if len(s.fields) == maxAttributes {
		return s.bad("<%.40s> has more than %d attributes", s.name, maxAttributes)
	}
	for j := range s.fields {
		if known := &s.fields[j]; len(known.name) == len(f.name) && bytes.Equal(known.name, f.name) && bytes.Equal(known.prefix, f.prefix) {
			return s.bad("<%.40s> has the attribute %.40s twice", s.name, f.name)
		}
	}
	s.isPrefixed = s.isPrefixed || len(f.prefix) > 0 || string(f.name) == "xmlns"
	s.fields = append(s.fields, f)
	return nil
}

// readValue reads ="value".
func (s *scanner) readValue(name []byte) ([]byte, error) {
	s.run(blanks)
	if s.peek() != '=' {
		return nil, s.bad("the attribute %.40s of <%.40s> has no value", name, s.name)
	}
	s.i++
	s.run(blanks)
	quote := s.peek()
	if quote != '"' && quote != '\'' {
		return nil, s.bad("the value of %.40s in <%.40s> does not begin with a quotation mark", name, s.name)
	}
	s.i++
	for first := s.i; ; s.i++ {
		s.run(plain)
		switch c := s.peek(); {
		case c == quote:
			s.i++
			return s.tag[first : s.i-1], nil
		case c == '<' || c < ' ' && classes[c]&blanks == 0:
			return nil, s.bad("the value of %.40s in <%.40s> contains %q", name, s.name, c)
		case c != '"' && c != '\'':
			s.isEscaped = true
		}
	}
}
