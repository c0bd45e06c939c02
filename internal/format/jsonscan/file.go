package jsonscan

import (
	"bytes"
	"io"

	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// File is a JSON file that is read from several positions: in some formats values
// precede what they mean.
type File struct {
	open     func() (io.ReadCloser, error)
	encoding string
	file     io.ReadCloser
	text     *text.Scanner
}

// NewFile returns the File that open opens, in an encoding if the caller states
// one. The file is opened when it is first read.
func NewFile(open func() (io.ReadCloser, error), encoding string) *File {
	return &File{open: open, encoding: encoding}
}

// Close closes the file if it is open.
func (f *File) Close() {
	if f.file != nil {
		f.file.Close()
		f.file = nil
	}
}

// From returns a scanner of the value at a position that an earlier reading found,
// and the first token of it. Going forwards costs little; going backwards opens the
// file again.
func (f *File) From(to stat.Position) (j *Scanner, first Token, err error) {
	if f.file == nil || to.Compare(f.text.At()) < 0 {
		f.Close()
		file, err := text.Open(f.open, f.encoding, &stat.Report{})
		if err != nil {
			return nil, first, err
		}
		f.file, f.text = file, text.NewScanner(file)
	}
	for at := f.text.At(); at.Compare(to) < 0; at = f.text.At() {
		if !f.text.Has(1) {
			return nil, first, f.text.BadFile(to, "the file became shorter while it was read")
		}
		n := len(f.text.Ahead())
		if at.Line == to.Line {
			n = min(n, to.Column-at.Column)
		} else if end := bytes.IndexByte(f.text.Ahead(), '\n'); end >= 0 {
			n = end + 1
		}
		f.text.Skip(n)
	}
	j = &Scanner{in: f.text}
	first, err = j.Next()
	return j, first, err
}
