// Package text reads text as statistical offices write it: files in any
// encoding, and numbers with any decimal and thousands separators.
package text

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/unicode"

	"almanac/internal/format/text/charset"
	"almanac/internal/stat"
)

// ByteOrderMark is the byte order mark with which some programs begin UTF-8 files.
var ByteOrderMark = []byte("\xef\xbb\xbf")

// Open returns the text of a file as UTF-8 without a byte order mark. Valid UTF-8
// wins over everything, then UTF-16 with its mark, then the encoding that the
// file or the caller declares if it has all bytes of the text, then the one that package
// charset finds by all words of the file. open opens the file from its beginning; it is called up to four times. The report
// gets a note if the text is not UTF-8.
//
// The error is an unknown or unclear encoding, or names the line at which reading failed.
// Bytes that the encoding does not have are an error of the text when they are read. The
// caller closes the text.
func Open(open func() (io.ReadCloser, error), declared string, report *stat.Report) (io.ReadCloser, error) {
	head, valid, err := findUTF8(open)
	if err != nil {
		return nil, err
	}
	var from encoding.Encoding
	switch {
	case valid:
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		from, declared = unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM), "UTF-16"
	case declared == "" || strings.EqualFold(declared, "utf-8") || strings.EqualFold(declared, "ansi"):
		from, declared, err = detect(open)
	default:
		from, declared, err = check(open, declared)
	}
	if err != nil {
		return nil, err
	}
	file, err := open()
	if err != nil {
		return nil, err
	}
	if valid {
		buffered := bufio.NewReaderSize(LineErrors(file), 64<<10)
		if bytes.HasPrefix(head, ByteOrderMark) {
			_, _ = buffered.Discard(len(ByteOrderMark)) // cannot fail: the file begins with it
		}
		return decoded{buffered, file}, nil
	}
	report.Add(stat.NoteEncoding, 1, declared)
	return decoded{&cleanReader{text: LineErrors(from.NewDecoder().Reader(file)), encoding: declared, line: 1, column: 1}, file}, nil
}

// check returns the encoding that is declared, or the one that the words tell if the text
// has bytes that the declared one lacks.
func check(open func() (io.ReadCloser, error), declared string) (encoding.Encoding, string, error) {
	from, err := Encoding(declared)
	if err != nil {
		return nil, "", err
	}
	file, err := open()
	if err != nil {
		return nil, "", err
	}
	_, misfit := io.Copy(io.Discard, &cleanReader{text: LineErrors(from.NewDecoder().Reader(file)), encoding: declared, line: 1, column: 1})
	if err := file.Close(); err != nil || misfit == nil {
		return from, declared, err
	}
	found, name, err := detect(open)
	if err != nil {
		return nil, "", misfit
	}
	return found, name, nil
}

// detect finds the encoding of a file that is not UTF-8 and declares no other.
func detect(open func() (io.ReadCloser, error)) (encoding.Encoding, string, error) {
	file, err := open()
	if err != nil {
		return nil, "", err
	}
	var c charset.Collector
	_, err = io.Copy(&c, LineErrors(file))
	if closing := errors.Join(c.Close(), file.Close()); err == nil {
		err = closing
	}
	if err != nil {
		return nil, "", err
	}
	if c.IsDamagedUTF8() {
		return nil, "", stat.BadFile(stat.Position(c.First), "the byte 0x%02X is not UTF-8, but the other letters of the text are; correct it in the file", c.Byte)
	}
	found := c.Detect()
	if found.Encoding != nil {
		return found.Encoding, found.Name, nil
	}
	likely := "its letters make no sense in any encoding that offices use"
	if len(found.Likely) > 1 {
		likely = "its words do not tell which encoding it has; the best are " + stat.JoinWords(found.Likely)
	}
	err = stat.BadFile(stat.Position(c.First), "the text is not UTF-8 (byte 0x%02X), and %s; state the encoding", c.Byte, likely)
	if len(found.Likely) == 0 {
		return nil, "", err
	}
	return nil, "", stat.Suggest(err, stat.Suggestion{Option: "encoding", Value: found.Likely[0]})
}

// cleanReader reads decoded text. A byte that the encoding does not have is an error.
type cleanReader struct {
	text         io.Reader
	encoding     string
	line, column int // of the next byte
	pending      []byte
}

func (c *cleanReader) Read(buffer []byte) (int, error) {
	n, err := c.text.Read(buffer)
	text := buffer[:n]
	for i := 0; i < len(text); i++ {
		b := text[i]
		switch {
		case b == '\n':
			c.line, c.column = c.line+1, 0
		case b < utf8.RuneSelf:
			c.pending = c.pending[:0]
		default:
			if utf8.RuneStart(b) {
				c.pending = c.pending[:0]
			}
			c.pending = append(c.pending, b)
			if r, size := utf8.DecodeRune(c.pending); size == len(c.pending) && size > 1 && r == utf8.RuneError {
				return i, stat.BadFile(stat.Position{Line: c.line, Column: c.column - size + 1}, "the text has a byte here that is not in its encoding, %s; correct it or state another encoding", c.encoding)
			}
		}
		c.column++
	}
	return n, err
}

// decoded is text in UTF-8 and the file that it is read from.
type decoded struct {
	io.Reader
	io.Closer
}

// Encoding returns the text encoding with the name: one of IANA's
// ("iso-8859-15"), one of web pages ("shift_jis"), "cp850" or "850".
func Encoding(name string) (encoding.Encoding, error) {
	clean := strings.ToLower(strings.TrimSpace(name))
	for _, try := range []string{clean, "ibm" + strings.TrimPrefix(clean, "cp"), "windows-" + strings.TrimPrefix(clean, "cp")} {
		if e, err := htmlindex.Get(try); err == nil {
			return e, nil
		}
		if e, err := ianaindex.IANA.Encoding(try); err == nil && e != nil {
			return e, nil
		}
	}
	return nil, stat.BadFile(stat.Position{}, "unknown text encoding %q; use a name that IANA lists, such as utf-8, windows-1252, iso-8859-15, cp850 or shift_jis", name)
}

// rememberer is a file that remembers whether all of it is UTF-8.
type rememberer interface {
	UTF8() (head []byte, isUTF8, isKnown bool)
	SetUTF8(head []byte, isUTF8 bool)
}

// findUTF8 reports whether a file is valid UTF-8, and its first bytes. It reads the file
// unless that is known.
func findUTF8(open func() (io.ReadCloser, error)) (head []byte, valid bool, err error) {
	file, err := open()
	if err != nil {
		return nil, false, err
	}
	defer file.Close()
	memory, canRemember := file.(rememberer)
	if canRemember {
		if head, valid, isKnown := memory.UTF8(); isKnown {
			return head, valid, nil
		}
	}
	head, valid, err = checkUTF8(LineErrors(file))
	if canRemember && err == nil {
		memory.SetUTF8(head, valid)
	}
	return head, valid, err
}

// checkUTF8 reads all of r and reports whether it is valid UTF-8, and its first
// bytes.
func checkUTF8(r io.Reader) (head []byte, valid bool, err error) {
	in := bufio.NewReaderSize(r, 128<<10)
	for {
		ahead, err := in.Peek(in.Size())
		if head == nil {
			head = bytes.Clone(ahead[:min(len(ahead), 16)])
		}
		whole := len(ahead)
		if err == nil { // the last character may be cut off
			for whole--; whole > len(ahead)-utf8.UTFMax && !utf8.RuneStart(ahead[whole]); {
				whole--
			}
		}
		switch {
		case !utf8.Valid(ahead[:whole]):
			return head, false, nil
		case err == io.EOF:
			return head, true, nil
		case err != nil:
			return head, false, err
		}
		_, _ = in.Discard(whole) // cannot fail: the bytes are buffered
	}
}

// LineErrors returns file with errors that name the line at which reading failed
// because packed data are damaged or cut off. [Open] includes it.
func LineErrors(file io.Reader) io.Reader { return &lineCounter{file: file} }

type lineCounter struct {
	file  io.Reader
	lines int // read so far
}

func (c *lineCounter) Read(buffer []byte) (int, error) {
	n, err := c.file.Read(buffer)
	c.lines += bytes.Count(buffer[:n], []byte{'\n'})
	if err == nil || err == io.EOF {
		return n, err
	}
	var known *stat.FileError
	if errors.As(err, &known) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return n, err
	}
	message := "cannot read the file from this line on: " + err.Error()
	if errors.Is(err, io.ErrUnexpectedEOF) {
		message = "the file is cut off: its packed data end within this line"
	}
	return n, &readError{&stat.FileError{At: stat.Position{Line: c.lines + 1}, Message: message}, err}
}

type readError struct {
	*stat.FileError
	cause error
}

func (e *readError) Unwrap() []error { return []error{e.FileError, e.cause} }
