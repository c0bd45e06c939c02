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
	"regexp"
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
	parts   parts // of datasets that wait for the others

	knowledge knowledge
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
	for _, path := range im.inOrder(paths) {
		if ctx.Err() != nil && len(paths) > 1 {
			break // the files that are left are not read
		}
		tell(im.importFile(ctx, path))
	}
	if im.options.Joined && len(outcomes) > 0 {
		im.parts.take() // not whole without what was refused
	}
	tell(im.finishParts(ctx))
	return outcomes
}

// inOrder puts files that tell of codes before those that need them.
func (im *Importer) inOrder(paths []string) []string {
	if len(paths) < 2 {
		return paths
	}
	var first, rest []string
	for _, path := range paths {
		if im.teaches(path) {
			first = append(first, path)
		} else {
			rest = append(rest, path)
		}
	}
	return append(first, rest...)
}

// teaches reports whether the file at path is of a format that tells of codes.
func (im *Importer) teaches(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false // a pipe can be read once
	}
	f, err := openFile(path)
	if err != nil {
		return false
	}
	defer f.Close()
	in, err := im.contents(f)
	return err == nil && len(in) == 1 && in[0].format != nil && in[0].format.Learn != nil
}

func (im *Importer) importFile(ctx context.Context, path string) []Outcome {
	if im.options.Starting != nil {
		im.options.Starting(path)
	}
	f, err := openWaiting(ctx, path)
	if err != nil {
		return []Outcome{refused(path, err)}
	}
	defer f.Close()
	return im.storeFile(ctx, f)
}

// Read is [Importer.Import] for data that are open already, which it keeps in
// memory; name is what the file is called.
func (im *Importer) Read(ctx context.Context, name string, data io.Reader) []Outcome {
	f, err := fileOf(name, data)
	if err != nil {
		return []Outcome{refused(name, err)}
	}
	return append(im.storeFile(ctx, f), im.finishParts(ctx)...)
}

func (im *Importer) storeFile(ctx context.Context, f file) []Outcome {
	outcomes, err := im.storeWhole(ctx, f)
	if err != nil {
		return append(outcomes, refused(f.name, err))
	}
	return outcomes
}

// storeWhole returns the outcomes of what was published of a file, and the error
// that ended the reading or publishing. Parts of datasets wait for the others.
func (im *Importer) storeWhole(ctx context.Context, f file) ([]Outcome, error) {
	if tell := im.options.Progress; tell != nil {
		f.at = &progress{ReaderAt: f.at, total: f.size, tell: tell}
	}
	defer im.forget()
	tables, err := im.readFile(ctx, f)
	var refusal *onlyTaught
	if errors.As(err, &refusal) {
		return nil, im.keep(ctx, refusal)
	}
	if err != nil {
		return nil, err
	}
	var whole, waiting []*table
	for _, t := range tables {
		if t.partial == "" && !im.options.Joined {
			whole = append(whole, t)
		} else {
			waiting = append(waiting, t)
		}
	}
	outcomes, err := im.publishAll(ctx, whole)
	if err != nil {
		return outcomes, err
	}
	im.accept()
	for _, t := range waiting {
		im.parts.add(t)
	}
	return outcomes, nil
}

// contents takes the packing off a file and recognises what is in it.
func (im *Importer) contents(f file) ([]content, error) {
	in, err := contents(f)
	for i := range in {
		in[i].format = im.recognise(in[i])
	}
	return in, err
}

// readFile reads all datasets of a file: with the geography that its format
// finds, or again with the one that earlier imports or its codes tell.
func (im *Importer) readFile(ctx context.Context, f file) ([]*table, error) {
	in, err := im.contents(f)
	if err != nil {
		return nil, err
	}
	others := geographies{}
	for {
		tables, err := im.readContents(ctx, f, in, others)
		var other *otherGeography
		if !errors.As(err, &other) || others[other.member] != nil {
			return tables, err
		}
		others[other.member] = other
	}
}

// finishParts publishes the datasets whose parts were waiting.
func (im *Importer) finishParts(ctx context.Context) []Outcome {
	var outcomes []Outcome
	for _, j := range im.parts.take() {
		some, err := []Outcome(nil), j.err
		if err == nil {
			some, err = im.publishAll(ctx, []*table{j.table})
		}
		if outcomes = append(outcomes, some...); err != nil {
			outcomes = append(outcomes, refused(j.file, err))
		}
	}
	return outcomes
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

// exists says why there is no file or folder at path; nil if there is one.
func exists(path string) error {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no folder or file %s", path)
	} else if err != nil {
		return err
	}
	return nil
}
