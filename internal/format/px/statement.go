package px

import (
	"strings"

	"almanac/internal/stat"
)

// Bounds of what stands before the cells, so that no file takes memory without
// end. The largest header known has one megabyte.
const (
	maxHeader     = 64 << 20 // bytes
	maxStatements = 1 << 20  // that are kept
	maxTexts      = 4 << 20  // keys and values in them
)

// statement is one keyword with what it says: KEYWORD[en]("key","key")="value","value";
type statement struct {
	keyword, language string
	keys, values      []string
	at                stat.Position
}

// parser reads statements.
type parser struct {
	*scanner
	text   []byte            // the string being read
	shared map[string]string // the texts met so far, so that equal ones are kept once
	texts  int
}

// next reads a statement. The one with the keyword DATA ends before its value;
// of those that are not kept the value is passed over. ok is false at the end
// of the text.
func (p *parser) next() (st statement, ok bool, err error) {
	p.space()
	for p.peek() == ';' { // an empty statement
		p.skip()
		p.space()
	}
	if p.offset() > maxHeader {
		return st, false, stat.BadFile(p.place(), "there are more than %d bytes before the cells", maxHeader)
	}
	if p.peek() == 0 && !p.need(1) {
		return st, false, p.failure()
	}
	st.at = p.place()
	if st.keyword, err = p.keyword(); err != nil {
		return st, false, err
	}
	if p.space(); p.peek() == '[' {
		p.skip()
		language, closed := p.until(p.text[:0], "]=;\"")
		if !closed || p.peek() != ']' {
			return st, false, stat.BadFile(st.at, "after %s[ there is no ], which ends a language", st.keyword)
		}
		p.skip()
		st.language = strings.ToLower(strings.TrimSpace(string(language)))
	}
	if p.space(); p.peek() == '(' {
		p.skip()
		if err := p.keys(&st); err != nil {
			return st, false, err
		}
	}
	if p.space(); p.peek() != '=' {
		return st, false, p.unexpected("after " + st.keyword + " a = must follow")
	}
	p.skip()
	switch {
	case st.keyword == "DATA":
		return st, true, nil
	case !kept[st.keyword]:
		return st, true, p.pass(st)
	}
	return st, true, p.values(&st)
}

func (p *parser) keyword() (string, error) {
	word := p.text[:0]
	for c := p.peek(); isWord(c) && len(word) < 64; c = p.peek() {
		word = append(word, c)
		p.skip()
	}
	if len(word) == 0 {
		return "", p.unexpected("a statement begins with a keyword, such as VALUES")
	}
	name := strings.ToUpper(string(word))
	if other, ok := spellings[name]; ok {
		return other, nil
	}
	return name, nil
}

func isWord(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '_'
}

// keys reads the texts in the brackets after a keyword.
func (p *parser) keys(st *statement) error {
	return p.list(')', "in the brackets after "+st.keyword+" a comma or ) must follow", func() error {
		if p.peek() != '"' {
			return p.unexpected("in the brackets after " + st.keyword + " a text in quotation marks must stand")
		}
		text, err := p.quoted()
		st.keys = append(st.keys, text)
		return err
	})
}

// values reads what stands after the =, up to the semicolon: texts in
// quotation marks, which may go on after white space, and words without.
func (p *parser) values(st *statement) error {
	return p.list(';', "after a value of "+st.keyword+" a comma or a semicolon must follow", func() (err error) {
		var text string
		if p.peek() == '"' {
			text, err = p.quoted()
		} else {
			text, err = p.word(st)
		}
		st.values = append(st.values, text)
		return err
	})
}

// list reads items with commas between, up to the byte end; want says what is
// to follow an item.
func (p *parser) list(end byte, want string, item func() error) error {
	for {
		p.space()
		if err := item(); err != nil {
			return err
		}
		p.space()
		switch p.peek() {
		case ',':
			p.skip()
		case end:
			p.skip()
			return nil
		default:
			return p.unexpected(want)
		}
	}
}

// quoted reads a text in quotation marks with all that goes on after it.
func (p *parser) quoted() (string, error) {
	p.text = p.text[:0]
	at := p.place()
	for p.peek() == '"' {
		p.skip()
		var closed bool
		if p.text, closed = p.until(p.text, "\"\x00"); !closed {
			return "", p.broken(at, "the text that begins here has no quotation mark at its end: %s", shorten(string(p.text)))
		}
		if p.peek() == 0 {
			return "", stat.BadFile(p.place(), "a zero byte stands in a text; the file is damaged, or no text")
		}
		p.skip()
		p.space()
	}
	return p.share()
}

// word reads a value without quotation marks: YES, 2, TLIST(A1) or
// TLIST(A1,"1994"-"1996").
func (p *parser) word(st *statement) (string, error) {
	p.text = p.text[:0]
	for c := p.peek(); isWord(c) || c == '.' || c == '+'; c = p.peek() {
		p.text = append(p.text, c)
		p.skip()
	}
	if len(p.text) == 0 {
		return "", p.unexpected("a value of " + st.keyword + " is a text in quotation marks, a number, YES or NO")
	}
	if p.peek() == '(' {
		var closed bool
		if p.text, closed = p.until(p.text, ");"); !closed || p.peek() != ')' {
			return "", stat.BadFile(st.at, "%s has no ) after %s", st.keyword, shorten(string(p.text)))
		}
		p.skip()
	}
	return p.share()
}

// share is p.text as a string, the same one for equal texts.
func (p *parser) share() (string, error) {
	if p.texts++; p.texts > maxTexts {
		return "", stat.BadFile(p.place(), "there are more than %d texts before the cells", maxTexts)
	}
	if known, ok := p.shared[string(p.text)]; ok {
		return known, nil
	}
	text := string(p.text)
	p.shared[text] = text
	return text, nil
}

// pass passes over the value of a statement that is not needed.
func (p *parser) pass(st statement) error {
	for {
		var closed bool
		if p.text, closed = p.until(p.text[:0], "\";="); !closed {
			return p.broken(st.at, "the statement %s has no semicolon at its end", st.keyword)
		}
		switch p.peek() {
		case '=':
			return p.unexpected("the statement " + st.keyword + " before has no semicolon at its end")
		case ';':
			p.skip()
			return nil
		}
		p.skip()
		if p.text, closed = p.until(p.text[:0], "\""); !closed {
			return p.broken(st.at, "a text of %s has no quotation mark at its end", st.keyword)
		}
		p.skip()
	}
}

// unexpected is the error for a byte that cannot stand where it does.
func (p *parser) unexpected(want string) error {
	found := "the end of the file"
	if p.need(1) {
		p.need(40)
		found = shorten(string(p.buffer[p.i:min(p.end, p.i+60)]))
	}
	return p.cutOff("%s; found %s", want, found)
}

// shorten quotes the beginning of a text, for a message.
func shorten(text string) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text[:min(len(text), 60)], "")), " ")
	return "“" + text + "”"
}
