// Package jsonscan reads JSON files of any size token by token, with the line
// and column of every token, and refuses what the grammar does not allow.
package jsonscan

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"almanac/internal/stat"
)

// Bounds of JSON text, against hostile files.
const (
	maxJSONDepth = 64
	maxJSONText  = 1 << 20 // bytes of a string or number
)

// Kind is what a [Token] is: the byte it begins with in the text, but
// for numbers, the names in objects, and the end.
type Kind byte

// The kinds of tokens.
const (
	Object    Kind = '{'
	ObjectEnd Kind = '}'
	Array     Kind = '['
	ArrayEnd  Kind = ']'
	Name      Kind = ':' // of a field, in an object
	String    Kind = '"'
	Number    Kind = '0'
	True      Kind = 't'
	False     Kind = 'f'
	Null      Kind = 'n'
	End       Kind = 0 // the text is at its end
)

// Token is one token and where it begins; the column counts bytes. Text
// is what a string, name or number says, and is overwritten by the next token.
type Token struct {
	Kind Kind
	Text []byte
	At   stat.Position
}

// Scanner reads JSON text token by token. It keeps the grammar, knows the place
// of every token, and holds no more than one token at a time.
type Scanner struct {
	in     *bufio.Reader
	at     stat.Position // of the next byte
	stack  []byte        // { and [ that are open
	before Kind          // the last token but for commas; 0 at the start
	comma  bool          // a comma stands since
	text   []byte
	path   []byte
}

// New makes a reader of JSON text in UTF-8 (see [text.Open]).
func New(r io.Reader) *Scanner {
	return &Scanner{in: bufio.NewReaderSize(r, 64<<10), at: stat.Position{Line: 1, Column: 1}}
}

// Next reads the next token. Errors of the text are a [stat.FileError].
func (j *Scanner) Next() (Token, error) {
	c, err := j.punctuation()
	if err == io.EOF {
		if j.before == 0 || len(j.stack) > 0 {
			return Token{}, stat.BadFile(j.at, "the text ends in the middle: the file is cut off, or was not loaded to its end")
		}
		return Token{At: j.at}, nil
	}
	if err != nil {
		return Token{}, err
	}
	token := Token{Kind: Kind(c), At: stat.Position{Line: j.at.Line, Column: j.at.Column - 1}}
	if err := j.allowed(&token); err != nil {
		return token, err
	}
	if err := j.finish(&token, c); err != nil {
		return token, err
	}
	j.before, j.comma = token.Kind, false
	return token, nil
}

// punctuation passes over white space and the commas and colons that are in
// their places, and returns the first byte of a token.
func (j *Scanner) punctuation() (byte, error) {
	if j.before == Name {
		if c, err := j.afterSpace(); err != nil || c != ':' {
			return 0, j.unexpected(c, err, "a colon after the name of a field")
		}
		return j.first()
	}
	c, err := j.afterSpace()
	if err != nil || c != ',' {
		return c, err
	}
	if len(j.stack) == 0 || j.before == Object || j.before == Array {
		return 0, j.unexpected(c, nil, "a value")
	}
	j.comma = true
	return j.first()
}

// first is the first byte of a token that must follow.
func (j *Scanner) first() (byte, error) {
	c, err := j.afterSpace()
	if err != nil {
		return 0, j.unexpected(c, err, "a value")
	}
	return c, nil
}

// allowed checks that a token may stand where it does, and settles whether a
// string is the name of a field.
func (j *Scanner) allowed(token *Token) error {
	c := byte(token.Kind)
	inObject := len(j.stack) > 0 && j.stack[len(j.stack)-1] == '{'
	opened := j.before == Object || j.before == Array
	switch {
	case c == '}' || c == ']':
		if len(j.stack) == 0 || j.stack[len(j.stack)-1] != c-2 || j.comma || j.before == Name {
			return j.unexpected(c, nil, "a value, or the end of what is open")
		}
		return nil
	case j.before == Name:
		return nil
	case len(j.stack) == 0:
		if j.before != 0 {
			return j.unexpected(c, nil, "the end of the file")
		}
		return nil
	case !j.comma && !opened:
		return j.unexpected(c, nil, "a comma")
	case inObject && c != '"':
		return j.unexpected(c, nil, "the name of a field, in double quotes")
	}
	if inObject {
		token.Kind = Name
	}
	return nil
}

// finish reads the rest of a token that begins with c.
func (j *Scanner) finish(token *Token, c byte) (err error) {
	switch {
	case c == '{' || c == '[':
		if len(j.stack) >= maxJSONDepth {
			return stat.BadFile(token.At, "objects and arrays are nested more than %d deep", maxJSONDepth)
		}
		j.stack = append(j.stack, c)
	case c == '}' || c == ']':
		j.stack = j.stack[:len(j.stack)-1]
	case c == '"':
		token.Text, err = j.quoted()
	case c == '-' || c >= '0' && c <= '9':
		token.Kind = Number
		token.Text, err = j.number(c)
	case c == 't':
		err = j.word("true", token)
	case c == 'f':
		err = j.word("false", token)
	case c == 'n':
		err = j.word("null", token)
	default:
		return j.unexpected(c, nil, "a value: a number, a text in double quotes, true, false, null, { or [")
	}
	return err
}

// read takes one byte.
func (j *Scanner) read() (byte, error) {
	c, err := j.in.ReadByte()
	if err != nil {
		return 0, err
	}
	j.at.Column++
	if c == '\n' {
		j.at.Line, j.at.Column = j.at.Line+1, 1
	}
	return c, nil
}

func (j *Scanner) afterSpace() (byte, error) {
	for {
		c, err := j.read()
		if err != nil || c != ' ' && c != '\n' && c != '\r' && c != '\t' {
			return c, err
		}
	}
}

// unexpected is the error for a byte that has just been read, or for an end.
func (j *Scanner) unexpected(c byte, err error, want string) error {
	switch {
	case errors.Is(err, io.EOF):
		return stat.BadFile(j.at, "the text ends where %s is to be: the file is cut off, or was not loaded to its end", want)
	case err != nil:
		return err
	}
	return stat.BadFile(stat.Position{Line: j.at.Line, Column: max(j.at.Column-1, 1)}, "%s stands where %s is to be: the text is no JSON", quoteByte(c), want)
}

func quoteByte(c byte) string {
	if c > ' ' && c < 0x7f {
		return string([]byte{'`', c, '`'})
	}
	return "the byte " + strconv.Itoa(int(c))
}

// word reads the rest of true, false or null.
func (j *Scanner) word(word string, token *Token) error {
	for i := 1; i < len(word); i++ {
		if c, err := j.read(); err != nil || c != word[i] {
			return j.unexpected(c, err, word)
		}
	}
	token.Text = append(j.text[:0], word...)
	j.text = token.Text
	return nil
}

// number reads the rest of a number, and checks that it is written as JSON
// has it: no leading zeros, digits on both sides of the point.
func (j *Scanner) number(c byte) ([]byte, error) {
	j.text = append(j.text[:0], c)
	for {
		next, err := j.in.Peek(1) // looked at only: the byte after a number belongs to the next token
		if err == io.EOF || err == nil && !partOfNumber(next[0]) {
			break
		}
		if err != nil {
			return nil, err
		}
		if len(j.text) >= maxJSONText {
			return nil, stat.BadFile(j.at, "a number of more than %d characters", maxJSONText)
		}
		j.text = append(j.text, next[0])
		_, _ = j.read() // cannot fail: it was seen
	}
	if !isJSONNumber(j.text) {
		return nil, stat.BadFile(j.at, "%.40q is no number as JSON has them, which are written like -1234.5 or 1e6", j.text)
	}
	return j.text, nil
}

func partOfNumber(c byte) bool {
	return c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.' || c|0x20 == 'e'
}

func isJSONNumber(b []byte) bool {
	digits := func() bool {
		n := 0
		for n < len(b) && b[n] >= '0' && b[n] <= '9' {
			n++
		}
		b = b[n:]
		return n > 0
	}
	b = bytes.TrimPrefix(b, []byte("-"))
	if len(b) > 1 && b[0] == '0' && b[1] >= '0' && b[1] <= '9' || !digits() {
		return false
	}
	if len(b) > 0 && b[0] == '.' {
		if b = b[1:]; !digits() {
			return false
		}
	}
	if len(b) > 0 && b[0]|0x20 == 'e' {
		if b = b[1:]; len(b) > 0 && (b[0] == '+' || b[0] == '-') {
			b = b[1:]
		}
		if !digits() {
			return false
		}
	}
	return len(b) == 0
}

// quoted reads a string to its closing quote.
func (j *Scanner) quoted() ([]byte, error) {
	j.text = j.text[:0]
	for {
		c, err := j.read()
		if err != nil {
			return nil, j.unexpected(c, err, "the rest of a text")
		}
		switch {
		case c == '"':
			return j.text, nil
		case c == '\\':
			if err := j.escape(); err != nil {
				return nil, err
			}
		case c < ' ':
			return nil, j.unexpected(c, nil, "the rest of a text, in which line ends and tabs are written \\n and \\t,")
		default:
			j.text = append(j.text, c)
		}
		if len(j.text) > maxJSONText {
			return nil, stat.BadFile(j.at, "a text of more than %d bytes", maxJSONText)
		}
	}
}

// escape reads what follows a backslash.
func (j *Scanner) escape() error {
	const from, to = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	c, err := j.read()
	if err != nil {
		return j.unexpected(c, err, "the rest of a text")
	}
	if c != 'u' {
		at := bytes.IndexByte([]byte(from), c)
		if at < 0 {
			return j.unexpected(c, nil, "one of "+from+" or u after a backslash")
		}
		j.text = append(j.text, to[at])
		return nil
	}
	r, err := j.hex()
	if err != nil || !utf16.IsSurrogate(r) {
		j.text = utf8.AppendRune(j.text, r)
		return err
	}
	next, err := j.in.Peek(2)
	if err != nil || string(next) != `\u` {
		j.text = utf8.AppendRune(j.text, utf8.RuneError)
		return nil
	}
	_, _ = j.in.Discard(2) // cannot fail: they were seen
	j.at.Column += 2
	second, err := j.hex()
	j.text = utf8.AppendRune(j.text, utf16.DecodeRune(r, second))
	return err
}

// hex reads the four digits of \u00e9.
func (j *Scanner) hex() (rune, error) {
	var digits [4]byte
	for i := range digits {
		c, err := j.read()
		if err != nil {
			return 0, j.unexpected(c, err, "the rest of a text")
		}
		digits[i] = c
	}
	n, err := strconv.ParseUint(string(digits[:]), 16, 16)
	if err != nil {
		return 0, stat.BadFile(j.at, "%q stands where four hexadecimal digits are to be", digits)
	}
	return rune(n), nil
}

// Skip passes over the value that comes next, whatever it is.
func (j *Scanner) Skip() error {
	token, err := j.Next()
	if err != nil {
		return err
	}
	return j.SkipRest(token)
}

// SkipRest passes over the rest of a value that begins with a token.
func (j *Scanner) SkipRest(token Token) error {
	if token.Kind != Object && token.Kind != Array {
		return nil
	}
	for depth := len(j.stack); len(j.stack) >= depth; {
		if _, err := j.Next(); err != nil {
			return err
		}
	}
	return nil
}

// Record reads the rest of an object, after its {, as one record: field gets
// each value that is no object or array, with its path ("country.id"), both
// to be copied if they are kept. Arrays are passed over.
func (j *Scanner) Record(field func(path []byte, value Token) error) error {
	j.path = j.path[:0]
	return j.record(field)
}

func (j *Scanner) record(field func(path []byte, value Token) error) error {
	outer := len(j.path)
	for {
		token, err := j.Next()
		if err != nil || token.Kind == ObjectEnd {
			j.path = j.path[:outer]
			return err
		}
		if outer > 0 {
			j.path = append(j.path, '.')
		}
		j.path = append(j.path, token.Text...)
		value, err := j.Next()
		if err != nil {
			return err
		}
		switch value.Kind {
		case Object:
			err = j.record(field)
		case Array:
			err = j.SkipRest(value)
		default:
			err = field(j.path, value)
		}
		if err != nil {
			return err
		}
		j.path = slices.Delete(j.path, outer, len(j.path))
	}
}
