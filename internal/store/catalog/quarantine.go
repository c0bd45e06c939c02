package catalog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"almanac/internal/database"
	"almanac/internal/stat"
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

func scanQuarantined(row database.Row) (q Quarantined, err error) {
	var since int64
	err = row.Scan(&q.Dataset, &q.Digest, &since, &q.File, &q.Body)
	q.Since = time.Unix(0, since).UTC()
	return q, err
}

// Quarantined returns a dataset's row; ok is false if there is none.
func (r reader) Quarantined(ctx context.Context, dataset int) (q Quarantined, ok bool, err error) {
	q, err = scanQuarantined(r.q.QueryRowContext(ctx, "SELECT "+quarantineColumns+" FROM quarantine WHERE dataset = $1", dataset))
	if errors.Is(err, sql.ErrNoRows) {
		return Quarantined{}, false, nil
	}
	return q, err == nil, stat.Wrap(err, "reading the quarantine")
}

// ListQuarantined returns the rows of all vintages in quarantine, by dataset.
func (r reader) ListQuarantined(ctx context.Context) ([]Quarantined, error) {
	rows, err := r.q.QueryContext(ctx, "SELECT "+quarantineColumns+" FROM quarantine WHERE file <> '' ORDER BY dataset")
	list, err := database.Collect(rows, err, scanQuarantined)
	return list, stat.Wrap(err, "listing the quarantine")
}

// PutQuarantined stores or replaces a dataset's row.
func (ch *Change) PutQuarantined(ctx context.Context, q Quarantined) error {
	return ch.exec(ctx, fmt.Sprintf("writing the quarantine of dataset %d", q.Dataset),
		"INSERT INTO quarantine ("+quarantineColumns+") VALUES ($1, $2, $3, $4, $5) ON CONFLICT (dataset) DO UPDATE SET digest = $2, since = $3, file = $4, body = $5",
		q.Dataset, q.Digest, q.Since.UnixNano(), q.File, q.Body)
}

// DropQuarantined deletes a dataset's row, if there is one.
func (ch *Change) DropQuarantined(ctx context.Context, dataset int) error {
	return ch.exec(ctx, fmt.Sprintf("emptying the quarantine of dataset %d", dataset), "DELETE FROM quarantine WHERE dataset = $1", dataset)
}
