package sdmxml

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf8"

	"almanac/internal/stat"
)

// Classes of bytes.
const (
	inName  = 1 << iota // part of a name
	atStart             // the first of a name
	plain               // part of a value, as it is
	blanks              // white space
)

var classes = makeClasses()

func makeClasses() (classes [256]uint8) {
	for c := range 256 {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == ':' || c >= 0x80
		if letter {
			classes[c] |= inName | atStart
		}
		if c >= '0' && c <= '9' || c == '-' || c == '.' {
			classes[c] |= inName
		}
		switch c {
		case ' ':
			classes[c] |= blanks | plain
		case '\t', '\n', '\r':
			classes[c] |= blanks
		case '"', '\'', '<', '&':
		default:
			if c > ' ' { // XML does not allow other control characters
				classes[c] |= plain
			}
		}
	}
	return classes
}

func isSpace(c byte) bool { return classes[c]&blanks != 0 }

// startTag reads the start tag at buf[r]. A tag that is not whole in the buffer is
// read again from its beginning when there is more.
func (s *scanner) startTag() error {
	for {
		end, escaped, err := s.parseTag()
		if err != nil {
			return err
		}
		if end > 0 {
			if escaped {
				return s.finishEscaped(end)
			}
			return s.finishTag(end)
		}
		if err := s.fill(); err != nil {
			return err
		}
	}
}

// finishEscaped replaces entities by characters, which are never longer, in the
// buffer. The lines of the tag are counted before.
func (s *scanner) finishEscaped(end int) error {
	s.at(end)
	for i := range s.fields {
		value := s.fields[i].value
		if bytes.ContainsAny(value, "&\t\n\r") {
			value = whiten(value)
			decoded, err := unescape(value[:0], value)
			if err != nil {
				return stat.BadFile(s.place, "the value of %s: %v", s.fields[i].name, err)
			}
			s.fields[i].value = decoded
		}
	}
	return s.finishTag(end)
}

// finishTag opens the element whose tag ends before buf[end].
func (s *scanner) finishTag(end int) error {
	if len(s.starts) == 0 {
		if s.rooted {
			return stat.BadFile(s.place, "a second element <%.40s> after the end of the message", s.name)
		}
		s.rooted = true
	}
	if s.closing = s.buf[end-2] == '/'; !s.closing {
		if len(s.starts) == maxDepth {
			return stat.BadFile(s.place, "elements are nested more than %d deep", maxDepth)
		}
		s.starts = append(s.starts, len(s.names))
		if len(s.prefix) > 0 {
			s.names = append(append(s.names, s.prefix...), ':')
		}
		s.names = append(s.names, s.name...)
	}
	s.r = end
	return nil
}

// parseTag reads the tag at buf[r]. end is behind it, or 0 if the buffer ends
// before; escaped is true if some value has more than plain characters.
func (s *scanner) parseTag() (end int, escaped bool, err error) {
	s.fields, s.isPrefixed = s.fields[:0], false
	s.place = s.at(s.r)
	buf := s.buf
	i := s.r + 1
	if s.prefix, s.name, i, err = s.readName(i); err != nil || i == len(buf) {
		return 0, false, err
	}
	for {
		before := i
		for i < len(buf) && isSpace(buf[i]) {
			i++
		}
		if i+1 >= len(buf) && (i == len(buf) || buf[i] != '>') {
			return 0, false, nil
		}
		switch {
		case buf[i] == '>':
			return i + 1, escaped, nil
		case buf[i] == '/' && buf[i+1] == '>':
			return i + 2, escaped, nil
		case before == i:
			return 0, false, s.bad("unexpected %q in <%.40s>: want a space or the end of the tag", buf[i], s.name)
		}
		var f field
		if f.prefix, f.name, i, err = s.readName(i); err != nil || i == len(buf) {
			return 0, false, err
		}
		var special bool
		if f.value, i, special, err = s.readValue(i, f.name); err != nil || i == len(buf) {
			return 0, false, err
		}
		escaped = escaped || special
		if len(s.fields) == maxAttributes {
			return 0, false, s.bad("<%.40s> has more than %d attributes", s.name, maxAttributes)
		}
		for j := range s.fields {
			if known := &s.fields[j]; len(known.name) == len(f.name) && bytes.Equal(known.name, f.name) && bytes.Equal(known.prefix, f.prefix) {
				return 0, false, s.bad("<%.40s> has the attribute %.40s twice", s.name, f.name)
			}
		}
		s.isPrefixed = s.isPrefixed || len(f.prefix) > 0 || string(f.name) == "xmlns"
		s.fields = append(s.fields, f)
	}
}

// readName reads a name at buf[i], which may have a prefix; end is behind it.
func (s *scanner) readName(i int) (prefix, name []byte, end int, err error) {
	buf := s.buf
	if i < len(buf) && classes[buf[i]]&atStart == 0 {
		return nil, nil, 0, s.bad("unexpected %q: want a name", buf[i])
	}
	first, colon := i, -1
	for i < len(buf) && classes[buf[i]]&inName != 0 {
		if buf[i] == ':' {
			if colon >= 0 {
				return nil, nil, 0, s.bad("name with two colons: %.40q", buf[first:])
			}
			colon = i
		}
		i++
	}
	if colon > first && colon+1 < i {
		return buf[first:colon], buf[colon+1 : i], i, nil
	}
	return nil, buf[first:i], i, nil
}

// readValue reads ="value" at buf[i]; end is behind it, or at the end of the
// buffer if the value is not whole. special is true if it has entities or white
// space other than plain spaces.
func (s *scanner) readValue(i int, name []byte) (value []byte, end int, special bool, err error) {
	buf := s.buf
	for i < len(buf) && isSpace(buf[i]) {
		i++
	}
	if i < len(buf) && buf[i] != '=' {
		return nil, 0, false, s.bad("the attribute %.40s of <%.40s> has no value", name, s.name)
	}
	i++
	for i < len(buf) && isSpace(buf[i]) {
		i++
	}
	if i >= len(buf) {
		return nil, len(buf), false, nil
	}
	quote := buf[i]
	if quote != '"' && quote != '\'' {
		return nil, 0, false, s.bad("the value of %.40s in <%.40s> does not begin with a quotation mark", name, s.name)
	}
	i++
	first := i
	for i < len(buf) {
		c := buf[i]
		if classes[c]&plain != 0 {
			i++
			continue
		}
		if c == quote {
			return buf[first:i], i + 1, special, nil
		}
		if c == '<' || c < ' ' && !isSpace(c) {
			return nil, 0, false, s.bad("the value of %.40s in <%.40s> holds %q", name, s.name, c)
		}
		special = special || c != '"' && c != '\''
		i++
	}
	return nil, len(buf), false, nil
}

// whiten replaces white space by plain spaces, as XML requires in values; a line
// break of two characters is one.
func whiten(value []byte) []byte {
	white := value[:0]
	for i, c := range value {
		if c == '\r' && i+1 < len(value) && value[i+1] == '\n' {
			continue
		}
		if isSpace(c) {
			c = ' '
		}
		white = append(white, c)
	}
	return white
}

// maxEntity is more than the length of any entity, such as &#x0010FFFF;
const maxEntity = 16

// unescape appends text to into and replaces entities by characters. into may be
// text[:0].
func unescape(into, text []byte) ([]byte, error) {
	for {
		and := bytes.IndexByte(text, '&')
		if and < 0 {
			return append(into, text...), nil
		}
		into = append(into, text[:and]...)
		text = text[and+1:]
		size := bytes.IndexByte(text[:min(len(text), maxEntity)], ';')
		if size < 0 {
			return nil, fmt.Errorf("& must be written &amp;")
		}
		r, ok := entity(text[:size])
		if !ok {
			return nil, fmt.Errorf("unknown entity &%s;", text[:size])
		}
		into = utf8.AppendRune(into, r)
		text = text[size+1:]
	}
}

// entities are the characters with a name.
var entities = map[string]rune{"lt": '<', "gt": '>', "amp": '&', "quot": '"', "apos": '\''}

// entity is the character that an entity stands for.
func entity(name []byte) (r rune, ok bool) {
	if r, ok := entities[string(name)]; ok {
		return r, true
	}
	if len(name) < 2 || name[0] != '#' {
		return 0, false
	}
	digits, base := name[1:], 10
	if digits[0] == 'x' {
		digits, base = digits[1:], 16
	}
	code, err := strconv.ParseUint(string(digits), base, 31)
	if err != nil || !utf8.ValidRune(rune(code)) || code == 0xFFFE || code == 0xFFFF || code < ' ' && code != '\t' && code != '\n' && code != '\r' {
		return 0, false
	}
	return rune(code), true
}
