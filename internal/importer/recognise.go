package importer

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/eurostat"
	"almanac/internal/format/tidy"
	"almanac/internal/stat"
)

// formats are all formats that are read, asked in this order whether they
// recognise a file. A new format is one line here.
var formats = []struct {
	// office is the source whose dictionaries the format uses, empty for a
	// format that brings its own labels.
	office string
	open   func(labels fs.FS) format.Format
}{
	{"", func(fs.FS) format.Format { return tidy.Format() }},
	{"eurostat", eurostat.Format},
}

// reader is a format made ready for a file.
type reader struct {
	format format.Format
	office string
	note   *stat.Note // what is to be said of the dictionaries
}

// readerKey tells readers apart that were made with different dictionaries.
type readerKey struct {
	format int
	labels string
}

// recognise finds the format of a file and gives it the dictionaries of its
// source.
func (im *Importer) recognise(ctx context.Context, in unpacked) (reader, error) {
	var names []string
	for i, f := range formats {
		plain := im.open(i, "")
		names = append(names, plain.Name)
		if !plain.Recognise(in.name, in.head) {
			continue
		}
		if f.office == "" {
			r := reader{format: plain}
			if im.options.Labels != "" {
				r.note = &stat.Note{Kind: NoteLabelsNotUsed, Count: 1, Example: im.options.Labels}
			}
			return r, nil
		}
		labels, note, err := im.labels(ctx, f.office)
		if err != nil {
			return reader{}, err
		}
		return reader{format: im.open(i, labels), office: f.office, note: note}, nil
	}
	return reader{}, stat.BadFile(start, "the file is of none of the formats that are read (%s): it begins with %q",
		strings.Join(names, ", "), firstLine(in.head))
}

// open makes the format at a position of formats, once for each dictionary
// folder; "" is none.
func (im *Importer) open(i int, labels string) format.Format {
	key := readerKey{i, labels}
	f, ok := im.readers[key]
	if !ok {
		var dir fs.FS
		if labels != "" {
			dir = os.DirFS(labels)
		}
		f = formats[i].open(dir)
		im.readers[key] = f
	}
	return f
}

// labels is the dictionary folder for an office's files: the one that the
// caller gave, else the one remembered, else "". A remembered folder that is
// gone is no failure, because the previous vintage has the labels.
func (im *Importer) labels(ctx context.Context, office string) (string, *stat.Note, error) {
	if im.options.Labels != "" {
		return im.options.Labels, nil, nil
	}
	dir, err := im.store.LabelsDir(ctx, office)
	if err != nil || dir == "" {
		return "", nil, wrap("finding the dictionaries of "+office, err)
	}
	if isDir(dir) != nil {
		return "", &stat.Note{Kind: NoteLabelsMissing, Count: 1, Example: dir}, nil
	}
	return dir, nil, nil
}

// firstLine is what a person needs to see of a file to know what it is.
func firstLine(head []byte) string {
	line, _, _ := strings.Cut(string(head[:min(len(head), 60)]), "\n")
	return strings.TrimSpace(line)
}

// wrap says what was being done when err happened; nil stays nil.
func wrap(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", doing, err)
}
