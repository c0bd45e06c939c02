// Package importer brings a source's file into the store, in four steps:
//
//	open      unpack the file and find the format that recognises it (open.go)
//	read      hand the observations of each dataset to a builder of the store (read.go)
//	complete  fill in what the file left open, and account for every cell (complete.go)
//	publish   store the datasets, and keep what they say of codes (publish.go)
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
	"regexp"
	"strings"
	"time"

	"almanac/internal/format"
	"almanac/internal/format/office"
	"almanac/internal/format/text"
	"almanac/internal/geo"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// Options say what the caller knows of the files. All are optional; texts that
// are not empty win over what a file says of itself.
type Options struct {
	Labels string // folder or file of the office's dictionaries; remembered for its source

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

	// Mapping says what the columns of a plain table mean, as package plain
	// writes it; Encoding is that of text that declares none.
	Mapping  string
	Encoding string

	// Joined says that the files of an Import are parts that make up the whole of
	// their datasets, though each looks like a whole: the answers to a question
	// that had to be split. Accept publishes also what takes too much away from
	// its dataset to be published unseen.
	Joined bool
	Accept bool

	// Claim, if not nil, is asked for each dataset before anything of its file is
	// published: id is that of the dataset that is stored already, 0 if none is. An
	// error refuses the file.
	Claim func(source, code string, id int) error

	// Progress, if not nil, is told how many bytes of a file have been read, and
	// its size; it is called for every few kilobytes. Starting is told which
	// file comes next, Report each outcome as soon as there is one.
	Progress func(done, total int64)
	Starting func(file string)
	Report   func(Outcome)
}

// An Importer brings files into one store. It keeps the dictionaries that it
// has read, so one Importer for many files reads them once. It is not safe for
// concurrent use.
type Importer struct {
	store   *store.Store
	options Options
	country geo.Area // of Options.Country
	formats []format.Format
	waiting parts // of datasets whose other parts may come in later files

	dictionaries dictionaries
}

// New makes an Importer for a store. The error is [stat.Invalid] and tells of
// every option that cannot be used.
func New(s *store.Store, o Options) (*Importer, error) {
	im := &Importer{store: s, options: o}
	var wrong []error
	if o.Labels != "" {
		dir, err := filepath.Abs(o.Labels)
		if err == nil {
			err = exists(dir)
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
		if _, err := stat.ParsePeriod(o.Period); err != nil {
			wrong = append(wrong, fmt.Errorf("--period: %w", err))
		}
	}
	if o.Encoding != "" {
		if _, err := text.Encoding(o.Encoding); err != nil {
			wrong = append(wrong, fmt.Errorf("--encoding: %w", err))
		}
	}
	for flag, address := range map[string]string{"--source-url": o.SourceURL, "--metadata-url": o.MetadataURL} {
		if u, err := url.Parse(address); address != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "") {
			wrong = append(wrong, fmt.Errorf("%s: %q is no address: it begins with https:// or http://", flag, address))
		}
	}
	if o.Source != "" && office.Find(o.Source).ID == "" {
		wrong = append(wrong, fmt.Errorf("--source: %q has no letter or digit to make an ID from", o.Source))
	}
	if err := errors.Join(wrong...); err != nil {
		return nil, stat.Errorf(stat.Invalid, "%v", err)
	}
	im.formats = allFormats()
	return im, nil
}

// Import brings files into the store, as one import: parts of one dataset
// among them become one vintage. It returns one outcome for each dataset, or
// for a file of which nothing is stored a single one with the status Refused
// and the reason. A file that is refused does not keep the others out, unless
// they are parts of one whole ([Options.Joined]).
func (im *Importer) Import(ctx context.Context, paths ...string) []Outcome {
	var outcomes []Outcome
	tell := func(some []Outcome) {
		for _, o := range some {
			if im.options.Report != nil {
				im.options.Report(o)
			}
		}
		outcomes = append(outcomes, some...)
	}
	for _, path := range im.codesFirst(paths) {
		if ctx.Err() != nil && len(paths) > 1 {
			break // the files that are left are not read
		}
		tell(im.importPath(ctx, path))
	}
	if im.options.Joined && len(outcomes) > 0 {
		im.waiting = nil // not whole without what was refused
	}
	tell(im.importWaiting(ctx))
	return outcomes
}

// codesFirst puts files that tell of codes before those that need them.
func (im *Importer) codesFirst(paths []string) []string {
	if len(paths) < 2 {
		return paths
	}
	var first, rest []string
	for _, path := range paths {
		if im.tellsOfCodes(path) {
			first = append(first, path)
		} else {
			rest = append(rest, path)
		}
	}
	return append(first, rest...)
}

// tellsOfCodes reports whether the file at path is of a format that tells of
// codes.
func (im *Importer) tellsOfCodes(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false // a pipe can be read once
	}
	f, err := openFile(path)
	if err != nil {
		return false
	}
	defer f.Close()
	contents, err := im.unpack(f)
	return err == nil && len(contents) == 1 && contents[0].hasCodes()
}

func (im *Importer) importPath(ctx context.Context, path string) []Outcome {
	if im.options.Starting != nil {
		im.options.Starting(path)
	}
	f, err := openWaiting(ctx, path)
	if err != nil {
		return []Outcome{refused(path, err)}
	}
	defer f.Close()
	return im.importFile(ctx, f)
}

// Read is [Importer.Import] for data that are open already, which it keeps in
// memory; name is what the file is called.
func (im *Importer) Read(ctx context.Context, name string, data io.Reader) []Outcome {
	f, err := fileOf(name, data)
	if err != nil {
		return []Outcome{refused(name, err)}
	}
	return append(im.importFile(ctx, f), im.importWaiting(ctx)...)
}

// importFile takes a file the whole way. It returns the outcomes of the datasets
// that were published, and that of the file if it was refused.
func (im *Importer) importFile(ctx context.Context, f file) []Outcome {
	outcomes, err := im.importTables(ctx, f)
	if err != nil {
		outcomes = append(outcomes, refused(f.name, err))
	}
	return outcomes
}

func (im *Importer) importTables(ctx context.Context, f file) ([]Outcome, error) {
	if tell := im.options.Progress; tell != nil {
		f.at = &progress{ReaderAt: f.at, total: f.size, tell: tell}
	}
	defer im.dictionaries.discardFile()
	in, err := im.open(f)
	if err != nil {
		return nil, err
	}
	if len(in.data) == 0 {
		kept, err := im.importCodes(ctx, in)
		if err != nil {
			return nil, err
		}
		noData := in.errNoData()
		if len(kept) > 0 {
			noData.Message += "; kept are its " + strings.Join(kept, ", and its ")
		}
		return nil, noData
	}
	tables, err := im.read(ctx, in)
	if err != nil {
		return nil, err
	}
	var whole, partial []*table
	for _, t := range tables {
		if t.partial != "" || im.options.Joined {
			partial = append(partial, t)
		} else {
			whole = append(whole, t)
		}
	}
	if err := im.complete(ctx, whole); err != nil {
		return nil, err
	}
	outcomes, err := im.publish(ctx, whole)
	if err != nil {
		return outcomes, err
	}
	im.dictionaries.acceptFile()
	for _, t := range partial {
		im.waiting.add(t)
	}
	return outcomes, nil
}

// importWaiting publishes the datasets whose parts were waiting.
func (im *Importer) importWaiting(ctx context.Context) []Outcome {
	var outcomes []Outcome
	for _, some := range im.waiting {
		published, err := im.importParts(ctx, some)
		if outcomes = append(outcomes, published...); err != nil {
			outcomes = append(outcomes, refused(some[0].file, err))
		}
	}
	im.waiting = nil
	return outcomes
}

func (im *Importer) importParts(ctx context.Context, parts []*table) ([]Outcome, error) {
	t, err := join(parts)
	if err != nil {
		return nil, err
	}
	if err := im.findStored(ctx, t); err != nil { // again: a file read since may have published it
		return nil, err
	}
	if err := im.complete(ctx, []*table{t}); err != nil {
		return nil, err
	}
	return im.publish(ctx, []*table{t})
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
	kind := stat.KindOf(err)
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		err = fmt.Errorf("%s: interrupted, nothing of it is stored", file)
	case errors.As(err, &at):
		if at.File != "" && at.File != file {
			at.File = file + "/" + at.File // a member of an archive
		} else {
			at.File = file
		}
	default:
		err = fmt.Errorf("%s: %w", file, err)
	}
	return Outcome{File: file, Format: as.format, Status: Refused, Notes: []stat.Note{}, Kind: kind, Error: err.Error()}
}

// elsewhere matches what names a dataset on an office's server.
var elsewhere = regexp.MustCompile(`^(?i)([a-z][a-z0-9+.-]*://|[a-z_]{2,}:[^/\\])`)

func openError(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist) && elsewhere.MatchString(path):
		return &stat.FileError{File: path, Message: "only files are read, not addresses: download it and import the file"}
	case errors.Is(err, fs.ErrNotExist):
		return &stat.FileError{File: path, Message: "there is no such file"}
	case errors.Is(err, fs.ErrPermission):
		return &stat.FileError{File: path, Message: "the file may not be read: permission denied"}
	}
	return err
}

// wrap says what was being done when err happened; nil stays nil.
func wrap(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// exists says why there is no file or folder at path; nil if there is one.
func exists(path string) error {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no folder or file %s", path)
	} else if err != nil {
		return err
	}
	return nil
}
