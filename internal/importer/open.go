package importer

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"
	"golang.org/x/text/encoding/unicode"

	"almanac/internal/format"
	"almanac/internal/stat"
)

// file is an open input file. It can be read several times.
type file struct {
	name string // as given by the caller
	at   io.ReaderAt
	size int64
	io.Closer
}

// openFile opens the file at path. It reads a pipe or device into memory.
func openFile(path string) (file, error) {
	f, err := os.Open(path)
	if err != nil {
		return file{}, openError(path, err)
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return file{}, err
	}
	if info.IsDir() {
		f.Close()
		return file{}, &stat.FileError{File: path, Message: "this is a folder; name the files in it"}
	}
	if !info.Mode().IsRegular() {
		defer f.Close()
		return bufferFile(path, f)
	}
	return file{path, f, info.Size(), f}, nil
}

// openFileContext is openFile with a context, because opening a pipe blocks until
// somebody writes to it.
func openFileContext(ctx context.Context, path string) (file, error) {
	if info, err := os.Stat(path); err != nil || info.Mode().IsRegular() || info.IsDir() {
		return openFile(path)
	}
	type opened struct {
		file
		err error
	}
	done := make(chan opened, 1)
	go func() {
		f, err := openFile(path)
		done <- opened{f, err}
	}()
	select {
	case o := <-done:
		return o.file, o.err
	case <-ctx.Done():
		return file{}, ctx.Err()
	}
}

func bufferFile(name string, data io.Reader) (file, error) {
	body, err := io.ReadAll(io.LimitReader(data, maxInMemory+1))
	if err != nil {
		return file{}, fmt.Errorf("reading %s: %w", name, err)
	}
	if len(body) > maxInMemory {
		return file{}, stat.BadFile(start, "the data are larger than %d MiB: save them to a file and import the file", maxInMemory>>20)
	}
	return file{name, bytes.NewReader(body), int64(len(body)), io.NopCloser(nil)}, nil
}

// content is a file, or a member of an archive, after decompression.
type content struct {
	name   string         // base name without .gz
	member string         // name in the archive; empty for a file
	head   []byte         // first bytes
	format *format.Format // nil if no format recognises it
	open   func() (io.ReadCloser, error)
}

// hasCodes reports whether c is a dictionary, a code list or a structure.
func (c *content) hasCodes() bool { return c.format != nil && c.format.Learn != nil }

// input is an open file with its contents sorted by kind.
type input struct {
	file     string // as given by the caller
	contents []content
	data     []content
	codes    []content // dictionaries, code lists, structures
	other    []string  // skipped members
}

// open unpacks a file, detects the format of each content and sorts the contents
// by kind. It refuses a file of unknown format, and an archive with a member of
// unknown format whose name looks like data.
func (im *Importer) open(f file) (*input, error) {
	in := &input{file: f.name}
	var err error
	if in.contents, err = im.unpack(f); err != nil {
		return nil, err
	}
	for _, c := range in.contents {
		switch ending := strings.ToLower(path.Ext(c.member)); {
		case c.format == nil && (c.member == "" || slices.Contains(dataEndings, ending)):
			return nil, inMember(c.member, stat.BadFile(start, "unknown file format: the file begins with %q; docs/formats.md lists the supported formats", firstLine(c.head)))
		case c.hasCodes():
			in.codes = append(in.codes, c)
		case c.format != nil && c.format.Read != nil:
			in.data = append(in.data, c)
		default:
			in.other = append(in.other, c.member)
		}
	}
	in.skipProse()
	return in, nil
}

// dataEndings are the endings of archive members that must have a known format.
var dataEndings = []string{".csv", ".tsv", ".tab", ".xml", ".json", ".px", ".xls", ".xlsx", ".zip", ".gz"}

// skipProse skips members that look like tables but are named like prose
// ("read me.txt"), unless there is nothing else.
func (in *input) skipProse() {
	var data []content
	var prose []string
	for _, c := range in.data {
		ending := strings.ToLower(path.Ext(c.member))
		if c.format.Name == "table" && (ending == ".txt" || ending == ".md") {
			prose = append(prose, c.member)
		} else {
			data = append(data, c)
		}
	}
	if len(data) > 0 {
		in.data, in.other = data, append(in.other, prose...)
	}
}

// firstLine returns the beginning of a file's first line, for a message.
func firstLine(head []byte) string {
	line, _, _ := strings.Cut(string(head[:min(len(head), 60)]), "\n")
	return strings.TrimSpace(line)
}

// errNoData returns the error for a file or archive without data.
func (in *input) errNoData() *stat.FileError {
	var holds []string
	for _, c := range in.contents {
		switch {
		case c.format != nil && c.member == "":
			return &stat.FileError{Message: "the file is " + c.format.Holds + " and holds no data to import"}
		case c.format != nil:
			holds = append(holds, c.member+" is "+c.format.Holds)
		default:
			holds = append(holds, c.member+" has an unknown format")
		}
	}
	if len(holds) > 3 {
		holds = append(holds[:3], "…")
	}
	return &stat.FileError{Message: "the archive holds no data to import: " + strings.Join(holds, ", ")}
}

// headSize is how many bytes of a file are used to detect its format.
const headSize = 64 << 10

// Limits for compressed data. Bytes are counted while they are unpacked, because
// headers cannot be trusted.
const (
	maxRatio    = 100     // unpacked bytes per packed byte
	freeRatio   = 1 << 20 // unpacked bytes below which any ratio is allowed
	maxInMemory = 1 << 30 // bytes of a pipe
)

func (im *Importer) unpack(f file) ([]content, error) {
	in, err := contents(f)
	for i := range in {
		if n := slices.IndexFunc(im.formats, func(f format.Format) bool { return f.Recognise(in[i].name, in[i].head) }); n >= 0 {
			in[i].format = &im.formats[n]
		}
	}
	return in, err
}

// contents detects gzip and zip by the first bytes of a file, not by its name. But
// a file named .gz must be gzip: if not, it is usually a saved error page.
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
		c.open = func() (io.ReadCloser, error) {
			gz, err := gzip.NewReader(bufio.NewReaderSize(io.NewSectionReader(f.at, 0, f.size), headSize))
			if err != nil {
				return nil, gzipError(err)
			}
			return io.NopCloser(&bounded{Reader: gz, explain: gzipError, packed: f.size, most: math.MaxInt64}), nil
		}
	case ending == ".gz":
		return nil, stat.BadFile(start, "the file name ends in %s but the file is not gzip: it begins with %q", ending, magic)
	case bytes.HasPrefix(magic, []byte("PK\x03\x04")), bytes.HasPrefix(magic, []byte("PK\x05\x06")):
		members, isArchive, err := openArchive(f)
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

// look reads the first bytes. It converts UTF-16 text to UTF-8, because formats
// detect their files by bytes; XML is not converted, because it declares UTF-16.
func (c *content) look() (err error) {
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

// progress reports how far a file has been read. Bytes that are read twice are
// reported once.
type progress struct {
	io.ReaderAt
	done, total int64
	report      func(done, total int64)
}

func (p *progress) ReadAt(b []byte, offset int64) (int, error) {
	n, err := p.ReaderAt.ReadAt(b, offset)
	if done := offset + int64(n); done > p.done {
		p.done = done
		p.report(p.done, p.total)
	}
	return n, err
}
