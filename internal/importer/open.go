package importer

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

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

// bufferFile reads data into memory.
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
