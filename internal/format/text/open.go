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
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/unicode"

	"almanac/internal/stat"
)

// ByteOrderMark is the byte order mark with which some programs begin UTF-8 files.
var ByteOrderMark = []byte("\xef\xbb\xbf")

// Open returns the text of a file as UTF-8 without a byte order mark. Valid UTF-8
// wins over everything, then UTF-16 with its mark, then the encoding that the
// file or the caller declares, then windows-1252. open opens the file from its
// beginning; it is called twice, since the whole file decides whether it is
// UTF-8. The report gets a note if it is not. The error is an unknown encoding, or names
// the line at which reading failed. The caller closes the text.
func Open(open func() (io.ReadCloser, error), declared string, report *stat.Report) (io.ReadCloser, error) {
	checked, err := open()
	if err != nil {
		return nil, err
	}
	head, valid, err := checkUTF8(LineErrors(checked))
	if closing := checked.Close(); err == nil {
		err = closing
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
	var from encoding.Encoding
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		from, declared = unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM), "UTF-16"
	case declared == "" || strings.EqualFold(declared, "utf-8") || strings.EqualFold(declared, "ansi"):
		from, declared = charmap.Windows1252, "windows-1252"
	default:
		if from, err = Encoding(declared); err != nil {
			file.Close()
			return nil, err
		}
	}
	report.Add(stat.NoteEncoding, 1, declared)
	return decoded{LineErrors(from.NewDecoder().Reader(file)), file}, nil
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
