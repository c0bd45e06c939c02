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
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"
	"time"
	"unicode"

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
	NoGeo   bool   // the numbers describe no area
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
	// Permit, if not nil, is called in the transaction that publishes a dataset. After
	// an error the dataset is not published.
	Permit func(context.Context) error

	// Progress, if not nil, is called every few kilobytes with the number of bytes
	// read and the size of the file. Starting is called before each file, Report
	// with each outcome as soon as it is known.
	Progress func(done, total int64)
	Starting func(file string)
	Report   func(Outcome)
}

// An Importer imports files into one store. It caches the dictionaries that it
// reads, so that many files need them only once. It is not safe for concurrent use.
type Importer struct {
	store   *store.Store
	options Options
	country geo.Area // Options.Country, resolved
	formats []format.Format

	dictionaries dictionaryCache
	pending      tablesByDataset   // parts whose dataset may have more parts in later files
	opened       []*table          // tables that may have temporary files
	named        map[string]string // by key of a dataset: the imported file whose name is its code
}

// New returns an Importer for a store. Its error is that of [Options.Check].
func New(s *store.Store, o Options) (*Importer, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	if o.Labels != "" {
		o.Labels, _ = filepath.Abs(o.Labels)
	}
	country, _ := geo.Find(o.Country)
	return &Importer{store: s, options: o, country: country, formats: allFormats(), named: map[string]string{}, dictionaries: dictionaryCache{
		folders: map[string]dictionarySet{}, merged: map[string]*stat.Dictionary{},
	}}, nil
}

// Check returns an error that is [stat.Invalid] and lists all invalid options.
func (o *Options) Check() error {
	var errs []error
	check := func(flag string, err error) {
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", flag, err))
		}
	}
	if o.Labels != "" {
		dir, err := filepath.Abs(o.Labels)
		check("--labels", cmp.Or(err, checkExists(dir)))
	}
	if _, ok := geo.Find(o.Country); !ok && o.Country != "" {
		check("--country", fmt.Errorf("unknown area code %q: use an ISO code (DE, DEU, 276) or an office's code of a group of countries (EA20, EU27_2020, WLD)", o.Country))
	}
	if o.NoGeo && (o.Country != "" || o.Geo != "") {
		check("--no-geo", errors.New("it cannot be used together with --country or --geo: the numbers describe no area, or they do"))
	}
	if o.Period != "" {
		_, err := stat.ParsePeriod(o.Period)
		check("--period", err)
	}
	if o.Encoding != "" {
		_, err := text.Encoding(o.Encoding)
		check("--encoding", err)
	}
	check("--source-url", checkAddress(o.SourceURL))
	check("--metadata-url", checkAddress(o.MetadataURL))
	if o.Source != "" && office.Find(o.Source).ID == "" {
		check("--source", fmt.Errorf("%q contains no letter or digit to make an ID from", o.Source))
	}
	if o.Code != "" && !strings.ContainsFunc(o.Code, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		check("--code", fmt.Errorf("%q contains no letter or digit", o.Code))
	}
	if err := errors.Join(errs...); err != nil {
		return stat.Errorf(stat.Invalid, "%v", err)
	}
	return nil
}

func checkAddress(address string) error {
	u, err := url.Parse(address)
	if address != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "") {
		return fmt.Errorf("invalid address %q: it must begin with https:// or http://", address)
	}
	return nil
}

// Import imports files together: parts of one dataset among them become one
// version. It returns one outcome for each dataset. A file that fails has a single one,
// with the status Refused and the reason, after those of its datasets that are already
// published. The other files are still imported, unless they are all parts of one
// dataset ([Options.Joined]).
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
	for _, path := range im.sortCodeListsFirst(ctx, paths) {
		if ctx.Err() != nil && len(paths) > 1 {
			break // skip the remaining files
		}
		published, err := im.importPath(ctx, path)
		report(withRefusal(published, path, err))
	}
	if im.options.Joined && len(outcomes) > 0 {
		im.pending = nil // incomplete without the refused parts
	}
	report(im.importPending(ctx))
	return outcomes
}

// Read is like [Importer.Import] for one open file, which it reads into memory or
// a temporary file. name is the name of the file.
func (im *Importer) Read(ctx context.Context, name string, data io.Reader) []Outcome {
	raw, err := im.readStream(ctx, name, data)
	if err != nil {
		return withRefusal(nil, name, err)
	}
	defer raw.Close()
	published, err := im.importFile(ctx, raw)
	return append(withRefusal(published, name, err), im.importPending(ctx)...)
}

func (im *Importer) importPath(ctx context.Context, path string) ([]Outcome, error) {
	if im.options.Starting != nil {
		im.options.Starting(path)
	}
	raw, err := im.openFile(ctx, path)
	if err != nil {
		return nil, err
	}
	defer raw.Close()
	outcomes, err := im.importFile(ctx, raw)
	return outcomes, im.completeReadings(ctx, path, err)
}

// importFile takes a file through the four steps. A table that is a part of its
// dataset only goes through the first two; importPending does the others. It returns
// the outcomes of the datasets published, also with an error.
func (im *Importer) importFile(ctx context.Context, raw rawFile) ([]Outcome, error) {
	if report := im.options.Progress; report != nil {
		raw.at = &progress{ReaderAt: raw.at, total: raw.size, report: report}
	}
	defer im.dictionaries.discardCurrent()
	defer im.closeTables()
	f, err := im.open(raw)
	if err != nil {
		return nil, err
	}
	if len(f.data) == 0 {
		return nil, im.storeAndRefuse(ctx, f)
	}
	tables, err := im.read(ctx, f)
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
	im.dictionaries.confirmCurrent()
	im.pending.add(partial...)
	return outcomes, nil
}

// importPending joins the parts of each dataset, completes and publishes it.
func (im *Importer) importPending(ctx context.Context) []Outcome {
	var outcomes []Outcome
	for _, tables := range im.pending {
		published, err := im.importParts(ctx, tables)
		outcomes = withRefusal(append(outcomes, published...), tables[0].files, err)
	}
	im.pending = nil
	im.closeTables()
	return outcomes
}

func (im *Importer) importParts(ctx context.Context, tables []*table) ([]Outcome, error) {
	t, err := join(tables)
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
