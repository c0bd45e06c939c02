package watch

import (
	"context"
	"time"

	"almanac/internal/database"
)

func (c *change) writeEntry(e Entry) {
	c.exec(`INSERT INTO log (at, ref, office, status, dataset, version, added, revised, removed, bytes, took, error)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`, millis(e.At), e.Ref, e.Office, e.Status, e.Dataset, e.Version,
		e.Added, e.Revised, e.Removed, e.Bytes, e.Took.Milliseconds(), e.Error)
}

// AddEntry adds a log entry that belongs to no item: a list of contents that could
// not be read, an import by hand.
func (db *DB) AddEntry(ctx context.Context, e Entry) error {
	return db.change(ctx, "writing the log", func(c *change) {
		c.writeOffice(e.Office, Office{})
		c.writeEntry(e)
	})
}

// Log returns the newest entries, newest first, at most limit: those of a
// reference or an office, or all if of is empty.
func (db *DB) Log(ctx context.Context, of string, limit int) ([]Entry, error) {
	rows, err := db.db.QueryContext(ctx, `SELECT id, at, ref, office, status, dataset, version, added, revised, removed, bytes, took, error
		FROM log WHERE $1 = '' OR ref = $1 OR office = $1 ORDER BY id DESC LIMIT $2`, of, limit)
	list, err := database.Collect(rows, err, func(row database.Row) (e Entry, err error) {
		var at, took int64
		err = row.Scan(&e.ID, &at, &e.Ref, &e.Office, &e.Status, &e.Dataset, &e.Version, &e.Added, &e.Revised, &e.Removed, &e.Bytes, &took, &e.Error)
		e.At, e.Took = moment(at), time.Duration(took)*time.Millisecond
		return e, err
	})
	return list, reading(err, "the log")
}

// Trim deletes entries older than before.
func (db *DB) Trim(ctx context.Context, before time.Time) error {
	return db.exec(ctx, "trimming the log", "DELETE FROM log WHERE at < $1", millis(before))
}
