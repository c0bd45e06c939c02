package store

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"almanac/internal/stat"
)

// Options say where a store is and how much memory it may use.
type Options struct {
	Dir    string           // data directory; created if it is not there
	Memory int64            // bytes of decoded observations kept; 0: a quarter of the machine's memory
	Now    func() time.Time // nil: time.Now
	Log    *slog.Logger     // nil: none
}

// Store holds datasets. It is safe for concurrent use, also by several
// processes on one directory: each sees another's publication within a second.
type Store struct{}

// Open opens the store in o.Dir, and creates it if there is none.
func Open(ctx context.Context, o Options) (*Store, error) { return nil, errors.ErrUnsupported }

// Close ends the store's work. Vintages that were handed out stay readable.
func (s *Store) Close() error { return nil }

// Entry is one dataset in the catalog.
type Entry struct {
	ID         int
	Source     string // the source's ID
	Code       string
	Name       string
	Version    string
	LastUpdate time.Time // the source's own time, else of the import; in the zone to be shown
	Published  time.Time // publication of the current vintage here
}

// Catalog is the list of all datasets at one moment; it never changes.
type Catalog struct {
	Generation int64     // grows with every change of the store
	Changed    time.Time // when the newest change was published
	Entries    []Entry   // by ascending ID
}

// Catalog returns the current catalog.
func (s *Store) Catalog() *Catalog { return nil }

// With returns the positions in Entries of the datasets that include any of
// the areas (values of available_geo), ascending. The slice must not be changed.
func (c *Catalog) With(areas ...string) []int32 { return nil }

// Memo returns what make made for key the first time it was asked on this
// catalog: a place for what an encoder derives from it. Safe for concurrent use.
func (c *Catalog) Memo(key any, make func() any) any { return nil }

// Vintage is one vintage of a dataset opened for reading; it never changes,
// and a request that holds it sees nothing of later publications.
type Vintage struct {
	stat.Vintage
	Dataset    *stat.Dataset
	LastUpdate time.Time     // the source's own time, else of the import; in the zone to be shown
	Oldest     stat.Period   // first period with a value
	Newest     stat.Period   // last period with a value
	Default    *stat.Latest  // the default series and its latest values; nil if there is no value at all
	Periods    []stat.Period // all periods that occur, in order
}

// Vintage opens the current vintage of a dataset. The error is
// [stat.NotFound] for an unknown or removed ID. Observations are loaded on
// first need.
func (s *Store) Vintage(ctx context.Context, id int) (*Vintage, error) {
	return nil, errors.ErrUnsupported
}

// Memo is as [Catalog.Memo], for the life of the vintage in memory.
func (v *Vintage) Memo(key any, make func() any) any { return nil }

// Find returns the position of a code among the codes of axis i of
// [stat.Dataset.Axes], by label, by a label that was once published, or by
// code; all exact.
func (v *Vintage) Find(axis int, text string) (pos int32, ok bool) { return 0, false }

// Loaded reports whether the observations are in memory.
func (v *Vintage) Loaded() bool { return false }

// Select answers a query with blocks of observations.
func (v *Vintage) Select(ctx context.Context, q stat.Query) (*stat.Extract, error) {
	return nil, errors.ErrUnsupported
}

// LatestOf chooses, as the default series is chosen, among the series that
// remain in a selection (as [stat.Query.Select]), and returns its latest
// values, for the areas of the selection. The error is [stat.NotFound] if nothing remains.
func (v *Vintage) LatestOf(ctx context.Context, sel [][]int32) (*stat.Latest, error) {
	return nil, errors.ErrUnsupported
}

// Writer collects the observations of one dataset for publication.
type Writer struct{}

// NewWriter starts a writer. The dataset's codes may grow until Publish.
func (s *Store) NewWriter(d *stat.Dataset) *Writer { return nil }

// Add takes one observation.
func (w *Writer) Add(o stat.Observation) error { return errors.ErrUnsupported }

// Status says what a publication did.
type Status string

// The outcomes of a publication.
const (
	Created   Status = "created"
	Updated   Status = "updated"
	Unchanged Status = "unchanged"
)

// Result tells of a publication.
type Result struct {
	Status  Status
	ID      int
	Vintage stat.Vintage
	Doubled int    // observations given twice with the same value, and so dropped
	Example string // one of them
}

// Seal ends the adding: it sorts, drops what was given twice, and removes
// codes that do not occur from the dataset. Two different values at one place
// are a [stat.FileError] with both positions. After it the importer completes
// the labels.
func (w *Writer) Seal() error { return errors.ErrUnsupported }

// Publish stores the vintage and makes it the dataset's current one, or finds
// that nothing changed. Labels and areas must be complete.
func (w *Writer) Publish(ctx context.Context) (Result, error) { return Result{}, errors.ErrUnsupported }

// Current returns the structure of the current vintage of the dataset with a
// source's code, nil if there is none: what an import carries on.
func (s *Store) Current(ctx context.Context, source, code string) (*stat.Dataset, error) {
	return nil, errors.ErrUnsupported
}

// Vintages lists the vintages of a dataset, oldest first.
func (s *Store) Vintages(ctx context.Context, id int) ([]stat.Vintage, error) {
	return nil, errors.ErrUnsupported
}

// Restore publishes an earlier vintage again, as a new version.
func (s *Store) Restore(ctx context.Context, id int, version string) (Result, error) {
	return Result{}, errors.ErrUnsupported
}

// Edit publishes the current vintage again with its metadata changed by edit
// (a curator's name, description, default code), as a new version.
func (s *Store) Edit(ctx context.Context, id int, edit func(*stat.Dataset) error) (Result, error) {
	return Result{}, errors.ErrUnsupported
}

// Prune deletes all but the newest keep vintages of a dataset and returns how
// many went.
func (s *Store) Prune(ctx context.Context, id, keep int) (int, error) {
	return 0, errors.ErrUnsupported
}

// Remove takes a dataset out of the catalog. Its ID is never given again; an
// import of the same code brings it back under the same ID.
func (s *Store) Remove(ctx context.Context, id int) error { return errors.ErrUnsupported }

// LabelsDir and SetLabelsDir remember the dictionary folder of a source.
func (s *Store) LabelsDir(ctx context.Context, source string) (string, error) {
	return "", errors.ErrUnsupported
}

// SetLabelsDir remembers the dictionary folder of a source.
func (s *Store) SetLabelsDir(ctx context.Context, source, dir string) error {
	return errors.ErrUnsupported
}
