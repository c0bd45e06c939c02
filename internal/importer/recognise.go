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

// allFormats lists all formats that are read, asked in this order whether they
// recognise a file: those that know their files for certain come first. A new
// format is one line here.
func allFormats(labels fs.FS) []format.Format {
	var all []format.Format
	for _, some := range [][]format.Format{
		{tidy.Format()},
		{eurostat.Format(labels)},
	} {
		all = append(all, some...)
	}
	return all
}

// recognise finds the format of a file; nil if there is none.
func (im *Importer) recognise(c content) *format.Format {
	for i, f := range im.formats {
		if f.Recognise(c.name, c.head) {
			return &im.formats[i]
		}
	}
	return nil
}

// unknownFormat refuses a file that no format recognises.
func (im *Importer) unknownFormat(c content) error {
	var names []string
	for _, f := range im.formats {
		if f.Read != nil {
			names = append(names, f.Name)
		}
	}
	return stat.BadFile(start, "the file is of none of the formats that are read (%s): it begins with %q",
		strings.Join(names, ", "), firstLine(c.head))
}

// noData refuses a file or archive of which no part holds data.
func noData(in []content) error {
	var holds []string
	for _, c := range in {
		switch {
		case c.format != nil && c.member == "":
			return stat.BadFile(stat.Position{}, "the file is %s and holds no data to import", c.format.Holds)
		case c.format != nil:
			holds = append(holds, c.member+" is "+c.format.Holds)
		default:
			holds = append(holds, c.member+" is of no format that is read")
		}
	}
	if len(holds) > 3 {
		holds = append(holds[:3], "…")
	}
	return stat.BadFile(stat.Position{}, "the archive holds no data to import: %s", strings.Join(holds, ", "))
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

// learn, dictionary and remember are what dictionary.go will own.
func (im *Importer) learn(ctx context.Context, f format.Format, c content) error { return nil }

func (im *Importer) dictionary(ctx context.Context, source string) *stat.Dictionary { return nil }

func (im *Importer) remember(ctx context.Context, t *table) error {
	if t.dataset.Source.ID == "eurostat" && im.options.Labels != "" {
		return wrap("remembering the dictionaries", im.store.SetLabelsDir(ctx, "eurostat", im.options.Labels))
	}
	return nil
}

func (im *Importer) labelsFS(ctx context.Context) fs.FS {
	dir := im.options.Labels
	if dir == "" {
		dir, _ = im.store.LabelsDir(ctx, "eurostat")
	}
	if dir == "" || isDir(dir) != nil {
		return nil
	}
	return os.DirFS(dir)
}
