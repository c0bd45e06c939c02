// Package importer imports the files of statistical offices into the store, in
// four steps:
//
//	open      unpack the file and detect its format (open.go)
//	read      pass the observations of each dataset to a builder of the store (read.go)
//	complete  add what the file does not say, and account for every cell (complete.go)
//	publish   store the datasets and what they say about codes (publish.go)
//
// A file is read to its end before its first dataset is published, so an error in its
// last line leaves the store unchanged. Each dataset is published in one transaction.
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
	"slices"
	"strings"
	"time"

	"almanac/internal/format"
	"almanac/internal/format/office"
	"almanac/internal/format/text"
	"almanac/internal/geo"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// Options state what the caller knows about the files. All are optional. A
// non-empty text overrides what a file says about itself.
type Options struct {
	Labels string // folder or file with the office's dictionaries; remembered for the office

	Source      string // name of the office
	Code        string // the dataset's code
	Name        string
	Description string
	SourceURL   string
	MetadataURL string
	Updated     time.Time // when the office updated the data

	Country string // area of a file without a geography: any code that package geo knows
	Geo     string // ID of the geography dimension
	Period  string // period of a file without a time dimension
	Decimal string // "." or ","

	// Mapping states the meaning of a plain table's columns in the notation of
	// package plain. Encoding applies to text that does not declare its own.
	Mapping  string
	Encoding string

	// Joined states that the files of one Import are parts which together make up
	// their datasets, although each looks complete: responses to a query that had
	// to be split. Accept skips the quarantine: it also publishes an update that
	// removes a lot of data.
	Joined bool
	Accept bool

	// Claim, if not nil, is called for each dataset before anything from its file
	// is published. id is the stored dataset's ID, or 0 if the dataset is new. An
	// error refuses the file.
	Claim func(source, code string, id int) error

	// Progress, if not nil, is called every few kilobytes with the number of bytes
	// read and the size of the file. Starting is called before each file, Report
	// with each outcome as soon as it is known.
	Progress func(done, total int64)
	Starting func(file string)
	Report   func(Outcome)
}

// An Importer imports files into one store. It keeps the dictionaries it has
// read, so that they are read once for many files. It is not safe for
// concurrent use.
type Importer struct {
	store   *store.Store
	options Options
	country geo.Area // Options.Country, resolved
	formats []format.Format
	pending parts // parts whose dataset may have more parts in later files

	dictionaries dictionaries
}

// New returns an Importer for a store. Its error is [stat.Invalid] and lists all
// invalid options.
func New(s *store.Store, o Options) (*Importer, error) {
	im := &Importer{store: s, options: o, formats: allFormats(), dictionaries: dictionaries{
		folders: map[string]*labelsFolder{}, merged: map[string]*stat.Dictionary{},
	}}
	var wrong []error
	if o.Labels != "" {
		dir, err := filepath.Abs(o.Labels)
		if err == nil {
			err = checkExists(dir)
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("--labels: %w", err))
		}
		im.options.Labels = dir
	}
	if o.Country != "" {
		area, ok := geo.Find(o.Country)
		if !ok {
			wrong = append(wrong, fmt.Errorf("--country: unknown area code %q: use an ISO code (DE, DEU, 276) or an office's code of a group of countries (EA20, EU27_2020, WLD)", o.Country))
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
			wrong = append(wrong, fmt.Errorf("%s: invalid address %q: it must begin with https:// or http://", flag, address))
		}
	}
	if o.Source != "" && office.Find(o.Source).ID == "" {
		wrong = append(wrong, fmt.Errorf("--source: %q contains no letter or digit to make an ID from", o.Source))
	}
	if err := errors.Join(wrong...); err != nil {
		return nil, stat.Errorf(stat.Invalid, "%v", err)
	}
	return im, nil
}

// Import imports files together: parts of one dataset among them become one
// version. It returns one outcome for each dataset. A refused file has a single
// outcome with the status Refused and the reason. The other files are still
// imported, unless they are all parts of one dataset ([Options.Joined]).
func (im *Importer) Import(ctx context.Context, paths ...string) []Outcome {
	var outcomes []Outcome
	report := func(some []Outcome) {
		for _, o := range some {
			if im.options.Report != nil {
				im.options.Report(o)
			}
		}
		outcomes = append(outcomes, some...)
	}
	for _, path := range im.sortCodesFirst(paths) {
		if ctx.Err() != nil && len(paths) > 1 {
			break // skip the remaining files
		}
		report(im.importPath(ctx, path))
	}
	if im.options.Joined && len(outcomes) > 0 {
		im.pending = nil // incomplete without the refused parts
	}
	report(im.importPending(ctx))
	return outcomes
}

// sortCodesFirst moves files with codes before the data files that need them.
func (im *Importer) sortCodesFirst(paths []string) []string {
	if len(paths) < 2 {
		return paths
	}
	isData := map[string]int{}
	for _, path := range paths {
		if !im.hasCodes(path) {
			isData[path] = 1
		}
	}
	return slices.SortedStableFunc(slices.Values(paths), func(a, b string) int { return isData[a] - isData[b] })
}

// hasCodes reports whether the file at path is a dictionary, a code list or a
// structure.
func (im *Importer) hasCodes(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false // a pipe can be read only once
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
	f, err := openFileContext(ctx, path)
	if err != nil {
		return []Outcome{refusal(path, err)}
	}
	defer f.Close()
	return im.importFile(ctx, f)
}

// Read is like [Importer.Import] for one open file, which it reads into memory.
// name is the name of the file.
func (im *Importer) Read(ctx context.Context, name string, data io.Reader) []Outcome {
	f, err := bufferFile(name, data)
	if err != nil {
		return []Outcome{refusal(name, err)}
	}
	return append(im.importFile(ctx, f), im.importPending(ctx)...)
}

// importFile returns the outcomes of the published datasets, and one for the file
// if it was refused.
func (im *Importer) importFile(ctx context.Context, f file) []Outcome {
	outcomes, err := im.importTables(ctx, f)
	if err != nil {
		outcomes = append(outcomes, refusal(f.name, err))
	}
	return outcomes
}

func (im *Importer) importTables(ctx context.Context, f file) ([]Outcome, error) {
	if report := im.options.Progress; report != nil {
		f.at = &progress{ReaderAt: f.at, total: f.size, report: report}
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
			noData.Message += "; stored for later imports: " + strings.Join(kept, ", and ")
		}
		return nil, noData
	}
	tables, err := im.read(ctx, in)
	if err != nil {
		return nil, err
	}
	isPart := func(t *table) bool { return t.partial != "" || im.options.Joined }
	whole := slices.DeleteFunc(slices.Clone(tables), isPart)
	if err := im.complete(ctx, whole); err != nil {
		return nil, err
	}
	outcomes, err := im.publish(ctx, whole)
	if err != nil {
		return outcomes, err
	}
	im.dictionaries.acceptFile()
	for _, t := range tables {
		if isPart(t) {
			im.pending.add(t)
		}
	}
	return outcomes, nil
}

func (im *Importer) importPending(ctx context.Context) []Outcome {
	var outcomes []Outcome
	for _, some := range im.pending {
		published, err := im.importParts(ctx, some)
		if outcomes = append(outcomes, published...); err != nil {
			outcomes = append(outcomes, refusal(some[0].file, err))
		}
	}
	im.pending = nil
	return outcomes
}

func (im *Importer) importParts(ctx context.Context, parts []*table) ([]Outcome, error) {
	t, err := join(parts)
	if err != nil {
		return nil, err
	}
	if err := im.findStored(ctx, t); err != nil { // again: a later file may have published the dataset
		return nil, err
	}
	if err := im.complete(ctx, []*table{t}); err != nil {
		return nil, err
	}
	return im.publish(ctx, []*table{t})
}

// formatError is an error in a file whose format is known.
type formatError struct {
	format string
	error
}

func (e formatError) Unwrap() error { return e.error }

// refusal returns the outcome of a file that failed with err.
func refusal(file string, err error) Outcome {
	var (
		at *stat.FileError
		as formatError
	)
	errors.As(err, &as)
	kind := stat.KindOf(err)
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		err = fmt.Errorf("%s: interrupted; nothing was stored", file)
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
