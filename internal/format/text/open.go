// Package text reads text as statistical offices write it: files in any
// encoding, and numbers with any decimal and thousands separators.
package text

import (
	"bufio"
	"bytes"
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

// ByteOrderMark is what UTF-8 files of some programs begin with.
var ByteOrderMark = []byte("\xef\xbb\xbf")

// Open returns the text of a file as UTF-8 without a byte order mark, whatever
// it is encoded in: valid UTF-8 wins over everything, then UTF-16 with its
// mark, then the encoding that the file or the caller declares, then
// windows-1252. open opens the file from its beginning; it is called twice,
// since the whole file decides whether it is UTF-8. The report gets a note
// where it is not. An error says that the declared encoding is not known, or in
// which line reading broke off; the caller closes what it gets.
func Open(open func() (io.ReadCloser, error), declared string, report *stat.Report) (io.ReadCloser, error) {
	looked, err := open()
	if err != nil {
		return nil, err
	}
	head, valid, err := isUTF8(LineErrors(looked))
	if closing := looked.Close(); err == nil {
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
			_, _ = buffered.Discard(len(ByteOrderMark)) // cannot fail: they were seen
		}
		return decoded{buffered, file}, nil
	}
	from, name, err := encodingOf(head, declared)
	if err != nil {
		file.Close()
		return nil, err
	}
	report.Add(stat.NoteEncoding, 1, name)
	return decoded{LineErrors(from.NewDecoder().Reader(file)), file}, nil
}

// decoded is text in UTF-8 and the file that it comes from.
type decoded struct {
	io.Reader
	io.Closer
}

// encodingOf is the encoding of text that is no UTF-8.
func encodingOf(head []byte, declared string) (encoding.Encoding, string, error) {
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		return unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM), "UTF-16", nil
	case declared == "" || strings.EqualFold(declared, "utf-8") || strings.EqualFold(declared, "ansi"):
		return charmap.Windows1252, "windows-1252", nil
	}
	from, err := Encoding(declared)
	return from, declared, err
}

// Encoding finds a text encoding by its name: those of IANA ("iso-8859-15"),
// of web pages ("shift_jis"), and "cp850" or "850".
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
	return nil, stat.BadFile(stat.Position{}, "the text encoding %q is not known; known are the names of IANA, such as utf-8, windows-1252, iso-8859-15, cp850, shift_jis", name)
}

// isUTF8 reads all of r and reports whether it is valid UTF-8, and its first
// bytes.
func isUTF8(r io.Reader) (head []byte, valid bool, err error) {
	buffer := make([]byte, 128<<10)
	kept := 0 // bytes of an unfinished character at the start of buffer
	for {
		n, err := r.Read(buffer[kept:])
		n += kept
		if head == nil && n > 0 {
			head = bytes.Clone(buffer[:min(n, 16)])
		}
		whole := n
		for back := 1; back < utf8.UTFMax && back <= n; back++ {
			if utf8.RuneStart(buffer[n-back]) {
				if !utf8.FullRune(buffer[n-back : n]) {
					whole = n - back
				}
				break
			}
		}
		if !utf8.Valid(buffer[:whole]) {
			return head, false, nil
		}
		kept = copy(buffer, buffer[whole:n])
		if err == io.EOF {
			return head, kept == 0, nil
		}
		if err != nil {
			return head, false, err
		}
	}
}
