package register

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"almanac/internal/database"
	"almanac/internal/stat"
)

// Followed is a dataset that an organisation follows.
type Followed struct {
	Dataset   int
	Name      string         // of the dataset when this was last set; shown if the dataset was removed
	Selection stat.Selection // empty: all of it
	Since     time.Time      // when it was first followed; whole seconds, UTC
}

const followedColumns = `dataset, name, selection, since`

func scanFollowed(row database.Row) (f Followed, err error) {
	var selection string
	if err := row.Scan(&f.Dataset, &f.Name, &selection, scanTime{&f.Since}); err != nil {
		return f, err
	}
	err = json.Unmarshal([]byte(selection), &f.Selection)
	return f, stat.Wrap(err, "reading the followed selection of dataset %d", f.Dataset)
}

// Follow adds a followed dataset, or changes its name and selection, and returns the
// new row.
func (r *DB) Follow(ctx context.Context, organisation int64, f Followed) (Followed, error) {
	if f.Selection == nil {
		f.Selection = stat.Selection{}
	}
	selection, err := json.Marshal(f.Selection)
	if err != nil {
		return f, fmt.Errorf("writing the followed selection of dataset %d: %w", f.Dataset, err)
	}
	err = inTx(ctx, r.db, func(tx *sql.Tx) (err error) {
		f, err = scanFollowed(tx.QueryRowContext(ctx, `INSERT INTO followed (organisation, `+followedColumns+`)
			VALUES ($1, $2, $3, $4, $5) ON CONFLICT (organisation, dataset) DO UPDATE SET name = excluded.name, selection = excluded.selection
			RETURNING `+followedColumns, organisation, f.Dataset, f.Name, string(selection), f.Since.Unix()))
		return err
	})
	return f, wrapChange(err, "following dataset %d", f.Dataset)
}

// Unfollow removes a followed dataset. isFollowed is false if it was not followed.
func (r *DB) Unfollow(ctx context.Context, organisation int64, dataset int) (isFollowed bool, err error) {
	result, err := r.db.ExecContext(ctx, "DELETE FROM followed WHERE organisation = $1 AND dataset = $2", organisation, dataset)
	if err != nil {
		return false, wrapChange(err, "unfollowing dataset %d", dataset)
	}
	n, err := result.RowsAffected()
	return n > 0, err
}

// Followed returns one dataset that an organisation follows; its Dataset is 0
// if it does not.
func (r *DB) Followed(ctx context.Context, organisation int64, dataset int) (Followed, error) {
	f, err := scanFollowed(r.db.QueryRowContext(ctx, "SELECT "+followedColumns+" FROM followed WHERE organisation = $1 AND dataset = $2", organisation, dataset))
	return f, ifFound(err, "reading the followed selection of dataset %d", dataset)
}

// Followers returns the organisations that follow a dataset.
func (r *DB) Followers(ctx context.Context, dataset int) ([]int64, error) {
	rows, err := r.db.QueryContext(ctx, "SELECT organisation FROM followed WHERE dataset = $1 ORDER BY organisation", dataset)
	list, err := database.Collect(rows, err, func(row database.Row) (id int64, err error) {
		err = row.Scan(&id)
		return id, err
	})
	return list, stat.Wrap(err, "listing who follows dataset %d", dataset)
}

// AllFollowed returns a page, counted from 0, of the datasets that an
// organisation follows, by ascending id, and how many there are.
func (r *DB) AllFollowed(ctx context.Context, organisation int64, page, limit int) (list []Followed, total int, err error) {
	if err := r.db.QueryRowContext(ctx, "SELECT count(*) FROM followed WHERE organisation = $1", organisation).Scan(&total); err != nil {
		return nil, 0, fmt.Errorf("counting followed datasets: %w", err)
	}
	if page > total/limit {
		return nil, total, nil // page × limit might overflow
	}
	rows, err := r.db.QueryContext(ctx, `SELECT `+followedColumns+` FROM followed
		WHERE organisation = $1 ORDER BY dataset LIMIT $2 OFFSET $3`, organisation, limit, page*limit)
	list, err = database.Collect(rows, err, scanFollowed)
	return list, total, stat.Wrap(err, "listing followed datasets")
}
