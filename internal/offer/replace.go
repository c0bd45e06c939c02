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

	"almanac/internal/stat"
)

var errStop = errors.New("stop")

// Replace replaces the list of a source as a whole and returns the number of its
// entries. They are collected in a temporary table while they arrive, so that a slow
// list locks nothing. If offers ends with an error, the old list stays, and the error
// is returned. Offer.Source is ignored. An entry without a code, or the second one of
// a dataset in one language, is [stat.Refused].
//
// A list that equals the old one changes nothing but the time when it was read.
func (db *DB) Replace(ctx context.Context, source string, offers iter.Seq2[Offer, error]) (n int, err error) {
	return db.ReplaceIf(ctx, source, offers, func(int, int) error { return nil })
}

// ReplaceIf is [DB.Replace] if check, called with the numbers of datasets of the old
// list and of the new one, returns nil. The old number is 0 if there was no list.
func (db *DB) ReplaceIf(ctx context.Context, source string, offers iter.Seq2[Offer, error], check func(was, is int) error) (n int, err error) {
	conn, err := db.db.Conn(ctx)
	if err != nil {
		return 0, writing(err, source)
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "DROP TABLE IF EXISTS temp.arriving; CREATE TEMP TABLE arriving ("+columns+")"); err != nil {
		return 0, writing(err, source)
	}
	defer conn.ExecContext(context.WithoutCancel(ctx), "DROP TABLE IF EXISTS temp.arriving")
	l := &arrival{conn: conn, source: source, at: db.Now(), digest: sha256.New(), seen: map[string]bool{}, codes: map[string]bool{}}
	if err := l.collect(ctx, offers); err != nil {
		return 0, err
	}
	if err := l.publish(ctx, check); err != nil {
		return 0, err
	}
	return len(l.seen), nil
}

func writing(err error, source string) error {
	return fmt.Errorf("storing the offers of %s: %w", source, err)
}

// arrival is a list that arrives.
type arrival struct {
	conn   *sql.Conn
	source string
	at     time.Time
	digest hash.Hash
	seen   map[string]bool // by code and language
	codes  map[string]bool
}

// collect stores the entries in a temporary table of this connection. A transaction
// would lock the database, so there is none: temporary tables are not synced.
func (l *arrival) collect(ctx context.Context, offers iter.Seq2[Offer, error]) error {
	insert, err := l.conn.PrepareContext(ctx, "INSERT INTO temp.arriving VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
	if err != nil {
		return writing(err, l.source)
	}
	defer insert.Close()
	for o, err := range offers {
		if err != nil {
			return err
		}
		if err := l.add(&o); err != nil {
			return err
		}
		if _, err := insert.ExecContext(ctx, o.Source, o.Code, o.Language, o.Title, o.Description, o.Topic, o.Frequency, o.First, o.Last, o.Updated); err != nil {
			return writing(err, l.source)
		}
	}
	return ctx.Err()
}

func (l *arrival) add(o *Offer) error {
	o.Source = l.source
	if strings.TrimSpace(o.Code) == "" {
		return stat.Errorf(stat.Refused, "an entry in the list of %s has no code: %q", l.source, o.Title)
	}
	key := o.Code + "\x00" + o.Language
	if l.seen[key] {
		return stat.Errorf(stat.Refused, "the list of %s contains %s twice in the same language (%q)", l.source, o.Code, o.Language)
	}
	l.seen[key], l.codes[o.Code] = true, true
	for _, text := range []string{o.Code, o.Language, o.Title, o.Description, o.Topic, o.Frequency, o.First, o.Last, o.Updated} {
		_, _ = io.WriteString(l.digest, text+"\x00")
	}
	return nil
}

// publish replaces the list in one transaction.
func (l *arrival) publish(ctx context.Context, check func(was, is int) error) (err error) {
	tx, err := l.conn.BeginTx(ctx, nil)
	if err != nil {
		return writing(err, l.source)
	}
	defer tx.Rollback()
	var was int
	var digest []byte
	err = tx.QueryRowContext(ctx, "SELECT datasets, digest FROM source WHERE id = ?", l.source).Scan(&was, &digest)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return writing(err, l.source)
	}
	if err := check(was, len(l.codes)); err != nil {
		return err
	}
	sum := l.digest.Sum(nil)
	if !bytes.Equal(sum, digest) {
		if err := l.swap(ctx, tx, sum); err != nil {
			return writing(err, l.source)
		}
	}
	now := millis(l.at)
	if _, err := tx.ExecContext(ctx, "UPDATE source SET listed = ?, tried = ?, failed = 0, error = '' WHERE id = ?", now, now, l.source); err != nil {
		return writing(err, l.source)
	}
	if err := tx.Commit(); err != nil {
		return writing(err, l.source)
	}
	return nil
}

func (l *arrival) swap(ctx context.Context, tx *sql.Tx, digest []byte) error {
	_, err := tx.ExecContext(ctx, `
		DELETE FROM offer WHERE source = ?1;
		INSERT INTO offer (`+columns+`) SELECT * FROM temp.arriving ORDER BY rowid;
		UPDATE generation SET number = number + 1;
		INSERT INTO source (id, datasets, entries, digest, generation) VALUES (?1, ?2, ?3, ?4, (SELECT number FROM generation))
		ON CONFLICT DO UPDATE SET datasets = excluded.datasets, entries = excluded.entries, digest = excluded.digest, generation = excluded.generation`,
		l.source, len(l.codes), len(l.seen), digest)
	return err
}

// Record records a try to read the list of a source.
func (db *DB) Record(ctx context.Context, source string, t Try) error {
	_, err := db.db.ExecContext(ctx, `INSERT INTO source (id, tried, due, failed, error) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET tried = excluded.tried, due = excluded.due, failed = excluded.failed, error = excluded.error`,
		source, millis(t.Tried), millis(t.Due), t.Failed, t.Error)
	if err != nil {
		return fmt.Errorf("recording the reading of the list of %s: %w", source, err)
	}
	return nil
}
