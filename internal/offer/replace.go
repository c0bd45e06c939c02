package offer

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"hash"
	"io"
	"iter"
	"strings"
	"time"

	"almanac/internal/database"
	"almanac/internal/stat"
)

var errStop = errors.New("stop")

// List is a source's new list.
type List struct {
	Source string
	Origin string                  // name of the table that it is from; empty: the office
	Offers iter.Seq2[Offer, error] // Offer.Source is ignored
	// Accept, if not nil, decides about a whole list with this number of datasets. An
	// error keeps the old one.
	Accept func(old SourceState, datasets int) error
}

// Replace is [DB.ReplaceList] with a list of the office.
func (db *DB) Replace(ctx context.Context, source string, offers iter.Seq2[Offer, error]) (n int, err error) {
	change, err := db.ReplaceList(ctx, List{Source: source, Offers: offers})
	return change.After.Entries, err
}

// Change is what a new list changed.
type Change struct{ Before, After SourceState }

// Changed reports whether the lists differ.
func (c *Change) Changed() bool { return c.Before.Generation != c.After.Generation }

// ReplaceList replaces the list of a source as a whole. Its entries are collected in a temporary table while they arrive, so that a slow
// list locks nothing. If Offers ends with an error, the old list stays, and the error
// is returned. An entry without a code, or the second one of a dataset in one language,
// is [stat.Refused].
//
// A list that equals the old one changes no generation.
func (db *DB) ReplaceList(ctx context.Context, list List) (Change, error) {
	conn, err := db.db.Conn(ctx)
	if err != nil {
		return Change{}, writing(err, list.Source)
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "DROP TABLE IF EXISTS arriving; CREATE TEMP TABLE arriving (place BIGINT, "+strings.ReplaceAll(columns, ",", " TEXT,")+" TEXT)"); err != nil {
		return Change{}, writing(err, list.Source)
	}
	defer conn.ExecContext(context.WithoutCancel(ctx), "DROP TABLE IF EXISTS arriving")
	l := &arrival{List: list, conn: conn, at: db.Now(), digest: sha256.New(), seen: map[string]bool{}, codes: map[string]bool{}}
	if err := l.collect(ctx); err != nil {
		return Change{}, err
	}
	return l.publish(ctx)
}

func writing(err error, source string) error {
	return fmt.Errorf("storing the offers of %s: %w", source, err)
}

// arrival is a list that arrives.
type arrival struct {
	List
	conn   *sql.Conn
	at     time.Time
	digest hash.Hash
	seen   map[string]bool // by code and language
	codes  map[string]bool
}

// collect stores the entries in a temporary table of this connection. A transaction
// would lock the database, so there is none: temporary tables are not synced.
func (l *arrival) collect(ctx context.Context) error {
	insert, err := l.conn.PrepareContext(ctx, "INSERT INTO arriving VALUES ("+database.Parameters(1, 11)+")")
	if err != nil {
		return writing(err, l.Source)
	}
	defer insert.Close()
	for o, err := range l.Offers {
		if err != nil {
			return err
		}
		if err := l.add(&o); err != nil {
			return err
		}
		if _, err := insert.ExecContext(ctx, len(l.seen), o.Source, o.Code, o.Language, o.Title, o.Description, o.Topic, o.Frequency, o.First, o.Last, o.Updated); err != nil {
			return writing(err, l.Source)
		}
	}
	return ctx.Err()
}

func (l *arrival) add(o *Offer) error {
	o.Source = l.Source
	if strings.TrimSpace(o.Code) == "" {
		return stat.Errorf(stat.Refused, "an entry in the list of %s has no code: %q", l.Source, o.Title)
	}
	key := o.Code + "\x00" + o.Language
	if l.seen[key] {
		return stat.Errorf(stat.Refused, "the list of %s contains %s twice in the same language (%q)", l.Source, o.Code, o.Language)
	}
	l.seen[key], l.codes[o.Code] = true, true
	for _, text := range []string{o.Code, o.Language, o.Title, o.Description, o.Topic, o.Frequency, o.First, o.Last, o.Updated} {
		_, _ = io.WriteString(l.digest, text+"\x00")
	}
	return nil
}

// publish replaces the list in one transaction.
func (l *arrival) publish(ctx context.Context) (c Change, err error) {
	tx, err := l.conn.BeginTx(ctx, nil)
	if err != nil {
		return c, writing(err, l.Source)
	}
	defer tx.Rollback()
	if c.Before, err = stateOf(ctx, tx, l.Source); err != nil {
		return c, writing(err, l.Source)
	}
	if l.Accept != nil {
		if err := l.Accept(c.Before, len(l.codes)); err != nil {
			return c, err
		}
	}
	if err = l.swap(ctx, tx); err == nil {
		c.After, err = stateOf(ctx, tx, l.Source)
	}
	if err == nil {
		err = tx.Commit()
	}
	if err != nil {
		return c, writing(err, l.Source)
	}
	return c, nil
}

// stateOf returns the state of a source; one that was never listed has only its ID.
func stateOf(ctx context.Context, tx *sql.Tx, source string) (SourceState, error) {
	s, err := scanState(tx.QueryRowContext(ctx, "SELECT "+stateColumns+" FROM source WHERE id = $1", source))
	if errors.Is(err, sql.ErrNoRows) {
		return SourceState{Source: source}, nil
	}
	return s, err
}

// swap replaces the list if it differs from the stored one, and records the success.
func (l *arrival) swap(ctx context.Context, tx *sql.Tx) error {
	var digest []byte
	err := tx.QueryRowContext(ctx, "SELECT digest FROM source WHERE id = $1", l.Source).Scan(&digest)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if sum := l.digest.Sum(nil); !bytes.Equal(sum, digest) {
		if err := l.replace(ctx, tx, sum); err != nil {
			return err
		}
	}
	now := millis(l.at)
	_, err = tx.ExecContext(ctx, "UPDATE source SET origin = $1, listed = $2, tried = $3, failed = 0, error = '' WHERE id = $4", l.Origin, now, now, l.Source)
	return err
}

// replace replaces the list by the one that has arrived.
func (l *arrival) replace(ctx context.Context, tx *sql.Tx, digest []byte) error {
	if _, err := tx.ExecContext(ctx, "DELETE FROM offer WHERE source = $1", l.Source); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "INSERT INTO offer ("+columns+") SELECT "+columns+" FROM arriving ORDER BY place"); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "UPDATE generation SET number = number + 1"); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO source (id, datasets, entries, digest, generation) VALUES ($1, $2, $3, $4, (SELECT number FROM generation))
		ON CONFLICT (id) DO UPDATE SET datasets = excluded.datasets, entries = excluded.entries, digest = excluded.digest, generation = excluded.generation`,
		l.Source, len(l.codes), len(l.seen), digest)
	return err
}

// Record records a try to read the list of a source.
func (db *DB) Record(ctx context.Context, source string, t Try) error {
	_, err := db.db.ExecContext(ctx, `INSERT INTO source (id, tried, due, failed, error) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (id) DO UPDATE SET tried = excluded.tried, due = excluded.due, failed = excluded.failed, error = excluded.error`,
		source, millis(t.Tried), millis(t.Due), t.Failed, t.Error)
	if err != nil {
		return fmt.Errorf("recording the reading of the list of %s: %w", source, err)
	}
	return nil
}
