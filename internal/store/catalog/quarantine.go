package catalog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Quarantined is the row of a vintage that is in quarantine or was rejected.
type Quarantined struct {
	Dataset int
	Digest  string
	Since   time.Time
	File    string // the blob's key in quarantine; empty if it was rejected
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
	return quarantined(ctx, c.db, dataset)
}

// Quarantined is [DB.Quarantined] within the change.
func (ch *Change) Quarantined(ctx context.Context, dataset int) (q Quarantined, ok bool, err error) {
	return quarantined(ctx, ch.tx, dataset)
}

func quarantined(ctx context.Context, db interface {
	QueryRowContext(context.Context, string, ...any) *sql.Row
}, dataset int) (q Quarantined, ok bool, err error) {
	q, err = scanQuarantined(db.QueryRowContext(ctx, "SELECT "+quarantineColumns+" FROM quarantine WHERE dataset = ?", dataset))
	if errors.Is(err, sql.ErrNoRows) {
		return Quarantined{}, false, nil
	}
	return q, err == nil, wrap(err, "reading the quarantine")
}

// ListQuarantined returns the rows of all vintages in quarantine, by dataset.
func (c *DB) ListQuarantined(ctx context.Context) ([]Quarantined, error) {
	rows, err := c.db.QueryContext(ctx, "SELECT "+quarantineColumns+" FROM quarantine WHERE file <> '' ORDER BY dataset")
	var all []Quarantined
	err = eachRow(rows, err, func(row scanner) error {
		q, err := scanQuarantined(row)
		all = append(all, q)
		return err
	})
	return all, wrap(err, "listing the quarantine")
}

// PutQuarantined stores or replaces a dataset's row.
func (ch *Change) PutQuarantined(ctx context.Context, q Quarantined) error {
	return ch.exec(ctx, fmt.Sprintf("writing the quarantine of dataset %d", q.Dataset),
		"INSERT OR REPLACE INTO quarantine ("+quarantineColumns+") VALUES (?,?,?,?,?)",
		q.Dataset, q.Digest, q.Since.UnixNano(), q.File, q.Body)
}

// DropQuarantined deletes a dataset's row, if there is one.
func (ch *Change) DropQuarantined(ctx context.Context, dataset int) error {
	return ch.exec(ctx, fmt.Sprintf("emptying the quarantine of dataset %d", dataset), "DELETE FROM quarantine WHERE dataset = ?", dataset)
}
