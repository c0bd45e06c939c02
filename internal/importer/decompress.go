package importer

import (
	"almanac/internal/stat"
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"golang.org/x/text/encoding/unicode"
)

// headSize is how many bytes of a file are used to detect its format.
const headSize = 64 << 10

// Limits for compressed data. Bytes are counted while they are unpacked, because
// headers cannot be trusted.
const (
	maxRatio    = 100     // unpacked bytes per packed byte
	freeRatio   = 1 << 20 // unpacked bytes below which any ratio is allowed
	maxInMemory = 1 << 30 // bytes of a pipe
)

// decompress detects gzip and zip by the first bytes of a file, not by its name. But
// a file named .gz must be gzip: if not, it is usually a saved error page.
func decompress(raw rawFile) ([]content, error) {
	magic := make([]byte, 4)
	n, err := raw.at.ReadAt(magic, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	magic = magic[:n]
	base := filepath.Base(raw.name)
	ending := strings.ToLower(filepath.Ext(base))
	plain := func() (io.ReadCloser, error) { return io.NopCloser(io.NewSectionReader(raw.at, 0, raw.size)), nil }
	c := content{name: base, open: plain}
	switch {
	case len(magic) == 0:
		return nil, stat.BadFile(start, "the file is empty")
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		c.open = func() (io.ReadCloser, error) {
			gz, err := gzip.NewReader(bufio.NewReaderSize(io.NewSectionReader(raw.at, 0, raw.size), headSize))
			if err != nil {
				return nil, gzipError(err)
			}
			return io.NopCloser(&bounded{Reader: gz, explain: gzipError, packed: raw.size, most: math.MaxInt64}), nil
		}
	case ending == ".gz":
		return nil, stat.BadFile(start, "the file name ends in %s but the file is not gzip: it begins with %q", ending, magic)
	case bytes.HasPrefix(magic, []byte("PK\x03\x04")), bytes.HasPrefix(magic, []byte("PK\x05\x06")):
		members, isArchive, err := openArchive(raw)
		if isArchive || err != nil {
			return members, err
		}
	}
	if ending == ".gz" {
		c.name = c.name[:len(c.name)-len(ending)]
	}
	if err := c.readHead(); err != nil {
		return nil, err
	}
	return []content{c}, nil
}

// readHead reads the first bytes. It converts UTF-16 text to UTF-8, because formats
// detect their files by bytes; XML is not converted, because it declares UTF-16.
func (c *content) readHead() (err error) {
	c.head, err = headOf(c.open)
	if err != nil || !bytes.HasPrefix(c.head, []byte("\xff\xfe")) && !bytes.HasPrefix(c.head, []byte("\xfe\xff")) {
		return err
	}
	raw := c.open
	wide := *c
	wide.open = func() (io.ReadCloser, error) {
		r, err := raw()
		if err != nil {
			return nil, err
		}
		return readCloser{unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder().Reader(r), r}, nil
	}
	if wide.head, err = headOf(wide.open); err == nil && !bytes.HasPrefix(bytes.TrimSpace(wide.head), []byte("<")) {
		*c = wide
	}
	return nil
}

// headOf reads the first bytes. If reading fails after some bytes, they are
// enough to detect the format; its reader then reports the error with its line.
func headOf(open func() (io.ReadCloser, error)) ([]byte, error) {
	r, err := open()
	if err != nil {
		return nil, stat.BadFile(start, "%v", err)
	}
	defer r.Close()
	head := make([]byte, headSize)
	n, err := io.ReadFull(r, head)
	if n == 0 && err != nil && !errors.Is(err, io.EOF) {
		return nil, stat.BadFile(start, "%v", err)
	}
	return head[:n], nil
}

// start is the position for errors of the whole file.
var start = stat.Position{Line: 1, Column: 1}

func gzipError(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return fmt.Errorf("the gzip data are truncated: %w", io.ErrUnexpectedEOF)
	}
	return fmt.Errorf("the gzip data are damaged: %w", err)
}

type readCloser struct {
	io.Reader
	io.Closer
}

// bounded stops reading data that unpack to far more than their packed size, and
// explains the errors of the decompressor.
type bounded struct {
	io.Reader
	explain            func(error) error
	read, packed, most int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if err != nil && err != io.EOF {
		err = b.explain(err)
	}
	b.read += int64(n)
	switch {
	case b.read > b.most:
		return n, fmt.Errorf("the data unpack to more than %d MiB: unpack the file and import the result", b.most>>20)
	case b.read > freeRatio && b.read/maxRatio > b.packed:
		return n, fmt.Errorf("the data unpack to more than %d times their size: unpack the file and import the result", maxRatio)
	}
	return n, err
}
