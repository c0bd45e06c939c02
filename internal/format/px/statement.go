package px

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// Bounds of the statements before the cells, against hostile files. In the largest file
// known they take one megabyte.
const (
	maxHeader     = 64 << 20 // bytes
	maxStatements = 1 << 20  // kept ones
	maxTexts      = 4 << 20  // their keys and values
)

// statement is one keyword and its value: KEYWORD[en]("key","key")="value","value";
type statement struct {
	keyword, language string
	keys, values      []string
	at                stat.Position
}

func (st statement) text() string { return strings.TrimSpace(strings.Join(st.values, " ")) }

type parser struct {
	*text.Scanner
	text   []byte            // of the string being read
	shared map[string]string // the texts so far, so that equal ones share memory
	texts  int
}

// next reads a statement. It stops before the value of DATA and skips the values
// of keywords that are not kept. ok is false at the end of the text.
func (p *parser) next() (st statement, ok bool, err error) {
	p.Space()
	for p.Peek() == ';' { // an empty statement
		p.Skip(1)
		p.Space()
	}
	if p.Offset() > maxHeader {
		return st, false, stat.BadFile(p.At(), "there are more than %d bytes before the cells", maxHeader)
	}
	if !p.Has(1) {
		return st, false, p.Err()
	}
	st.at = p.At()
	if st.keyword, err = p.keyword(); err != nil {
		return st, false, err
	}
	if p.Space(); p.Peek() == '[' {
		p.Skip(1)
		language, closed := p.Until(p.text[:0], "]=;\"", maxHeader)
		if !closed || p.Peek() != ']' {
			return st, false, stat.BadFile(st.at, "missing ] after the language in %s[", st.keyword)
		}
		p.Skip(1)
		st.language = strings.ToLower(strings.TrimSpace(string(language)))
	}
	if p.Space(); p.Peek() == '(' {
		p.Skip(1)
		if st.keys, err = p.list(&st, ')'); err != nil {
			return st, false, err
		}
	}
	if p.Space(); p.Peek() != '=' {
		return st, false, p.unexpected("missing = after " + st.keyword)
	}
	p.Skip(1)
	switch {
	case st.keyword == "DATA":
	case slices.Contains(keptKeywords, st.keyword):
		st.values, err = p.list(&st, ';')
	default:
		err = p.skipValue(st)
	}
	return st, true, err
}

func (p *parser) keyword() (string, error) {
	word := p.text[:0]
	for c := p.Peek(); isWord(c) && len(word) < 64; c = p.Peek() {
		word = append(word, c)
		p.Skip(1)
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

// list reads the keys or the values of a statement: texts in quotation marks and words,
// separated by commas, up to the byte end.
func (p *parser) list(st *statement, end byte) (texts []string, err error) {
	for {
		p.Space()
		var text string
		switch {
		case p.Peek() == '"':
			text, err = p.quoted()
		case end == ')':
			err = p.unexpected("the brackets after " + st.keyword + " must contain texts in quotation marks")
		default:
			text, err = p.word(st)
		}
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
		p.Space()
		switch p.Peek() {
		case ',':
			p.Skip(1)
		case end:
			p.Skip(1)
			return texts, nil
		default:
			err = p.unexpected(fmt.Sprintf("missing comma or %c after a text of %s", end, st.keyword))
			if end == ';' && len(texts) == 1 && slices.Contains(noteKeywords, st.keyword) && p.restOfNote() {
				texts[0], err = p.share()
				return texts, err
			}
			return nil, err
		}
	}
}

// quoted reads a text in quotation marks and its continuations.
func (p *parser) quoted() (string, error) {
	p.text = p.text[:0]
	at := p.At()
	for p.Peek() == '"' {
		p.Skip(1)
		var closed bool
		if p.text, closed = p.Until(p.text, "\"\x00", maxHeader); !closed {
			return "", p.BadFile(at, "the text that begins here has no closing quotation mark: %s", shorten(string(p.text)))
		}
		if p.Peek() == 0 {
			return "", stat.BadFile(p.At(), "a text contains a zero byte; the file is damaged, or not text")
		}
		p.Skip(1)
		p.Space()
	}
	return p.share()
}

var (
	laterStatement = regexp.MustCompile(`(?i);\s*[a-z][a-z0-9_-]+\s*(\[[a-z-]+\])?\s*[(=]`)
	joinedLines    = regexp.MustCompile(`"\s*\n\s*"`)
)

// restOfNote reads the rest of a note with quotation marks of its own, which ends before the
// next statement. It reports false if the text may contain that, since its end is missing.
func (p *parser) restOfNote() bool {
	if laterStatement.Match(p.text) {
		return false
	}
	p.text = append(p.text, '"') // which did not end the text
	for isClosed := true; ; p.Skip(1) {
		if p.text, isClosed = p.Until(p.text, ";\x00", maxHeader); !isClosed || p.Peek() != ';' {
			return false
		}
		p.Has(80)
		if at := laterStatement.FindIndex(p.Ahead()[:min(len(p.Ahead()), 80)]); at != nil && at[0] == 0 {
			break
		}
		p.text = append(p.text, ';')
	}
	p.Skip(1)
	p.text = bytes.TrimRight(joinedLines.ReplaceAll(p.text, nil), "\" \r\n")
	return true
}

// word reads a value without quotation marks: YES, 2, TLIST(A1) or
// TLIST(A1,"1994"-"1996").
func (p *parser) word(st *statement) (string, error) {
	p.text = p.text[:0]
	for c := p.Peek(); isWord(c) || c == '.' || c == '+'; c = p.Peek() {
		p.text = append(p.text, c)
		p.Skip(1)
	}
	if len(p.text) == 0 {
		return "", p.unexpected("a value of " + st.keyword + " must be a text in quotation marks, a number, YES or NO")
	}
	if p.Peek() == '(' {
		var closed bool
		if p.text, closed = p.Until(p.text, ");", maxHeader); !closed || p.Peek() != ')' {
			return "", stat.BadFile(st.at, "missing ) in %s after %s", st.keyword, shorten(string(p.text)))
		}
		p.Skip(1)
	}
	return p.share()
}

// share returns p.text as a string, the same one for equal texts.
func (p *parser) share() (string, error) {
	if p.texts++; p.texts > maxTexts {
		return "", stat.BadFile(p.At(), "there are more than %d texts before the cells", maxTexts)
	}
	text, ok := p.shared[string(p.text)]
	if !ok {
		text = string(p.text)
		p.shared[text] = text
	}
	return text, nil
}

func (p *parser) skipValue(st statement) error {
	for {
		var closed bool
		if p.text, closed = p.Until(p.text[:0], "\";=", maxHeader); !closed {
			return p.BadFile(st.at, "missing semicolon after the statement %s", st.keyword)
		}
		switch p.Peek() {
		case '=':
			return p.unexpected("missing semicolon after the statement " + st.keyword)
		case ';':
			p.Skip(1)
			return nil
		}
		p.Skip(1)
		if p.text, closed = p.Until(p.text[:0], "\"", maxHeader); !closed {
			return p.BadFile(st.at, "a text of %s has no closing quotation mark", st.keyword)
		}
		p.Skip(1)
	}
}

func (p *parser) unexpected(want string) error {
	found := "the end of the file"
	if p.Has(1) {
		p.Has(40)
		found = shorten(string(p.Ahead()[:min(len(p.Ahead()), 60)]))
	}
	return p.BadFile(p.At(), "%s; found %s", want, found)
}

// shorten quotes the beginning of a text for a message.
func shorten(text string) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text[:min(len(text), 60)], "")), " ")
	return "“" + text + "”"
}
