// Package importer brings a source's file into the store: it opens and unpacks
// the file, finds the format that recognises it, checks the observations while
// they pass from the format's reader to the store's writer, completes what the
// file left open (labels, areas, what earlier vintages said), publishes, and
// accounts for every cell.
//
// A file is taken whole or not at all. Its tables are read to the end of the
// file before the first of them is published, so that an error in the last
// line leaves the store as it was.
package importer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"almanac/internal/format"
	"almanac/internal/geo"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// Options say what the caller knows of the files. All are optional; texts that
// are not empty win over what a file says of itself.
type Options struct {
	Labels string // folder of the office's dictionaries; remembered for its source

	Source      string // name of the office
	Code        string // the dataset's code
	Name        string
	Description string
	SourceURL   string
	MetadataURL string
	Updated     time.Time // the source's own time of update

	Country string // the area of a file without a geography: any code that geo knows
	Geo     string // ID of the dimension that is the geography
	Period  string // period of a file that has no time
	Decimal string // "." or ","

	// Progress, if not nil, is told how many bytes of a file have been read, and
	// its size; it is called for every few kilobytes.
	Progress func(done, total int64)
}

// An Importer brings files into one store. It keeps the dictionaries that it
// has read, so one Importer for many files reads them once. It is not safe for
// concurrent use.
type Importer struct {
	store   *store.Store
	options Options
	country geo.Area // of Options.Country
	readers map[readerKey]format.Format
}

// New makes an Importer for a store. The error is [stat.Invalid] and tells of
// every option that cannot be used.
func New(s *store.Store, o Options) (*Importer, error) {
	im := &Importer{store: s, options: o, readers: map[readerKey]format.Format{}}
	var wrong []error
	if o.Labels != "" {
		dir, err := filepath.Abs(o.Labels)
		if err == nil {
			err = isDir(dir)
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("--labels: %w", err))
		}
		im.options.Labels = dir
	}
	if o.Country != "" {
		area, ok := geo.Find(o.Country)
		if !ok {
			wrong = append(wrong, fmt.Errorf("--country: %q is no code of an area: ISO codes (DE, DEU, 276) and offices' codes of groups (EA20, EU27_2020, WLD) are known", o.Country))
		}
		im.country = area
	}
	if o.Period != "" {
		if _, err := stat.Parse(o.Period); err != nil {
			wrong = append(wrong, fmt.Errorf("--period: %w", err))
		}
	}
	for flag, address := range map[string]string{"--source-url": o.SourceURL, "--metadata-url": o.MetadataURL} {
		if u, err := url.Parse(address); address != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "") {
			wrong = append(wrong, fmt.Errorf("%s: %q is no address: it begins with https:// or http://", flag, address))
		}
	}
	if o.Source != "" && sourceID(o.Source) == "" {
		wrong = append(wrong, fmt.Errorf("--source: %q has no letter or digit to make an ID from", o.Source))
	}
	if err := errors.Join(wrong...); err != nil {
		return nil, stat.Errorf(stat.Invalid, "%v", err)
	}
	return im, nil
}

// Import brings the file at path into the store and returns one outcome for
// each dataset in it, or a single one with the status Refused and the reason.
func (im *Importer) Import(ctx context.Context, path string) []Outcome {
	outcomes, err := im.importFile(ctx, path, im.options.Geo)
	var other *otherGeography
	if errors.As(err, &other) {
		outcomes, err = im.importFile(ctx, path, other.dimension)
	}
	if err != nil {
		return append(outcomes, refused(path, err))
	}
	return outcomes
}

// importFile reads the file at path with a dimension as its geography, or with
// the one that its format finds if geo is empty.
func (im *Importer) importFile(ctx context.Context, path, geo string) ([]Outcome, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, openError(path, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, &stat.FileError{File: path, Message: "is a folder: name the files in it"}
	}
	return im.read(ctx, source{path, f, info.Size(), geo})
}

// Read is [Importer.Import] for a file that is open already; file is what it
// is called, size how many bytes it has.
func (im *Importer) Read(ctx context.Context, file string, data io.Reader, size int64) []Outcome {
	outcomes, err := im.read(ctx, source{file, data, size, im.options.Geo})
	if err != nil {
		return append(outcomes, refused(file, err))
	}
	return outcomes
}

// source is a file on its way into the store.
type source struct {
	name string
	data io.Reader
	size int64
	geo  string // the dimension that is the geography; empty: as the format finds it
}

// read returns the outcomes of what was published, and the error that ended
// the reading or publishing.
func (im *Importer) read(ctx context.Context, from source) ([]Outcome, error) {
	if tell := im.options.Progress; tell != nil {
		from.data = &progress{Reader: from.data, total: from.size, tell: tell}
	}
	in, err := unpack(from.name, from.data)
	if err != nil {
		return nil, err
	}
	in.geo = from.geo
	reader, err := im.recognise(ctx, in)
	if err != nil {
		return nil, err
	}
	tables, err := im.readTables(ctx, reader, in)
	if err != nil {
		return nil, inFormat{reader.format.Name, err}
	}
	var outcomes []Outcome
	for _, t := range tables {
		o, err := im.publish(ctx, reader, t)
		if err != nil {
			return outcomes, inFormat{reader.format.Name, err}
		}
		o.File = from.name
		outcomes = append(outcomes, o)
	}
	return outcomes, nil
}

// inFormat is an error met while a file was read as a format.
type inFormat struct {
	format string
	error
}

func (e inFormat) Unwrap() error { return e.error }

// refused is the outcome of a file of which nothing is stored.
func refused(file string, err error) Outcome {
	var (
		at *stat.FileError
		as inFormat
	)
	errors.As(err, &as)
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		err = fmt.Errorf("%s: interrupted, nothing of it is stored", file)
	case errors.As(err, &at):
		at.File = file
	default:
		err = fmt.Errorf("%s: %w", file, err)
	}
	return Outcome{File: file, Format: as.format, Status: Refused, Notes: []stat.Note{}, Error: err.Error()}
}

func openError(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &stat.FileError{File: path, Message: "there is no such file"}
	case errors.Is(err, fs.ErrPermission):
		return &stat.FileError{File: path, Message: "the file may not be read: permission denied"}
	}
	return err
}

func isDir(path string) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no folder %s", path)
	}
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is no folder", path)
	}
	return nil
}
