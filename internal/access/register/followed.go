package register

import (
	"context"
	"fmt"
	"time"

	"almanac/internal/sqlitefile"
)

// Followed is a dataset that an organisation follows.
type Followed struct {
	Dataset   int
	Name      string
	Selection string // JSON
	Since     time.Time
}

func scanFollowed(row sqlitefile.Row) (f Followed, err error) {
	var since int64
	err = row.Scan(&f.Dataset, &f.Name, &f.Selection, &since)
	f.Since = moment(since)
	return f, err
}

// Follow adds a dataset to what an organisation follows, or sets its name and
// selection; it returns the row as it is then.
func (r *DB) Follow(ctx context.Context, organisation int64, f Followed) (Followed, error) {
	f, err := scanFollowed(r.db.QueryRowContext(ctx, `INSERT INTO followed (organisation, dataset, name, selection, since)
		VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET name = excluded.name, selection = excluded.selection
		RETURNING dataset, name, selection, since`, organisation, f.Dataset, f.Name, f.Selection, f.Since.Unix()))
	if err != nil {
		return f, changing(err, "following dataset %d", f.Dataset)
	}
	return f, nil
}

// Unfollow removes a dataset from what an organisation follows; was is false
// if it was not followed.
func (r *DB) Unfollow(ctx context.Context, organisation int64, dataset int) (was bool, err error) {
	result, err := r.db.ExecContext(ctx, "DELETE FROM followed WHERE organisation = ? AND dataset = ?", organisation, dataset)
	if err != nil {
		return false, changing(err, "following dataset %d no more", dataset)
	}
	n, err := result.RowsAffected()
	return n > 0, err
}

// Followed returns one dataset that an organisation follows; its Dataset is 0
// if it does not.
func (r *DB) Followed(ctx context.Context, organisation int64, dataset int) (Followed, error) {
	f, err := scanFollowed(r.db.QueryRowContext(ctx, "SELECT dataset, name, selection, since FROM followed WHERE organisation = ? AND dataset = ?", organisation, dataset))
	return f, orNone(err, "reading what is followed of dataset %d", dataset)
}

// AllFollowed returns a page, counted from 0, of the datasets that an
// organisation follows, by ascending id, and how many there are.
func (r *DB) AllFollowed(ctx context.Context, organisation int64, page, limit int) (list []Followed, total int, err error) {
	if err := r.db.QueryRowContext(ctx, "SELECT count(*) FROM followed WHERE organisation = ?", organisation).Scan(&total); err != nil {
		return nil, 0, fmt.Errorf("counting what is followed: %w", err)
	}
	if page > total/limit {
		return nil, total, nil // page × limit might have no place in an integer
	}
	rows, err := r.db.QueryContext(ctx, `SELECT dataset, name, selection, since FROM followed
		WHERE organisation = ? ORDER BY dataset LIMIT ? OFFSET ?`, organisation, limit, page*limit)
	if list, err = sqlitefile.Collect(rows, err, scanFollowed); err != nil {
		return nil, 0, fmt.Errorf("listing what is followed: %w", err)
	}
	return list, total, nil
}
