package importer

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"
	"golang.org/x/text/encoding/unicode"

	"almanac/internal/format"
	"almanac/internal/stat"
)

// headSize is how much of a file the formats see when they are asked whether
// they recognise it.
const headSize = 64 << 10

// Bounds of packed data. What a reader is given is counted as it unpacks, so
// that no header is believed.
const (
	maxRatio    = 100     // unpacked bytes a packed byte
	freeRatio   = 1 << 20 // unpacked bytes that are below that suspicion
	maxInMemory = 1 << 30 // of what cannot be opened again, such as a pipe
)

// unpack takes the packing off a file and recognises the format of what is in
// it.
func (im *Importer) unpack(f file) ([]content, error) {
	in, err := contents(f)
	for i := range in {
		if n := slices.IndexFunc(im.formats, func(f format.Format) bool { return f.Recognise(in[i].name, in[i].head) }); n >= 0 {
			in[i].format = &im.formats[n]
		}
	}
	return in, err
}

// contents looks at the first bytes of a file and takes gzip and zip off. What
// the file is called decides nothing, but a name that promises gzip must keep
// its word: a page of an error saved under it is the usual reason why not.
func contents(f file) ([]content, error) {
	magic := make([]byte, 4)
	n, err := f.at.ReadAt(magic, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	magic = magic[:n]
	base := filepath.Base(f.name)
	ending := strings.ToLower(filepath.Ext(base))
	plain := func() (io.ReadCloser, error) { return io.NopCloser(io.NewSectionReader(f.at, 0, f.size)), nil }
	c := content{name: base, open: plain}
	switch {
	case len(magic) == 0:
		return nil, stat.BadFile(start, "the file is empty")
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		c.open = func() (io.ReadCloser, error) { return openGzip(f) }
	case ending == ".gz":
		return nil, stat.BadFile(start, "the file is named %s but is not gzip: it begins with %q", ending, magic)
	case bytes.HasPrefix(magic, []byte("PK\x03\x04")), bytes.HasPrefix(magic, []byte("PK\x05\x06")):
		members, isArchive, err := archived(f)
		if isArchive || err != nil {
			return members, err
		}
	}
	if ending == ".gz" {
		c.name = c.name[:len(c.name)-len(ending)]
	}
	if err := c.look(); err != nil {
		return nil, err
	}
	return []content{c}, nil
}

// look reads the first bytes. Text in UTF-16 is read as UTF-8 from then on,
// since formats tell their files by bytes; XML declares it and is read as it is.
func (c *content) look() (err error) {
	if c.head, err = headOf(c.open); err != nil || !isUTF16(c.head) {
		return err
	}
	raw := c.open
	wide := *c
	wide.open = func() (io.ReadCloser, error) {
		r, err := raw()
		if err != nil {
			return nil, err
		}
		decoded := unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder().Reader(r)
		return struct {
			io.Reader
			io.Closer
		}{decoded, r}, nil
	}
	if wide.head, err = headOf(wide.open); err == nil && !bytes.HasPrefix(bytes.TrimSpace(wide.head), []byte("<")) {
		*c = wide
	}
	return nil
}

func isUTF16(head []byte) bool {
	return bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff"))
}

// headOf reads the first bytes of what open opens. Where these break off, what
// is readable decides the format, whose reader then meets the error and knows
// the line.
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

// start is the place of what is wrong with a file as a whole.
var start = stat.Position{Line: 1, Column: 1}

// openGzip opens a file that is packed with gzip.
func openGzip(f file) (io.ReadCloser, error) {
	packed := bufio.NewReaderSize(io.NewSectionReader(f.at, 0, f.size), headSize)
	gz, err := gzip.NewReader(packed)
	if err != nil {
		return nil, gzipError(err)
	}
	return io.NopCloser(&bounded{Reader: gz, explain: gzipError, packed: f.size, most: math.MaxInt64}), nil
}

func gzipError(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return fmt.Errorf("the gzip data end in the middle, the file is cut off: %w", io.ErrUnexpectedEOF)
	}
	return fmt.Errorf("the gzip data are damaged: %w", err)
}

// bounded ends what unpacks to far more than it takes packed. Its errors say what
// those of unpacking mean for the file.
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
		return n, fmt.Errorf("the data unpack to more than %d MiB, so they are not read: import the file unpacked", b.most>>20)
	case b.read > freeRatio && b.read/maxRatio > b.packed:
		return n, fmt.Errorf("the data unpack to more than %d times their size, so they are not read: import the file unpacked", maxRatio)
	}
	return n, err
}

// progress tells how far into a file the reading has come. A second look at it
// tells nothing new.
type progress struct {
	io.ReaderAt
	done, total int64
	tell        func(done, total int64)
}

func (p *progress) ReadAt(b []byte, offset int64) (int, error) {
	n, err := p.ReaderAt.ReadAt(b, offset)
	if done := offset + int64(n); done > p.done {
		p.done = done
		p.tell(p.done, p.total)
	}
	return n, err
}
