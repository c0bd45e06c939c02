package catalog

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"
)

// Change is one transaction that changes the catalog. It holds the write lock
// from its beginning, and gives the catalog a new generation at its end.
type Change struct {
	tx         *sql.Tx
	generation int64
	// Now is the time of the change: the one given to Change, moved on if the
	// clock went back, so that publications never go back.
	Now time.Time
}

// Change runs do in a transaction and commits it if do returns nil.
func (c *DB) Change(ctx context.Context, now time.Time, do func(*Change) error) error {
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("taking the catalog's write lock: %w", err)
	}
	defer tx.Rollback()
	ch := &Change{tx: tx, Now: now.UTC()}
	var changed int64
	err = tx.QueryRowContext(ctx, "UPDATE state SET generation = generation + 1 RETURNING generation, changed").
		Scan(&ch.generation, &changed)
	if err != nil {
		return fmt.Errorf("counting the catalog's generation: %w", err)
	}
	if last := time.Unix(0, changed).UTC(); ch.Now.Before(last) {
		ch.Now = last
	}
	if err := do(ch); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "UPDATE state SET changed = ?", ch.Now.UnixNano()); err != nil {
		return fmt.Errorf("dating the catalog's change: %w", err)
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("committing a change of the catalog: %w", err)
	}
	return nil
}

// Dataset describes a dataset for the catalog's list.
type Dataset struct {
	ID           int
	Source, Code string
	Name         string
	Areas        []string // available_geo
}

// Empty reports whether no dataset was ever stored.
func (ch *Change) Empty(ctx context.Context) (bool, error) {
	var vintages int
	err := ch.tx.QueryRowContext(ctx, "SELECT count(*) FROM (SELECT 1 FROM vintage LIMIT 1)").Scan(&vintages)
	if err != nil {
		return false, fmt.Errorf("looking for vintages: %w", err)
	}
	return vintages == 0, nil
}

// Current returns the current vintage of a dataset, 0 if there is none.
func (ch *Change) Current(ctx context.Context, dataset int) (seq int, err error) {
	err = ch.tx.QueryRowContext(ctx, "SELECT seq FROM dataset WHERE id = ?", dataset).Scan(&seq)
	if err != nil {
		return 0, fmt.Errorf("reading dataset %d: %w", dataset, err)
	}
	return seq, nil
}

// Files returns the keys of all vintage files of a dataset.
func (ch *Change) Files(ctx context.Context, dataset int) (map[string]bool, error) {
	rows, err := ch.tx.QueryContext(ctx, "SELECT file FROM vintage WHERE dataset = ?", dataset)
	if err != nil {
		return nil, fmt.Errorf("listing the files of dataset %d: %w", dataset, err)
	}
	defer rows.Close()
	files := map[string]bool{}
	for rows.Next() {
		var file string
		if err := rows.Scan(&file); err != nil {
			return nil, fmt.Errorf("listing the files of dataset %d: %w", dataset, err)
		}
		files[file] = true
	}
	return files, rows.Err()
}

// PutCodeList keeps a code list under its digest; one that is there stays.
func (ch *Change) PutCodeList(ctx context.Context, digest string, codes []byte) error {
	_, err := ch.tx.ExecContext(ctx, "INSERT INTO code_list (digest, codes) VALUES (?, ?) ON CONFLICT DO NOTHING", digest, codes)
	if err != nil {
		return fmt.Errorf("storing code list %s: %w", digest, err)
	}
	return nil
}

// AddVintage adds a vintage's row.
func (ch *Change) AddVintage(ctx context.Context, dataset int, v Vintage) error {
	_, err := ch.tx.ExecContext(ctx, "INSERT INTO vintage (dataset, "+vintageColumns+") VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
		dataset, v.Seq, v.Version, v.Imported.UnixNano(), v.LastUpdate, v.Series, v.Observations,
		v.Added, v.Revised, v.Removed, v.Digest, v.File, v.Structure)
	if err != nil {
		return fmt.Errorf("storing vintage %s of dataset %d: %w", v.Version, dataset, err)
	}
	return nil
}

// SetCurrent makes a vintage the dataset's current one and lists the dataset
// as described. The dataset's row is made if there is none with its ID, which
// happens when the catalog is rebuilt.
func (ch *Change) SetCurrent(ctx context.Context, d Dataset, v Vintage) error {
	areas := strings.Join(d.Areas, "\n")
	if _, err := ch.tx.ExecContext(ctx, "INSERT INTO area_list (areas) VALUES (?) ON CONFLICT DO NOTHING", areas); err != nil {
		return fmt.Errorf("storing a list of areas: %w", err)
	}
	_, err := ch.tx.ExecContext(ctx, `
		INSERT INTO dataset (id, source, code, code_key, generation, seq, name, area_list, version, updated, imported)
		VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, (SELECT id FROM area_list WHERE areas = ?8), ?9, ?10, ?11)
		ON CONFLICT (id) DO UPDATE SET code = ?3, generation = ?5, seq = ?6, name = ?7,
			area_list = excluded.area_list, version = ?9, updated = ?10, imported = ?11`,
		d.ID, d.Source, d.Code, strings.ToLower(d.Code), ch.generation, v.Seq, d.Name, areas,
		v.Version, v.LastUpdate, v.Imported.UnixNano())
	if err != nil {
		return fmt.Errorf("listing dataset %d: %w", d.ID, err)
	}
	return nil
}

// Remove takes a dataset out of the catalog's list; its vintages stay.
func (ch *Change) Remove(ctx context.Context, dataset int) error {
	_, err := ch.tx.ExecContext(ctx, "UPDATE dataset SET seq = 0, generation = ? WHERE id = ?", ch.generation, dataset)
	if err != nil {
		return fmt.Errorf("removing dataset %d: %w", dataset, err)
	}
	return nil
}

// DropVintage deletes a vintage's row.
func (ch *Change) DropVintage(ctx context.Context, dataset, seq int) error {
	_, err := ch.tx.ExecContext(ctx, "DELETE FROM vintage WHERE dataset = ? AND seq = ?", dataset, seq)
	if err != nil {
		return fmt.Errorf("deleting a vintage of dataset %d: %w", dataset, err)
	}
	return nil
}

// Removed gives a dataset that is not listed its row, so that its ID is not
// given again; one that has a row stays as it is.
func (ch *Change) Removed(ctx context.Context, d Dataset) error {
	_, err := ch.tx.ExecContext(ctx, `INSERT INTO dataset (id, source, code, code_key, generation)
		VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`, d.ID, d.Source, d.Code, strings.ToLower(d.Code), ch.generation)
	if err != nil {
		return fmt.Errorf("reserving the ID of removed dataset %d: %w", d.ID, err)
	}
	return nil
}
