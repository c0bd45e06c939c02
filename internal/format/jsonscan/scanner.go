// Package jsonscan reads JSON files of any size token by token, with the line
// and column of every token. It refuses what the grammar does not allow.
package jsonscan

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"

	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// Bounds of JSON text, against hostile files.
const (
	maxDepth = 64
	maxText  = 1 << 20 // bytes of a string or number
)

// Kind is the kind of a [Token]: the byte with which it begins, but for numbers,
// names and the end.
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

// Token is one token and where it begins; the column counts bytes. Text is the
// content of a string, name, number or word. It is valid until the next token, that of
// a name until the next name.
type Token struct {
	Kind Kind
	Text []byte
	At   stat.Position
}

// Scanner reads JSON text token by token. It checks the grammar and holds no more
// than one token at a time.
type Scanner struct {
	in     *text.Scanner
	open   []byte // { and [ without their end
	before Kind   // the token before; 0 at the start
	text   []byte
	name   []byte // the name read last, while its value is read
	path   []byte // see [Scanner.Record]
}

// New returns a scanner of JSON text in UTF-8 (see [text.Open]).
func New(r io.Reader) *Scanner { return &Scanner{in: text.NewScanner(r)} }

// Next reads the next token. Errors of the text are a [stat.FileError].
func (j *Scanner) Next() (Token, error) {
	j.in.Space()
	inside := byte(0) // the { or [ that encloses the token
	if n := len(j.open); n > 0 {
		inside = j.open[n-1]
	} else if j.before != 0 && !j.in.Has(1) {
		return Token{At: j.in.At()}, j.in.Err()
	}
	c := j.in.Peek()
	separator := byte(0)
	switch {
	case j.before == Name:
		separator = ':'
	case inside != 0 && j.before != Object && j.before != Array && c != '}' && c != ']':
		separator = ','
	}
	if separator != 0 {
		if c != separator {
			return Token{}, j.unexpected(strconv.QuoteRune(rune(separator)))
		}
		j.in.Advance(1)
		j.in.Space()
		c = j.in.Peek()
	}
	token := Token{Kind: Kind(c), At: j.in.At()}
	switch {
	case c == '}' || c == ']':
		if separator != 0 || inside != c-2 {
			return token, j.unexpected("a value, or the end of what is open,")
		}
	case inside == '{' && j.before != Name:
		if c != '"' {
			return token, j.unexpected("the name of a field in double quotes")
		}
		token.Kind = Name
	case inside == 0 && j.before != 0:
		return token, j.unexpected("the end of the file")
	}
	err := j.read(&token, c)
	if j.before = token.Kind; j.before == Name {
		j.text, j.name = j.name, j.text
	}
	return token, err
}

// Bytes of a text without escapes, and of numbers, true, false and null.
var plainBytes, literalBytes [256]bool

func init() {
	for c := range 256 {
		plainBytes[c] = c >= ' ' && c != '"' && c != '\\'
		literalBytes[c] = c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.'
	}
}

func (j *Scanner) read(token *Token, c byte) (err error) {
	j.text = j.text[:0]
	switch {
	case c == '{' || c == '[':
		if len(j.open) >= maxDepth {
			return stat.BadFile(token.At, "objects and arrays are nested more than %d deep", maxDepth)
		}
		j.in.Advance(1)
		j.open = append(j.open, c)
		return nil
	case c == '}' || c == ']':
		j.in.Advance(1)
		j.open = j.open[:len(j.open)-1]
		return nil
	case c == '"':
		err = j.quoted(token.At)
	case literalBytes[c]:
		if c == '-' || c >= '0' && c <= '9' {
			token.Kind = Number
		}
		if err = j.take(&literalBytes); err == nil && !isDecimal(j.text) && !json.Valid(j.text) {
			err = stat.BadFile(token.At, "invalid JSON: %.40q is not a value; values are numbers such as -1234.5 or 1e6, texts in double quotes, true, false and null", j.text)
		}
	default:
		err = j.unexpected("a value (a number, a text in double quotes, true, false, null, { or [)")
	}
	token.Text = j.text
	return err
}

// isDecimal reports whether a literal is a number such as -1234.5. Most are, and need
// no [json.Valid], which may allocate.
func isDecimal(literal []byte) bool {
	isDigits := func(b []byte) bool {
		return len(b) > 0 && !bytes.ContainsFunc(b, func(r rune) bool { return r < '0' || r > '9' })
	}
	whole, fraction, hasFraction := bytes.Cut(bytes.TrimPrefix(literal, []byte("-")), []byte("."))
	return isDigits(whole) && (len(whole) == 1 || whole[0] != '0') && (isDigits(fraction) || !hasFraction)
}

// take appends the bytes that are in a set to j.text.
func (j *Scanner) take(set *[256]bool) error {
	for j.in.Has(1) {
		ahead, n := j.in.Ahead(), 0
		ahead = ahead[:min(len(ahead), maxText+1-len(j.text))]
		for n < len(ahead) && set[ahead[n]] {
			n++
		}
		j.text = append(j.text, ahead[:n]...)
		j.in.Advance(n)
		if len(j.text) > maxText {
			return stat.BadFile(j.in.At(), "a text or number has more than %d bytes", maxText)
		}
		if n < len(ahead) {
			return nil
		}
	}
	return j.in.Err()
}

// quoted reads a text in double quotes, which begins at the position.
func (j *Scanner) quoted(begin stat.Position) error {
	escaped := false
	for j.in.Advance(1); ; {
		if err := j.take(&plainBytes); err != nil {
			return err
		}
		switch c := j.in.Peek(); {
		case c == '"':
			j.in.Advance(1)
			if !escaped {
				return nil
			}
			var content string
			err := json.Unmarshal(slices.Concat([]byte{'"'}, j.text, []byte{'"'}), &content)
			if bad, ok := errors.AsType[*json.SyntaxError](err); ok {
				begin.Column += int(bad.Offset) - 1
				return stat.BadFile(begin, "invalid JSON: %v", err)
			}
			j.text = append(j.text[:0], content...)
			return err
		case c == '\\' && j.in.Has(2):
			escaped = true
			j.text = append(j.text, j.in.Ahead()[:2]...)
			j.in.Skip(2)
		case c == '\\' || !j.in.Has(1):
			j.in.Skip(len(j.in.Ahead()))
			return j.unexpected("a closing quotation mark")
		default:
			return stat.BadFile(j.in.At(), `invalid JSON: %q in a text; line ends and tabs must be written \n and \t`, c)
		}
	}
}

// unexpected returns the error for the next byte, or for the end of the text.
func (j *Scanner) unexpected(want string) error {
	if !j.in.Has(1) {
		return j.in.BadFile(j.in.At(), "the text ends where %s is expected: the file is cut off, or was not downloaded completely", want)
	}
	return stat.BadFile(j.in.At(), "invalid JSON: %q where %s is expected", j.in.Peek(), want)
}

// Skip skips the next value.
func (j *Scanner) Skip() error {
	token, err := j.Next()
	if err != nil {
		return err
	}
	return j.SkipRest(token)
}

// SkipRest skips the rest of a value that begins with a token.
func (j *Scanner) SkipRest(token Token) error {
	if token.Kind != Object && token.Kind != Array {
		return nil
	}
	for depth := len(j.open); len(j.open) >= depth; {
		if _, err := j.Next(); err != nil {
			return err
		}
	}
	return nil
}
