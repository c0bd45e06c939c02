package watch

import (
	"context"
	"database/sql"

	"almanac/internal/sqlitefile"
)

// Dataset is a dataset of the store as an item brought it. A dataset is of one
// item at most, so that no two overwrite each other in turn.
type Dataset struct {
	ID      int    // in the store
	Version string // the newest of which the log has a line
	Item    int64  // whose it is; 0: nobody's any more
	Ref     string // of that item
}

const datasetColumns = "dataset.id, dataset.version, coalesce(item.id, 0), coalesce(item.ref, '') FROM dataset LEFT JOIN item ON item.id = dataset.item"

func scanDataset(row sqlitefile.Row) (b Dataset, err error) {
	return b, row.Scan(&b.ID, &b.Version, &b.Item, &b.Ref)
}

// DatasetsOfItem returns what an item brought and still brings, by dataset.
func (db *DB) DatasetsOfItem(ctx context.Context, item int64) ([]Dataset, error) {
	rows, err := db.db.QueryContext(ctx, "SELECT "+datasetColumns+" WHERE dataset.item = ? ORDER BY dataset.id", item)
	list, err := sqlitefile.Collect(rows, err, scanDataset)
	return list, reading(err, "what an item brought")
}

// DatasetByID returns what is known of a dataset: nothing but its ID if no item
// brought it.
func (db *DB) DatasetByID(ctx context.Context, dataset int) (Dataset, error) {
	rows, err := db.db.QueryContext(ctx, "SELECT "+datasetColumns+" WHERE dataset.id = ?", dataset)
	list, err := sqlitefile.Collect(rows, err, scanDataset)
	if len(list) == 0 {
		return Dataset{ID: dataset}, reading(err, "which item brought a dataset")
	}
	return list[0], nil
}

// DatasetsOf returns the IDs of the datasets that an office's items brought.
func (db *DB) DatasetsOf(ctx context.Context, office string) ([]int, error) {
	rows, err := db.db.QueryContext(ctx, "SELECT dataset.id FROM dataset JOIN item ON item.id = dataset.item WHERE office = ? ORDER BY dataset.id", office)
	list, err := sqlitefile.Collect(rows, err, func(row sqlitefile.Row) (id int, err error) { return id, row.Scan(&id) })
	return list, reading(err, "what is brought of "+office)
}

// bring writes what a result says of datasets. What nobody watches takes no
// dataset from who does.
func (r Result) bring(ctx context.Context, tx *sql.Tx) error {
	for _, b := range r.Datasets {
		_, err := tx.ExecContext(ctx, `INSERT INTO dataset (id, item, version) VALUES (?1, (SELECT id FROM item WHERE id = ?2), ?3)
			ON CONFLICT DO UPDATE SET version = excluded.version, item = coalesce(excluded.item, item)`, b.ID, r.Item.ID, b.Version)
		if err != nil {
			return err
		}
	}
	for _, id := range r.Lacks {
		if _, err := tx.ExecContext(ctx, "UPDATE dataset SET item = NULL WHERE id = ? AND item = ?", id, r.Item.ID); err != nil {
			return err
		}
	}
	return nil
}
