package register

import (
	"context"
	"database/sql"
	"time"
)

// PutSelection stores the selection of a page under its hash. Of more than most, those that were used
// longest ago are deleted.
func (r *DB) PutSelection(ctx context.Context, hash, query string, now time.Time, most int) error {
	return r.change(ctx, "storing a selection", func(tx *sql.Tx) error {
		isNew, err := happened(ctx, tx, "INSERT INTO selection (hash, query, used) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING", hash, query, now.Unix())
		if err != nil || !isNew {
			return err
		}
		_, err = tx.ExecContext(ctx, "DELETE FROM selection WHERE hash IN (SELECT hash FROM selection WHERE hash <> $1 ORDER BY used DESC, hash LIMIT 1000 OFFSET $2)", hash, most-1)
		return err
	})
}

// Selection returns the selection with a hash, and records that it is used. It is empty if there is
// none.
func (r *DB) Selection(ctx context.Context, hash string, now time.Time) (query string, err error) {
	var used time.Time
	err = r.db.QueryRowContext(ctx, "SELECT query, used FROM selection WHERE hash = $1", hash).Scan(&query, scanTime{&used})
	if err := ifFound(err, "reading a selection"); err != nil || query == "" {
		return "", err
	}
	if now.Sub(used) >= 24*time.Hour {
		_, err = r.db.ExecContext(ctx, "UPDATE selection SET used = $2 WHERE hash = $1", hash, now.Unix())
	}
	return query, wrapChange(err, "recording the use of a selection")
}
