package watch

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"almanac/internal/database"
)

const itemColumns = `item.id, item.ref, item.office, item.state, item.dataset, item.checked, item.changed, item.tried, item.due, item.failed, item.error,
	(SELECT coalesce(min(every), 0) FROM wanted JOIN watch ON watch.id = watch WHERE item = item.id AND every > 0)`

func scanItem(row database.Row) (it Item, err error) {
	var state []byte
	var checked, changed, tried, due, every int64
	err = row.Scan(&it.ID, &it.Ref, &it.Office, &state, &it.Dataset, &checked, &changed, &tried, &due, &it.Failed, &it.Error, &every)
	if len(state) > 0 {
		it.State = json.RawMessage(state)
	}
	it.Checked, it.Changed, it.Tried, it.Due = moment(checked), moment(changed), moment(tried), moment(due)
	it.Every = time.Duration(every) * time.Millisecond
	return it, err
}

// items returns the items that match a condition; what names them in errors.
func (db *DB) items(ctx context.Context, what, condition string, args ...any) ([]Item, error) {
	rows, err := db.db.QueryContext(ctx, "SELECT "+itemColumns+" FROM item "+condition, args...)
	list, err := database.Collect(rows, err, scanItem)
	return list, reading(err, what)
}

// Items returns the items with the given references, or all, ordered by
// reference. It ignores unknown references.
func (db *DB) Items(ctx context.Context, refs ...string) ([]Item, error) {
	if len(refs) == 0 {
		return db.items(ctx, "the items", "ORDER BY ref")
	}
	var all []Item
	for part := range slices.Chunk(slices.Compact(slices.Sorted(slices.Values(refs))), database.MaxParameters) {
		list, err := db.items(ctx, "the items", "WHERE ref IN ("+database.Parameters(1, len(part))+") ORDER BY ref", database.Values(part)...)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}

// Item returns the current row of an item; ok is false if it no longer exists.
func (db *DB) Item(ctx context.Context, id int64) (it Item, ok bool, err error) {
	list, err := db.items(ctx, "an item", "WHERE id = $1", id)
	if len(list) == 0 {
		return Item{}, false, err
	}
	return list[0], true, err
}

// ItemsOf returns the items of a watch, ordered by reference.
func (db *DB) ItemsOf(ctx context.Context, watch string) ([]Item, error) {
	return db.items(ctx, "the items of "+watch,
		"WHERE id IN (SELECT item FROM wanted JOIN watch ON watch.id = watch WHERE watch.ref = $1) ORDER BY ref", watch)
}

// ItemsOfOffice returns the items of an office, ordered by reference.
func (db *DB) ItemsOfOffice(ctx context.Context, office string) ([]Item, error) {
	return db.items(ctx, "the items of "+office, "WHERE office = $1 ORDER BY ref", office)
}

// farAhead is longer than any wait: a later due time comes from a wrong clock.
const farAhead = 400 * 24 * time.Hour

// IsDue reports whether an item is due at a time.
func (it Item) IsDue(now time.Time) bool {
	return !it.Due.After(now) || it.Due.After(now.Add(farAhead))
}

// Due returns the items of an office that are due at a time (see [Item.IsDue]),
// the longest due first.
func (db *DB) Due(ctx context.Context, office string, now time.Time) ([]Item, error) {
	return db.items(ctx, "the due items of "+office, "WHERE office = $1 AND (due <= $2 OR due > $3) ORDER BY due, id",
		office, millis(now), millis(now.Add(farAhead)))
}

// Next returns when the next item is due: the beginning of 1970 if one is due at
// once, zero if there are no items.
func (db *DB) Next(ctx context.Context) (time.Time, error) {
	var due sql.NullInt64
	if err := db.db.QueryRowContext(ctx, "SELECT min(due) FROM item").Scan(&due); err != nil || !due.Valid {
		return time.Time{}, reading(err, "when the next item is due")
	}
	return time.UnixMilli(due.Int64).UTC(), nil
}

// Record writes results in one transaction: rows of items (by ID, ignoring items
// that were removed meanwhile), log entries, and the state of the offices. A
// result without an item only adds its entry.
func (db *DB) Record(ctx context.Context, results []Result) error {
	if len(results) == 0 {
		return nil
	}
	return db.change(ctx, fmt.Sprintf("recording the results of %d datasets", len(results)), func(c *change) { c.writeResults(results) })
}

func (c *change) writeResults(results []Result) {
	offices := map[string]Office{}
	for _, r := range results {
		if it := r.Item; it.ID != 0 {
			c.exec(`UPDATE item SET state = $1, dataset = $2, checked = $3, changed = $4, tried = $5, due = $6, failed = $7, error = $8 WHERE id = $9`,
				[]byte(it.State), it.Dataset, millis(it.Checked), millis(it.Changed), millis(it.Tried), millis(it.Due), it.Failed, it.Error, it.ID)
		}
		c.writeDatasets(r)
		if r.Answer != NoAnswer {
			offices[r.Item.Office] = offices[r.Item.Office].after(r)
		}
		if r.Entry != nil {
			if _, known := offices[r.Entry.Office]; !known { // the entry needs the row of its office
				offices[r.Entry.Office] = Office{}
			}
			c.writeEntry(*r.Entry)
		}
	}
	for id, o := range offices {
		c.writeOffice(id, o)
	}
}

// Dataset is a dataset of the store with the item that updates it. There is at
// most one such item, so that no two overwrite each other in turn.
type Dataset struct {
	ID      int    // in the store
	Version string // the newest one in the log
	Item    int64  // that updates it; 0: none any more
	Ref     string // of that item
}

// Refetch has the item of a dataset fetched as if it were new, as soon as it is possible. It reports
// whether an item updates the dataset.
func (db *DB) Refetch(ctx context.Context, dataset int) (isWatched bool, err error) {
	result, err := db.db.ExecContext(ctx, "UPDATE item SET state = NULL, due = 0 WHERE id = (SELECT item FROM dataset WHERE id = $1)", dataset)
	if err != nil {
		return false, fmt.Errorf("having dataset %d fetched again: %w", dataset, err)
	}
	n, err := result.RowsAffected()
	return n > 0, err
}

// Checked returns when the datasets among ids that are kept up to date were last checked
// with success: zero if never. Others are not in the result.
func (db *DB) Checked(ctx context.Context, ids []int) (map[int]time.Time, error) {
	at := map[int]time.Time{}
	for part := range slices.Chunk(ids, database.MaxParameters) {
		rows, err := db.db.QueryContext(ctx, `SELECT dataset.id, item.checked FROM dataset JOIN item ON item.id = dataset.item
			WHERE dataset.id IN (`+database.Parameters(1, len(part))+")", database.Values(part)...)
		err = database.Each(rows, err, func(row database.Row) error {
			var id int
			var checked int64
			err := row.Scan(&id, &checked)
			at[id] = moment(checked)
			return err
		})
		if err != nil {
			return nil, reading(err, "when datasets were checked")
		}
	}
	return at, nil
}

// DatasetsOfItem returns the datasets of an item, and more datasets by ID: only
// their ID if no item has updated them.
func (db *DB) DatasetsOfItem(ctx context.Context, item int64, more ...int) ([]Dataset, error) {
	rows, err := db.db.QueryContext(ctx, `SELECT dataset.id, dataset.version, coalesce(item.id, 0), coalesce(item.ref, '')
		FROM dataset LEFT JOIN item ON item.id = dataset.item
		WHERE dataset.item = $1 OR dataset.id IN (`+database.Parameters(2, len(more))+`) ORDER BY dataset.id`, append([]any{item}, database.Values(more)...)...)
	list, err := database.Collect(rows, err, func(row database.Row) (d Dataset, err error) {
		return d, row.Scan(&d.ID, &d.Version, &d.Item, &d.Ref)
	})
	if err != nil {
		return nil, reading(err, "the datasets of an item")
	}
	for _, id := range more {
		if !slices.ContainsFunc(list, func(d Dataset) bool { return d.ID == id }) {
			list = append(list, Dataset{ID: id})
		}
	}
	return list, nil
}

// DatasetByID returns a dataset: only its ID if no item has updated it.
func (db *DB) DatasetByID(ctx context.Context, dataset int) (Dataset, error) {
	list, err := db.DatasetsOfItem(ctx, 0, dataset)
	if err != nil {
		return Dataset{ID: dataset}, err
	}
	return list[0], nil
}

// DatasetsOf returns the IDs of the datasets of an office's items.
func (db *DB) DatasetsOf(ctx context.Context, office string) ([]int, error) {
	rows, err := db.db.QueryContext(ctx, "SELECT dataset.id FROM dataset JOIN item ON item.id = dataset.item WHERE office = $1 ORDER BY dataset.id", office)
	list, err := database.Collect(rows, err, func(row database.Row) (id int, err error) { return id, row.Scan(&id) })
	return list, reading(err, "the datasets of "+office)
}

// writeDatasets writes the datasets of a result. A result without an item does not
// take a dataset away from its item.
func (c *change) writeDatasets(r Result) {
	for _, d := range r.Datasets {
		c.exec(`INSERT INTO dataset (id, item, version) VALUES ($1, (SELECT id FROM item WHERE id = $2), $3)
			ON CONFLICT (id) DO UPDATE SET version = excluded.version, item = coalesce(excluded.item, dataset.item)`, d.ID, r.Item.ID, d.Version)
	}
	for _, id := range r.Vanished {
		c.exec("UPDATE dataset SET item = NULL WHERE id = $1 AND item = $2", id, r.Item.ID)
	}
}
