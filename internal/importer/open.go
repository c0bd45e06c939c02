package importer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"almanac/internal/format"
	"almanac/internal/stat"
)

// rawFile is an open file as the caller has it, perhaps packed. It can be read
// several times.
type rawFile struct {
	name string // as given by the caller
	at   io.ReaderAt
	size int64
	io.Closer
	modified time.Time // of a regular file
}

// checkUnchanged returns an error if a regular file was written to since it was opened: what
// was read may be neither the old nor the new file.
func (r rawFile) checkUnchanged() error {
	file, isFile := r.Closer.(*os.File)
	if !isFile {
		return nil
	}
	info, err := file.Stat()
	if err == nil && (info.Size() != r.size || !info.ModTime().Equal(r.modified)) {
		err = stat.BadFile(start, "the file was changed while it was read: import it again when it is complete")
	}
	return err
}

func (im *Importer) openFile(ctx context.Context, path string) (rawFile, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return im.openPipe(ctx, path)
	}
	f, err := os.Open(path)
	if err != nil {
		return rawFile{}, openError(path, err)
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = &stat.FileError{File: path, Message: "this is a folder; name the files in it"}
	}
	if err != nil {
		f.Close()
		return rawFile{}, err
	}
	return rawFile{path, f, info.Size(), f, info.ModTime()}, nil
}

// content is a file, or a member of an archive, after decompression.
type content struct {
	name   string // base name without .gz
	member string // name in the archive; empty for a file
	size   int64  // in bytes, as it is in the file or archive
	isGzip bool
	head   []byte         // first bytes
	format *format.Format // nil if no format recognises it
	open   func() (io.ReadCloser, error)
}

// isCodeList reports whether c describes codes: a dictionary, a code list or a
// structure.
func (c *content) isCodeList() bool { return c.format != nil && c.format.Learn != nil }

// unpackedFile is a file with its contents sorted by kind.
type unpackedFile struct {
	rawFile
	contents  []content
	data      []content
	codeLists []content // also dictionaries and structures
	skipped   []string  // members
}

// open unpacks a file, detects the format of each content and sorts the contents
// by kind. It refuses a file of unknown format, and an archive with a member of
// unknown format whose name looks like data.
func (im *Importer) open(raw rawFile) (*unpackedFile, error) {
	contents, err := im.recognise(raw)
	if err != nil {
		return nil, err
	}
	f := &unpackedFile{rawFile: raw, contents: contents}
	var prose, about []content // members named like "read me.txt", and like "metadata.csv"
	for _, c := range contents {
		switch ending := strings.ToLower(path.Ext(c.member)); {
		case metadataName.MatchString(path.Base(c.member)) && !c.isCodeList():
			about = append(about, c)
		case c.format == nil && (c.member == "" || slices.Contains(dataEndings, ending)):
			return nil, inMember(c.member, c.errUnknown())
		case c.isCodeList():
			f.codeLists = append(f.codeLists, c)
		case c.format == nil || c.format.Read == nil:
			f.skipped = append(f.skipped, c.member)
		case c.format.Name == "table" && (ending == ".txt" || ending == ".md"):
			prose = append(prose, c)
		default:
			f.data = append(f.data, c)
		}
	}
	if len(f.data) == 0 {
		f.data = append(prose, slices.DeleteFunc(about, func(c content) bool { return c.format == nil || c.format.Read == nil })...)
		return f, nil
	}
	for _, c := range slices.Concat(prose, about) {
		f.skipped = append(f.skipped, c.member)
	}
	return f, nil
}

// metadataName matches the names of members in which offices describe the data beside
// them: "18100204_MetaData.csv", "Series - Metadata.csv". Some repeat the data.
var metadataName = regexp.MustCompile(`(?i)m[eé]\pM?ta[ _-]?(data|daten|donn.{1,3}es|datos|dados)|data[ _-]?dictionary|code[ _-]?book|definitions? and sources?|caract.{1,3}ristiques`)

// dataEndings are the endings of archive members that must have a known format.
var dataEndings = []string{".csv", ".tsv", ".tab", ".xml", ".json", ".px", ".xls", ".xlsx", ".ods", ".parquet", ".ndjson", ".zip", ".gz"}

// recognise unpacks a file and detects the format of each content.
func (im *Importer) recognise(raw rawFile) ([]content, error) {
	contents, err := unpack(raw)
	for i := range contents {
		c := &contents[i]
		if n := slices.IndexFunc(im.formats, func(f format.Format) bool { return f.Recognise(c.name, c.head) }); n >= 0 {
			c.format = &im.formats[n]
		}
	}
	return contents, err
}

func (c *content) errUnknown() error {
	line, rest, _ := strings.Cut(strings.TrimSpace(string(c.head)), "\n")
	line = line[:min(len(line), 60)]
	switch {
	case isZip(c.head):
		return stat.BadFile(start, "a zip archive is packed again: unpack the file and import the archive in it")
	case line == "":
		return stat.BadFile(start, "the file is empty")
	case rest == "" && strings.ContainsAny(line, ",;\t|") && !strings.ContainsAny(line[:1], "{[<"):
		return stat.BadFile(start, "the file has no rows below its only line, %q", line)
	}
	return stat.BadFile(start, "unknown file format: the file begins with %q; docs/formats.md lists the supported formats", strings.TrimSpace(line))
}

// errNoData returns the error for a file or archive without data.
func (f *unpackedFile) errNoData() *stat.FileError {
	var holds []string
	for _, c := range f.contents {
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

// serverReference matches URLs and names of datasets on offices' servers.
var serverReference = regexp.MustCompile(`^(?i)([a-z][a-z0-9+.-]*://|[a-z_]{2,}:[^/\\])`)

func openError(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist) && serverReference.MatchString(path):
		return &stat.FileError{File: path, Message: "this is not a file: download the data and import the downloaded file"}
	case errors.Is(err, fs.ErrNotExist):
		return &stat.FileError{File: path, Message: "there is no such file"}
	case errors.Is(err, fs.ErrPermission):
		return &stat.FileError{File: path, Message: "cannot read the file: permission denied"}
	}
	return err
}

// checkExists returns an error if there is no file or folder at path.
func checkExists(path string) error {
	_, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no folder or file %s", path)
	}
	return err
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
