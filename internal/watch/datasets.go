package watch

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"

	"almanac/internal/sqlitefile"
)

// Dataset is a dataset of the store with the item that updates it. There is at
// most one such item, so that no two overwrite each other in turn.
type Dataset struct {
	ID      int    // in the store
	Version string // the newest one in the log
	Item    int64  // that updates it; 0: none any more
	Ref     string // of that item
}

// DatasetsOfItem returns the datasets of an item, and more datasets by ID: only
// their ID if no item has updated them.
func (db *DB) DatasetsOfItem(ctx context.Context, item int64, more ...int) ([]Dataset, error) {
	wanted, err := json.Marshal(more)
	if err != nil {
		return nil, err
	}
	rows, err := db.db.QueryContext(ctx, `SELECT dataset.id, dataset.version, coalesce(item.id, 0), coalesce(item.ref, '')
		FROM dataset LEFT JOIN item ON item.id = dataset.item
		WHERE dataset.item = ? OR dataset.id IN (SELECT value FROM json_each(?)) ORDER BY dataset.id`, item, string(wanted))
	list, err := sqlitefile.Collect(rows, err, func(row sqlitefile.Row) (d Dataset, err error) {
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
	rows, err := db.db.QueryContext(ctx, "SELECT dataset.id FROM dataset JOIN item ON item.id = dataset.item WHERE office = ? ORDER BY dataset.id", office)
	list, err := sqlitefile.Collect(rows, err, func(row sqlitefile.Row) (id int, err error) { return id, row.Scan(&id) })
	return list, reading(err, "the datasets of "+office)
}

// writeDatasets writes the datasets of a result. A result without an item does
// not take a dataset away from its item.
func (r Result) writeDatasets(ctx context.Context, tx *sql.Tx) error {
	for _, d := range r.Datasets {
		_, err := tx.ExecContext(ctx, `INSERT INTO dataset (id, item, version) VALUES (?1, (SELECT id FROM item WHERE id = ?2), ?3)
			ON CONFLICT DO UPDATE SET version = excluded.version, item = coalesce(excluded.item, item)`, d.ID, r.Item.ID, d.Version)
		if err != nil {
			return err
		}
	}
	for _, id := range r.Vanished {
		if _, err := tx.ExecContext(ctx, "UPDATE dataset SET item = NULL WHERE id = ? AND item = ?", id, r.Item.ID); err != nil {
			return err
		}
	}
	return nil
}
