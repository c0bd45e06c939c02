package catalog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Quarantined is the row of a vintage that waits, or was rejected.
type Quarantined struct {
	Dataset int
	Digest  string
	Since   time.Time
	File    string // the blob's key in quarantine; empty: it was rejected
	Body    []byte // JSON
}

const quarantineColumns = "dataset, digest, since, file, body"

func scanQuarantined(row scanner) (q Quarantined, err error) {
	var since int64
	err = row.Scan(&q.Dataset, &q.Digest, &since, &q.File, &q.Body)
	q.Since = time.Unix(0, since).UTC()
	return q, err
}

// Quarantined returns a dataset's row; ok is false if there is none.
func (c *DB) Quarantined(ctx context.Context, dataset int) (q Quarantined, ok bool, err error) {
	return quarantined(c.db.QueryRowContext(ctx, "SELECT "+quarantineColumns+" FROM quarantine WHERE dataset = ?", dataset))
}

// Quarantined is [DB.Quarantined] within the change.
func (ch *Change) Quarantined(ctx context.Context, dataset int) (q Quarantined, ok bool, err error) {
	return quarantined(ch.tx.QueryRowContext(ctx, "SELECT "+quarantineColumns+" FROM quarantine WHERE dataset = ?", dataset))
}

func quarantined(row *sql.Row) (q Quarantined, ok bool, err error) {
	q, err = scanQuarantined(row)
	if errors.Is(err, sql.ErrNoRows) {
		return Quarantined{}, false, nil
	}
	if err != nil {
		return Quarantined{}, false, fmt.Errorf("reading the quarantine: %w", err)
	}
	return q, true, nil
}

// Waiting returns the rows of all vintages that wait, by dataset.
func (c *DB) Waiting(ctx context.Context) ([]Quarantined, error) {
	rows, err := c.db.QueryContext(ctx, "SELECT "+quarantineColumns+" FROM quarantine WHERE file <> '' ORDER BY dataset")
	if err != nil {
		return nil, fmt.Errorf("listing the quarantine: %w", err)
	}
	defer rows.Close()
	var all []Quarantined
	for rows.Next() {
		q, err := scanQuarantined(rows)
		if err != nil {
			return nil, fmt.Errorf("listing the quarantine: %w", err)
		}
		all = append(all, q)
	}
	return all, rows.Err()
}

// PutQuarantined writes a dataset's row, in place of the one that it has.
func (ch *Change) PutQuarantined(ctx context.Context, q Quarantined) error {
	_, err := ch.tx.ExecContext(ctx, "INSERT OR REPLACE INTO quarantine ("+quarantineColumns+") VALUES (?,?,?,?,?)",
		q.Dataset, q.Digest, q.Since.UnixNano(), q.File, q.Body)
	if err != nil {
		return fmt.Errorf("writing the quarantine of dataset %d: %w", q.Dataset, err)
	}
	return nil
}

// DropQuarantined deletes a dataset's row, if there is one.
func (ch *Change) DropQuarantined(ctx context.Context, dataset int) error {
	if _, err := ch.tx.ExecContext(ctx, "DELETE FROM quarantine WHERE dataset = ?", dataset); err != nil {
		return fmt.Errorf("emptying the quarantine of dataset %d: %w", dataset, err)
	}
	return nil
}

// Quietly is [DB.Change] for what no server shows: the catalog keeps its
// generation, so that nobody reads it again.
func (c *DB) Quietly(ctx context.Context, do func(*Change) error) error {
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("taking the catalog's write lock: %w", err)
	}
	defer tx.Rollback()
	if err := do(&Change{tx: tx}); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("committing a change of the catalog: %w", err)
	}
	return nil
}
