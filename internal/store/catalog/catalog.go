// Package catalog stores what is known about datasets. It contains all SQL of the
// store. Times are UTC; JSON bodies are opaque.
//
// Only one process writes at a time: a change takes the write lock first and ends
// with a new generation. Readers never wait.
package catalog

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"embed"
	"encoding/hex"
	"errors"
	"strings"
	"time"

	"almanac/internal/database"
	"almanac/internal/stat"
)

//go:embed migrations/*.sql
var migrations embed.FS

// DB is the catalogue's database.
type DB struct {
	reader
	db *sql.DB
}

// reader reads the catalogue, within a transaction or outside.
type reader struct {
	q interface {
		QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
		QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	}
}

// Name is the name of the database.
const Name = "catalog"

var options = database.Options{Migrations: migrations}

// Copy copies the database of one installation to another; see [database.Copy].
func Copy(ctx context.Context, from, to database.Location) (database.Copied, error) {
	return database.Copy(ctx, from, to, Name, options)
}

// Open opens the catalogue of an installation or creates it.
func Open(ctx context.Context, at database.Location) (*DB, error) {
	db, err := at.Open(ctx, Name, options)
	if err != nil {
		return nil, stat.Wrap(err, "opening the catalogue")
	}
	return &DB{reader{db}, db}, nil
}

// Close closes the database.
func (c *DB) Close() error { return c.db.Close() }

// State returns the generation and the time of its change.
func (r reader) State(ctx context.Context) (generation int64, changed time.Time, err error) {
	var nanos int64
	err = r.q.QueryRowContext(ctx, "SELECT generation, changed FROM state").Scan(&generation, &nanos)
	return generation, time.Unix(0, nanos).UTC(), stat.Wrap(err, "reading the catalogue's state")
}

// Row is a dataset with its current vintage, as the catalogue lists it.
type Row struct {
	ID         int
	Seq        int // of the current vintage; 0 if the dataset is not listed (any more)
	Source     string
	Code       string
	Name       string
	Names      string // JSON by language; empty if there is only one
	AreaList   int
	Version    string
	LastUpdate string // RFC 3339
	Imported   time.Time
	Description
	Versions int // number of vintages that are kept
}

// Description is what the list of datasets shows of a vintage besides its names.
type Description struct {
	SourceName   string
	Licence      string // as the dataset itself states it; empty if it does not
	Attribution  string // likewise
	Frequencies  string // codes of CL_FREQ, separated by spaces
	Oldest       string // first period with a value, as [stat.Period.String] writes it
	Newest       string // last period with a value
	Observations int
	NextUpdate   string // when the source updates the data next, RFC 3339; empty if it does not say
}

// Changed returns the datasets that changed after a generation, by ascending ID;
// after generation 0, all datasets.
func (r reader) Changed(ctx context.Context, generation int64) ([]Row, error) {
	rows, err := r.q.QueryContext(ctx, `
		SELECT id, seq, source, code, name, area_list, version, updated, imported, coalesce(names, ''),
			coalesce(source_name, ''), coalesce(licence, ''), coalesce(attribution, ''), coalesce(frequencies, ''),
			coalesce(oldest, ''), coalesce(latest, ''), coalesce(observations, 0), coalesce(next_update, ''), coalesce(versions, 0)
		FROM dataset LEFT JOIN description ON description.dataset = id LEFT JOIN dataset_names ON dataset_names.dataset = id
		WHERE generation > $1 ORDER BY id`, generation)
	list, err := database.Collect(rows, err, func(row database.Row) (r Row, err error) {
		var imported int64
		err = row.Scan(&r.ID, &r.Seq, &r.Source, &r.Code, &r.Name, &r.AreaList, &r.Version, &r.LastUpdate, &imported, &r.Names,
			&r.SourceName, &r.Licence, &r.Attribution, &r.Frequencies, &r.Oldest, &r.Newest, &r.Observations, &r.NextUpdate, &r.Versions)
		r.Imported = time.Unix(0, imported).UTC()
		return r, err
	})
	return list, stat.Wrap(err, "listing datasets")
}

// AreaLists returns the lists of areas with an ID above after.
func (r reader) AreaLists(ctx context.Context, after int) (map[int][]string, error) {
	lists := map[int][]string{}
	rows, err := r.q.QueryContext(ctx, "SELECT id, areas FROM area_list WHERE id > $1", after)
	err = database.Each(rows, err, func(row database.Row) error {
		var id int
		var areas string
		err := row.Scan(&id, &areas)
		lists[id] = strings.Split(areas, "\n")
		return err
	})
	return lists, stat.Wrap(err, "reading lists of areas")
}

// Vintage is the row of a vintage.
type Vintage struct {
	stat.Vintage
	Seq        int    // 1, 2, 3 … within the dataset; again from 1 after its removal
	LastUpdate string // RFC 3339
	File       string // the blob's key
	Structure  []byte // JSON, code lists by digest

	CodeLists map[string][]byte // JSON by digest; only of a vintage that is added
}

const (
	versionColumns = `seq, version, imported, last_update, series, observations, added, revised, removed, changed, digest, file`
	vintageColumns = versionColumns + `, structure`
)

func scanVintage(row database.Row) (Vintage, error) {
	var structure []byte
	v, err := scanVersion(row, &structure)
	v.Structure = structure
	return v, err
}

// scanVersion scans versionColumns, then further columns.
func scanVersion(row database.Row, further ...any) (v Vintage, err error) {
	var imported int64
	err = row.Scan(append([]any{&v.Seq, &v.Version, &imported, &v.LastUpdate, &v.Series, &v.Observations,
		&v.Added, &v.Revised, &v.Removed, &v.Changed, &v.Digest, &v.File}, further...)...)
	v.Imported = time.Unix(0, imported).UTC()
	return v, err
}

// Vintage returns one vintage of a dataset; ok is false if there is none.
func (r reader) Vintage(ctx context.Context, dataset, seq int) (v Vintage, ok bool, err error) {
	v, err = scanVintage(r.q.QueryRowContext(ctx,
		"SELECT "+vintageColumns+" FROM vintage WHERE dataset = $1 AND seq = $2", dataset, seq))
	if errors.Is(err, sql.ErrNoRows) {
		return v, false, nil
	}
	return v, err == nil, stat.Wrap(err, "reading vintage %d of dataset %d", seq, dataset)
}

// Vintages returns all vintages of a dataset, oldest first, without their structures.
func (r reader) Vintages(ctx context.Context, dataset int) ([]Vintage, error) {
	rows, err := r.q.QueryContext(ctx,
		"SELECT "+versionColumns+" FROM vintage WHERE dataset = $1 ORDER BY seq", dataset)
	list, err := database.Collect(rows, err, func(row database.Row) (Vintage, error) { return scanVersion(row) })
	return list, stat.Wrap(err, "listing vintages")
}

// IsEmpty reports whether the catalogue has no vintages.
func (r reader) IsEmpty(ctx context.Context) (bool, error) {
	var vintages int
	err := r.q.QueryRowContext(ctx, "SELECT count(*) FROM (SELECT 1 FROM vintage LIMIT 1) AS one").Scan(&vintages)
	return vintages == 0, stat.Wrap(err, "looking for vintages")
}

// Current returns the seq of a dataset's current vintage, 0 if there is none.
func (r reader) Current(ctx context.Context, dataset int) (seq int, err error) {
	err = r.q.QueryRowContext(ctx, "SELECT seq FROM dataset WHERE id = $1", dataset).Scan(&seq)
	return seq, stat.Wrap(err, "reading dataset %d", dataset)
}

// Files returns the keys of all vintage files of a dataset.
func (r reader) Files(ctx context.Context, dataset int) ([]string, error) {
	rows, err := r.q.QueryContext(ctx, "SELECT file FROM vintage WHERE dataset = $1", dataset)
	files, err := database.Collect(rows, err, func(row database.Row) (file string, err error) { return file, row.Scan(&file) })
	return files, stat.Wrap(err, "listing the files of dataset %d", dataset)
}

// ErrDamagedList means that a code list is not the one that was stored.
var ErrDamagedList = errors.New("the code list in the catalogue is damaged")

// DigestOfList returns the digest under which the JSON of a code list is stored.
func DigestOfList(codes []byte) string {
	sum := sha256.Sum256(codes)
	return hex.EncodeToString(sum[:16])
}

// CodeList returns the JSON of a code list. The error wraps [ErrDamagedList] if it has another digest.
func (r reader) CodeList(ctx context.Context, digest string) ([]byte, error) {
	var codes []byte
	err := r.q.QueryRowContext(ctx, "SELECT codes FROM code_list WHERE digest = $1", digest).Scan(&codes)
	if errors.Is(err, sql.ErrNoRows) || err == nil && DigestOfList(codes) != digest {
		err = ErrDamagedList
	}
	return codes, stat.Wrap(err, "reading code list %s", digest)
}

// Reserve returns the ID of the dataset with a source and code, and the seq of its
// current vintage (0: none). It assigns an ID to a new dataset.
func (c *DB) Reserve(ctx context.Context, source, code string) (id, seq int, err error) {
	id, seq, err = c.Find(ctx, source, code)
	if id > 0 || err != nil {
		return id, seq, err
	}
	err = c.ChangeQuietly(ctx, func(ch *Change) error {
		// A rebuilt catalogue has given IDs itself, so the next one is counted. No row is ever deleted.
		err := ch.exec(ctx, "assigning an ID to dataset "+code, `INSERT INTO dataset (id, source, code, code_key)
			SELECT (SELECT coalesce(max(id), 0) + 1 FROM dataset), $1, $2, $3 WHERE true ON CONFLICT (source, code_key) DO NOTHING`,
			source, code, strings.ToLower(code))
		if err == nil {
			id, seq, err = ch.Find(ctx, source, code)
		}
		return err
	})
	return id, seq, err
}

// Find returns the ID of the dataset with a source and code (0: none) and the seq
// of its current vintage (0: none).
func (r reader) Find(ctx context.Context, source, code string) (id, seq int, err error) {
	err = r.q.QueryRowContext(ctx, "SELECT id, seq FROM dataset WHERE source = $1 AND code_key = $2",
		source, strings.ToLower(code)).Scan(&id, &seq)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, 0, nil
	}
	return id, seq, stat.Wrap(err, "looking for dataset %s of %s", code, source)
}

// Removed returns the source and code of a removed dataset, false if there was none with the ID.
func (r reader) Removed(ctx context.Context, dataset int) (d Dataset, ok bool, err error) {
	d.ID = dataset
	err = r.q.QueryRowContext(ctx, "SELECT source, code FROM dataset WHERE id = $1 AND seq = 0 AND generation > 0", dataset).Scan(&d.Source, &d.Code)
	if errors.Is(err, sql.ErrNoRows) {
		return d, false, nil
	}
	return d, err == nil, stat.Wrap(err, "looking for dataset %d", dataset)
}

// LabelsDir returns the remembered dictionary folder of a source, "" if there is
// none.
func (r reader) LabelsDir(ctx context.Context, source string) (dir string, err error) {
	err = r.q.QueryRowContext(ctx, "SELECT coalesce(max(labels_dir), '') FROM source WHERE id = $1", source).Scan(&dir)
	return dir, stat.Wrap(err, "reading the dictionary folder of %s", source)
}

// SetLabelsDir remembers the dictionary folder of a source.
func (c *DB) SetLabelsDir(ctx context.Context, source, dir string) error {
	_, err := c.db.ExecContext(ctx, `INSERT INTO source (id, labels_dir) VALUES ($1, $2)
		ON CONFLICT (id) DO UPDATE SET labels_dir = excluded.labels_dir`, source, dir)
	return stat.Wrap(err, "storing the dictionary folder of %s", source)
}

// Readings returns the read options remembered for the datasets with a code, by
// source.
func (r reader) Readings(ctx context.Context, code string) (map[string][]byte, error) {
	found := map[string][]byte{}
	rows, err := r.q.QueryContext(ctx, "SELECT source, flags FROM reading WHERE code = $1", strings.ToLower(code))
	err = database.Each(rows, err, func(row database.Row) error {
		var source string
		var flags []byte
		err := row.Scan(&source, &flags)
		found[source] = flags
		return err
	})
	return found, stat.Wrap(err, "looking up the read options of %s", code)
}

// SetReading remembers the read options of a dataset.
func (c *DB) SetReading(ctx context.Context, source, code string, flags []byte) error {
	_, err := c.db.ExecContext(ctx, `INSERT INTO reading (source, code, flags) VALUES ($1, $2, $3)
		ON CONFLICT (code, source) DO UPDATE SET flags = excluded.flags`, source, strings.ToLower(code), flags)
	return stat.Wrap(err, "storing the read options of %s", code)
}
