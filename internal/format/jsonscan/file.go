package jsonscan

import (
	"bufio"
	"fmt"
	"io"

	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// File is a file of JSON that is read from several places of it, for
// formats whose values come before what they mean.
type File struct {
	open     func() (io.ReadCloser, error)
	encoding string
	file     io.ReadCloser
	json     *Scanner
}

// NewFile makes a File of what open opens, in an encoding if the caller states
// one. Nothing is opened yet.
func NewFile(open func() (io.ReadCloser, error), encoding string) *File {
	return &File{open: open, encoding: encoding}
}

// Close closes what is open.
func (f *File) Close() {
	if f.file != nil {
		f.file.Close()
		f.file = nil
	}
}

// From reads one value from a place on, where an earlier reading found it.
// Going forwards costs little; going backwards opens the file anew.
func (f *File) From(to stat.Position) (*Scanner, error) {
	if f.file == nil || to.Line < f.json.at.Line || to.Line == f.json.at.Line && to.Column < f.json.at.Column {
		f.Close()
		file, err := text.Open(f.open, f.encoding, &stat.Report{})
		if err != nil {
			return nil, err
		}
		f.file, f.json = file, New(file)
	}
	text, at := f.json.in, f.json.at
	for at.Line < to.Line {
		switch _, err := text.ReadSlice('\n'); err {
		case nil:
			at = stat.Position{Line: at.Line + 1, Column: 1}
		case bufio.ErrBufferFull: // the line goes on
		default:
			return nil, changed(to, err)
		}
	}
	if _, err := text.Discard(max(to.Column-at.Column, 0)); err != nil {
		return nil, changed(to, err)
	}
	f.json = &Scanner{in: text, at: to}
	return f.json, nil
}

// changed is the error of a second reading that does not find what the first
// found.
func changed(at stat.Position, err error) error {
	if err == io.EOF {
		return stat.BadFile(at, "the file became shorter while it was read")
	}
	return fmt.Errorf("reading the file again: %w", err)
}
