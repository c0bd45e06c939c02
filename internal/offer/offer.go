// Package offer stores what offices offer, in a database of its own beside the
// catalogue (offers.db): an entry for each dataset in an office's list of contents,
// whether it was imported or not.
//
// The lists are copies. They can be read from the offices again at any time, so the
// file may be deleted. A list is replaced as a whole: readers see the old one or the
// new one, never a mixture.
package offer

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"iter"
	"os"
	"time"

	"almanac/internal/database"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Name is the name of the database.
const Name = "offers"

var options = database.Options{Migrations: migrations}

// Copy copies the database of one installation to another; see [database.Copy].
func Copy(ctx context.Context, from, to database.Location) (database.Copied, error) {
	return database.Copy(ctx, from, to, Name, options)
}

// Offer is an entry of a list: a dataset in one language. All texts are the office's.
// Empty ones are unknown.
type Offer struct {
	Source      string `json:"source"`             // ID of the office: "eurostat"
	Code        string `json:"code"`               // "une_rt_a"
	Title       string `json:"title"`              // "Unemployment by sex and age – annual data"
	Description string `json:"description"`        //
	Topic       string `json:"topic"`              // names of its folders, from the top: "Economy and finance / Prices"
	Language    string `json:"language,omitempty"` // of the texts, as in ISO 639-1: "en"
	Frequency   string `json:"frequency"`          // as in SDMX: A, S, Q, M, W, D
	First       string `json:"first"`              // first period, as the office writes it: "1995", "1995-01"
	Last        string `json:"last"`
	Updated     string `json:"updated"` // last update by the office: "2026-11-02"
}

// DB is the database. Several goroutines and processes can use it at once.
type DB struct {
	// Now is the clock; time.Now, unless it is replaced before the first use.
	Now func() time.Time
	db  *sql.DB
}

// SourceState is the state of a source's list.
type SourceState struct {
	Source     string
	Datasets   int       // different codes
	Entries    int       // a dataset has one for each language
	Origin     string    // name of the table with the list; empty: the office itself
	Generation int64     // of the database when the list last changed
	Listed     time.Time // when the list was last read; zero: never
	Try
}

// Try is the result of the last try to read a source's list.
type Try struct {
	Tried  time.Time
	Due    time.Time // when to try next; zero: at once
	Failed int       // tries in a row
	Error  string    // of the last try; empty after a success
}

// Open opens the database of an installation. It creates the database and the data directory if needed.
func Open(ctx context.Context, at database.Location) (*DB, error) {
	if err := os.MkdirAll(at.Dir, 0o750); err != nil {
		return nil, fmt.Errorf("creating the data directory: %w", err)
	}
	db, err := at.Open(ctx, Name, options)
	if err != nil {
		return nil, fmt.Errorf("opening the database of offers: %w", err)
	}
	return &DB{time.Now, db}, nil
}

// Close closes the database.
func (db *DB) Close() error { return db.db.Close() }

// Generation grows with each list that differs from the one before.
func (db *DB) Generation(ctx context.Context) (n int64, err error) {
	err = db.db.QueryRowContext(ctx, "SELECT number FROM generation").Scan(&n)
	return n, reading(err, "the generation of the offers")
}

// Sources returns the states of all sources, by ID.
func (db *DB) Sources(ctx context.Context) ([]SourceState, error) {
	rows, err := db.db.QueryContext(ctx, "SELECT "+stateColumns+" FROM source ORDER BY id")
	list, err := database.Collect(rows, err, scanState)
	return list, reading(err, "the sources of offers")
}

const stateColumns = "id, datasets, entries, origin, generation, listed, tried, due, failed, error"

func scanState(row database.Row) (s SourceState, err error) {
	var listed, tried, due int64
	err = row.Scan(&s.Source, &s.Datasets, &s.Entries, &s.Origin, &s.Generation, &listed, &tried, &due, &s.Failed, &s.Error)
	s.Listed, s.Tried, s.Due = moment(listed), moment(tried), moment(due)
	return s, err
}

const columns = "source, code, language, title, description, topic, frequency, first, last, updated"

func scan(row database.Row) (o Offer, err error) {
	err = row.Scan(&o.Source, &o.Code, &o.Language, &o.Title, &o.Description, &o.Topic, &o.Frequency, &o.First, &o.Last, &o.Updated)
	return o, err
}

// Offers yields the entries of a source, in the order of its list. They are those of
// one list, even if it is replaced meanwhile. An error ends them.
func (db *DB) Offers(ctx context.Context, source string) iter.Seq2[Offer, error] {
	return func(yield func(Offer, error) bool) {
		rows, err := db.db.QueryContext(ctx, "SELECT "+columns+" FROM offer WHERE source = $1 ORDER BY id", source)
		err = database.Each(rows, err, func(row database.Row) error {
			o, err := scan(row)
			if err == nil && !yield(o, nil) {
				return errStop
			}
			return err
		})
		if err != nil && err != errStop {
			yield(Offer{}, reading(err, "the offers of "+source))
		}
	}
}

// Find returns the entries of a dataset in all its languages; none if it is not
// offered. The case of the code is ignored, unless codes of the source differ in
// nothing else.
func (db *DB) Find(ctx context.Context, source, code string) ([]Offer, error) {
	rows, err := db.db.QueryContext(ctx, "SELECT "+columns+" FROM offer WHERE source = $1 AND lower(code) = lower($2) ORDER BY id", source, code)
	list, err := database.Collect(rows, err, scan)
	return sameCode(list, code), reading(err, "the offers of "+source)
}

// sameCode keeps the entries with exactly this code, or those of the first code if
// there are none.
func sameCode(list []Offer, code string) (same []Offer) {
	if len(list) == 0 {
		return nil
	}
	chosen := list[0].Code
	for _, o := range list {
		if o.Code == code {
			chosen = code
		}
	}
	for _, o := range list {
		if o.Code == chosen {
			same = append(same, o)
		}
	}
	return same
}

func reading(err error, what string) error {
	if err != nil {
		return fmt.Errorf("reading %s: %w", what, err)
	}
	return nil
}

func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func moment(millis int64) time.Time {
	if millis == 0 {
		return time.Time{}
	}
	return time.UnixMilli(millis).UTC()
}
