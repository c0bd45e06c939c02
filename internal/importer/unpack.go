package importer

import (
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"math"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	kflate "github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"golang.org/x/text/encoding/unicode"

	"almanac/internal/stat"
)

// headSize is how many bytes of a file are used to detect its format.
const headSize = 64 << 10

// Limits for compressed data. Bytes are counted while they are unpacked, because
// headers cannot be trusted.
const (
	maxRatio  = 100     // unpacked bytes per packed byte
	freeRatio = 1 << 20 // unpacked bytes below which any ratio is allowed
)

// unpack returns the contents of a file: the members of an archive, or the file itself. It
// detects gzip and zip by the first bytes, not by the name.
func unpack(raw rawFile) ([]content, error) {
	c := content{name: filepath.Base(raw.name), size: raw.size}
	c.open = func() (io.ReadCloser, error) { return io.NopCloser(io.NewSectionReader(raw.at, 0, raw.size)), nil }
	if err := c.readHead(); err != nil {
		return nil, err
	}
	if len(c.head) == 0 {
		return nil, stat.BadFile(start, "the file is empty")
	}
	if isZip(c.head) && !c.isGzip {
		members, isArchive, err := openArchive(raw)
		if isArchive || err != nil {
			return members, err
		}
	}
	return []content{c}, nil
}

func isZip(head []byte) bool {
	return bytes.HasPrefix(head, []byte("PK\x03\x04")) || bytes.HasPrefix(head, []byte("PK\x05\x06"))
}

func isGzip(head []byte) bool { return bytes.HasPrefix(head, []byte{0x1f, 0x8b}) }

// readHead reads the first bytes of a content, unpacked and in UTF-8 if it is in gzip and
// in UTF-16. A content named .gz must be gzip: if not, it is usually a saved error page.
func (c *content) readHead() (err error) {
	if c.head, err = headOf(c.open); err != nil {
		return err
	}
	ending := strings.ToLower(path.Ext(c.name))
	switch {
	case isGzip(c.head):
		c.isGzip, c.open = true, openGzip(c.open, c.size)
		if c.head, err = headOf(c.open); err != nil {
			return err
		}
		if isGzip(c.head) {
			return stat.BadFile(start, "the file is packed twice: unpack it and import the result")
		}
	case ending == ".gz" && len(c.head) > 0:
		return stat.BadFile(start, "the file name ends in %s but the file is not gzip: it begins with %q", ending, c.head[:min(4, len(c.head))])
	}
	if ending == ".gz" {
		c.name = c.name[:len(c.name)-len(ending)]
	}
	return c.decodeUTF16()
}

func openGzip(packed func() (io.ReadCloser, error), size int64) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) {
		file, err := packed()
		if err != nil {
			return nil, err
		}
		gz, err := gzip.NewReader(bufio.NewReaderSize(file, headSize))
		if err != nil {
			file.Close()
			return nil, gzipError(err)
		}
		return readCloser{&bounded{Reader: gz, explain: gzipError, packed: size, most: math.MaxInt64}, file}, nil
	}
}

// decodeUTF16 converts UTF-16 to UTF-8, because formats detect their files by bytes. XML is
// not converted, because it declares UTF-16.
func (c *content) decodeUTF16() (err error) {
	order, isUTF16 := utf16Order(c.head)
	if !isUTF16 {
		return nil
	}
	raw := c.open
	wide := *c
	wide.open = func() (io.ReadCloser, error) {
		r, err := raw()
		if err != nil {
			return nil, err
		}
		return readCloser{unicode.UTF16(order, unicode.UseBOM).NewDecoder().Reader(r), r}, nil
	}
	if wide.head, err = headOf(wide.open); err == nil && !bytes.HasPrefix(bytes.TrimSpace(wide.head), []byte("<")) {
		*c = wide
	}
	return nil
}

// utf16Order returns the order of bytes of a text in UTF-16: by its byte order mark, or
// because every second byte of the first letters is zero.
func utf16Order(head []byte) (order unicode.Endianness, ok bool) {
	const letters = 8
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		return unicode.LittleEndian, true // the mark decides
	case len(head) < 2*letters:
		return order, false
	}
	var zeros [2]int
	for i, b := range head[:2*letters] {
		if b == 0 {
			zeros[i%2]++
		}
	}
	return unicode.Endianness(zeros[1] > 0), zeros[0]+zeros[1] == letters && zeros[0]*zeros[1] == 0
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

// Limits for an archive. Real packages have about a dozen members.
const (
	maxMembers = 1000
	maxMember  = 512 << 20 // bytes of one unpacked member
	maxArchive = 1 << 30   // bytes of all unpacked members, as declared
)

// openArchive lists the members of a zip archive. isArchive is false if the zip
// file is a workbook.
func openArchive(raw rawFile) (members []content, isArchive bool, err error) {
	z, err := zip.NewReader(raw.at, raw.size)
	if err != nil {
		return nil, true, stat.BadFile(start, "the zip archive is damaged or truncated: %v", err)
	}
	z.RegisterDecompressor(zip.Deflate, func(r io.Reader) io.ReadCloser { return kflate.NewReader(r) })
	isBook := func(m *zip.File) bool { return m.Name == "xl/workbook.xml" }
	if len(z.File) > 0 && z.File[0].Name == "mimetype" {
		isBook = func(m *zip.File) bool { return m.Name == "content.xml" } // OpenDocument
	}
	if slices.ContainsFunc(z.File, isBook) {
		return nil, false, nil
	}
	if err := checkArchive(z.File); err != nil {
		return nil, true, err
	}
	for _, m := range z.File {
		if m.FileInfo().IsDir() || strings.HasPrefix(path.Base(m.Name), ".") || strings.HasPrefix(m.Name, "__MACOSX/") {
			continue
		}
		archive := filepath.Base(raw.name)
		c := content{member: m.Name, size: int64(m.UncompressedSize64)}
		c.name = uuid.ReplaceAllString(path.Base(m.Name), strings.TrimSuffix(archive, filepath.Ext(archive)))
		c.open = func() (io.ReadCloser, error) { return openMember(m) }
		if err := c.readHead(); err != nil {
			return nil, true, inMember(m.Name, err)
		}
		members = append(members, c)
	}
	if len(members) == 0 {
		return nil, true, stat.BadFile(start, "the zip archive contains no files")
	}
	return members, true, nil
}

// uuid matches the names that servers make anew for the members of each download.
var uuid = regexp.MustCompile(`(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// checkArchive refuses archives that are encrypted, malformed or zip bombs.
func checkArchive(files []*zip.File) error {
	if len(files) > maxMembers {
		return stat.BadFile(start, "the zip archive has %d members; at most %d are read: unpack it and import the files in it", len(files), maxMembers)
	}
	var total uint64
	type span struct{ first, end int64 }
	var spans []span
	for _, m := range files {
		if m.Flags&1 != 0 {
			return stat.BadFile(start, "%s in the zip archive is encrypted: unpack it and import the files in it", m.Name)
		}
		if !m.Mode().IsRegular() && !m.Mode().IsDir() {
			return stat.BadFile(start, "%s in the zip archive is a link or a device, not a file", m.Name)
		}
		if total += m.UncompressedSize64; total > maxArchive || m.UncompressedSize64 > maxArchive {
			return stat.BadFile(start, "the zip archive unpacks to more than %d MiB: unpack it and import the files in it", maxArchive>>20)
		}
		first, err := m.DataOffset()
		if err != nil {
			return stat.BadFile(start, "the zip archive is damaged at %s: %v", m.Name, err)
		}
		spans = append(spans, span{first, first + int64(m.CompressedSize64)})
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.first, b.first) })
	for i := 1; i < len(spans); i++ {
		if spans[i].first < spans[i-1].end {
			return stat.BadFile(start, "members of the zip archive overlap, which a valid archive never has")
		}
	}
	return nil
}

func openMember(m *zip.File) (io.ReadCloser, error) {
	r, err := m.Open()
	if err != nil {
		return nil, zipError(err)
	}
	return readCloser{&bounded{Reader: r, explain: zipError, packed: int64(m.CompressedSize64), most: maxMember}, r}, nil
}

func zipError(err error) error {
	var corrupt flate.CorruptInputError
	switch {
	case errors.Is(err, zip.ErrAlgorithm):
		return errors.New("the compression method is not supported: unpack the archive and import the files in it")
	case errors.Is(err, zip.ErrChecksum), errors.Is(err, zip.ErrFormat), errors.As(err, &corrupt), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the zip archive is damaged: " + err.Error())
	}
	return err
}

// inMember adds the name of an archive's member to an error.
func inMember(member string, err error) error {
	var at *stat.FileError
	if errors.As(err, &at) && at.File == "" {
		at.File = member
	}
	return err
}
