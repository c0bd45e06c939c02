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

// file is a file that the caller names, which can be read again and again.
type file struct {
	name string // as the caller named it
	at   io.ReaderAt
	size int64
	io.Closer
}

// openFile opens the file at path. What is no regular file (a pipe) is read
// into memory.
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
		return file{}, &stat.FileError{File: path, Message: "is a folder: name the files in it"}
	}
	if !info.Mode().IsRegular() {
		defer f.Close()
		return fileOf(path, f)
	}
	return file{path, f, info.Size(), f}, nil
}

// openWaiting is openFile for what may keep its reader waiting, such as a pipe
// that nobody writes to yet: an end of ctx ends the waiting.
func openWaiting(ctx context.Context, path string) (file, error) {
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

// fileOf keeps what data holds in memory.
func fileOf(name string, data io.Reader) (file, error) {
	body, err := io.ReadAll(io.LimitReader(data, maxInMemory+1))
	if err != nil {
		return file{}, fmt.Errorf("reading %s: %w", name, err)
	}
	if len(body) > maxInMemory {
		return file{}, stat.BadFile(start, "the data are longer than %d MiB: save them as a file and import that", maxInMemory>>20)
	}
	return file{name, bytes.NewReader(body), int64(len(body)), io.NopCloser(nil)}, nil
}

// content is what a file, or a member of an archive, holds with its packing
// taken off.
type content struct {
	name   string         // base name without the ending that tells of the packing
	member string         // the member's name in the archive; empty for a file
	head   []byte         // its first bytes
	format *format.Format // nil until it is recognised, and where it is not
	open   func() (io.ReadCloser, error)
}

// hasCodes reports whether it tells of codes.
func (c *content) hasCodes() bool { return c.format != nil && c.format.Learn != nil }

// input is a file that is open, its contents sorted by what they hold.
type input struct {
	file     string // as the caller named it
	contents []content
	data     []content
	codes    []content // dictionaries, code lists, structures
	other    []string  // members that are not read
}

// open unpacks a file, finds the format of each content and sorts them. A file
// that no format recognises is refused, and so is an archive with a member that
// is named like data and that no format recognises.
func (im *Importer) open(f file) (*input, error) {
	in := &input{file: f.name}
	var err error
	if in.contents, err = im.unpack(f); err != nil {
		return nil, err
	}
	for _, c := range in.contents {
		switch ending := strings.ToLower(path.Ext(c.member)); {
		case c.format == nil && (c.member == "" || slices.Contains(dataEndings, ending)):
			return nil, inMember(c.member, stat.BadFile(start, "the file is of none of the formats that are read, which docs/formats.md lists: it begins with %q", firstLine(c.head)))
		case c.hasCodes():
			in.codes = append(in.codes, c)
		case c.format != nil && c.format.Read != nil:
			in.data = append(in.data, c)
		default:
			in.other = append(in.other, c.member)
		}
	}
	in.leaveOutProse()
	return in, nil
}

// dataEndings are the endings of members of an archive that are not passed over
// where no format recognises them.
var dataEndings = []string{".csv", ".tsv", ".tab", ".xml", ".json", ".px", ".xls", ".xlsx", ".zip", ".gz"}

// leaveOutProse passes over members that look like tables and are called like
// prose ("read me.txt"), unless there is nothing else.
func (in *input) leaveOutProse() {
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

// firstLine is what a person needs to see of a file to know what it is.
func firstLine(head []byte) string {
	line, _, _ := strings.Cut(string(head[:min(len(head), 60)]), "\n")
	return strings.TrimSpace(line)
}

// errNoData refuses a file or archive of which no part holds data.
func (in *input) errNoData() *stat.FileError {
	var holds []string
	for _, c := range in.contents {
		switch {
		case c.format != nil && c.member == "":
			return &stat.FileError{Message: "the file is " + c.format.Holds + " and holds no data to import"}
		case c.format != nil:
			holds = append(holds, c.member+" is "+c.format.Holds)
		default:
			holds = append(holds, c.member+" is of no format that is read")
		}
	}
	if len(holds) > 3 {
		holds = append(holds[:3], "…")
	}
	return &stat.FileError{Message: "the archive holds no data to import: " + strings.Join(holds, ", ")}
}
