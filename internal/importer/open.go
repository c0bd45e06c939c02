package importer

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"

	"almanac/internal/stat"
)

// headSize is how much of a file the formats see when they are asked whether
// they recognise it.
const headSize = 64 << 10

// unpacked is a file's content with its packing taken off.
type unpacked struct {
	name string // base name without the ending that tells of the packing
	data *bufio.Reader
	head []byte // its first bytes, still to be read from data
	geo  string // as in source
}

// unpack looks at the first bytes of data and takes gzip off. What the file is
// called decides nothing, but a name that promises gzip must keep its word: a
// page of an error saved under it is the usual reason why not.
func unpack(name string, data io.Reader) (unpacked, error) {
	packed := bufio.NewReaderSize(data, headSize)
	magic, err := packed.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return unpacked{}, err
	}
	u := unpacked{name: filepath.Base(name), data: packed}
	ending := strings.ToLower(filepath.Ext(u.name))
	switch {
	case len(magic) == 0:
		return unpacked{}, stat.BadFile(start, "the file is empty")
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		gz, err := gzip.NewReader(packed)
		if err != nil {
			return unpacked{}, stat.BadFile(start, "%v", gzipError(err))
		}
		u.data = bufio.NewReaderSize(gzipReader{gz}, headSize)
	case ending == ".gz":
		return unpacked{}, stat.BadFile(start, "the file is named %s but is not gzip: it begins with %q", ending, magic)
	case bytes.HasPrefix(magic, []byte("PK\x03\x04")):
		return unpacked{}, stat.BadFile(start, "the file is a zip archive, and archives are not read: unpack it and import the files in it")
	}
	if ending == ".gz" {
		u.name = u.name[:len(u.name)-len(ending)]
	}
	u.head, err = u.data.Peek(headSize)
	if err != nil && !errors.Is(err, io.EOF) {
		if len(u.head) == 0 {
			return unpacked{}, stat.BadFile(start, "%v", err)
		}
		// What is readable decides the format, whose reader then meets the
		// error and knows the line.
	}
	return u, nil
}

// start is the place of what is wrong with a file as a whole.
var start = stat.Position{Line: 1, Column: 1}

// gzipReader reads gzip with errors that say what they mean for the file.
type gzipReader struct{ *gzip.Reader }

func (g gzipReader) Read(p []byte) (int, error) {
	n, err := g.Reader.Read(p)
	if err != nil && err != io.EOF {
		err = gzipError(err)
	}
	return n, err
}

func gzipError(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return fmt.Errorf("the gzip data end in the middle, the file is cut off: %w", io.ErrUnexpectedEOF)
	}
	return fmt.Errorf("the gzip data are damaged: %w", err)
}

// progress counts the bytes that went through it.
type progress struct {
	io.Reader
	done, total int64
	tell        func(done, total int64)
}

func (p *progress) Read(b []byte) (int, error) {
	n, err := p.Reader.Read(b)
	p.done += int64(n)
	p.tell(p.done, p.total)
	return n, err
}
