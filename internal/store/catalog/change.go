package catalog

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"
)

// Change is a transaction that changes the catalog. It takes the write lock when it
// begins and gives the catalog a new generation.
type Change struct {
	tx         *sql.Tx
	generation int64
	// Now is the time of the change. It is never before the previous change, even if
	// the clock went back.
	Now time.Time
}

// Change runs do in a transaction and commits it if do returns nil.
func (c *DB) Change(ctx context.Context, now time.Time, do func(*Change) error) error {
	return c.ChangeQuietly(ctx, func(ch *Change) error {
		var changed int64
		err := ch.tx.QueryRowContext(ctx, "UPDATE state SET generation = generation + 1 RETURNING generation, changed").
			Scan(&ch.generation, &changed)
		if err != nil {
			return fmt.Errorf("increasing the catalog's generation: %w", err)
		}
		ch.Now = now.UTC()
		if last := time.Unix(0, changed).UTC(); ch.Now.Before(last) {
			ch.Now = last
		}
		if err := do(ch); err != nil {
			return err
		}
		return ch.exec(ctx, "storing the time of the catalog's change", "UPDATE state SET changed = ?", ch.Now.UnixNano())
	})
}

// ChangeQuietly is [DB.Change] for what servers do not show. The generation stays
// the same, so that they do not read the catalog again.
func (c *DB) ChangeQuietly(ctx context.Context, do func(*Change) error) error {
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("locking the catalog: %w", err)
	}
	defer tx.Rollback()
	if err := do(&Change{tx: tx}); err != nil {
		return err
	}
	return wrap(tx.Commit(), "committing a change of the catalog")
}

// exec executes a statement; doing describes it in an error.
func (ch *Change) exec(ctx context.Context, doing, statement string, args ...any) error {
	_, err := ch.tx.ExecContext(ctx, statement, args...)
	return wrap(err, "%s", doing)
}

// Dataset describes a dataset for the catalog's list.
type Dataset struct {
	ID           int
	Source, Code string
	Name         string
	Areas        []string // available_geo
}

// IsEmpty reports whether the catalog has no vintages.
func (ch *Change) IsEmpty(ctx context.Context) (bool, error) {
	var vintages int
	err := ch.tx.QueryRowContext(ctx, "SELECT count(*) FROM (SELECT 1 FROM vintage LIMIT 1)").Scan(&vintages)
	return vintages == 0, wrap(err, "looking for vintages")
}

// Current returns the seq of a dataset's current vintage, 0 if there is none.
func (ch *Change) Current(ctx context.Context, dataset int) (seq int, err error) {
	err = ch.tx.QueryRowContext(ctx, "SELECT seq FROM dataset WHERE id = ?", dataset).Scan(&seq)
	return seq, wrap(err, "reading dataset %d", dataset)
}

// Files returns the keys of all vintage files of a dataset.
func (ch *Change) Files(ctx context.Context, dataset int) (map[string]bool, error) {
	files := map[string]bool{}
	rows, err := ch.tx.QueryContext(ctx, "SELECT file FROM vintage WHERE dataset = ?", dataset)
	err = eachRow(rows, err, func(row scanner) error {
		var file string
		err := row.Scan(&file)
		files[file] = true
		return err
	})
	return files, wrap(err, "listing the files of dataset %d", dataset)
}

// PutCodeList stores a code list under its digest, unless it is stored already.
func (ch *Change) PutCodeList(ctx context.Context, digest string, codes []byte) error {
	return ch.exec(ctx, "storing code list "+digest,
		"INSERT INTO code_list (digest, codes) VALUES (?, ?) ON CONFLICT DO NOTHING", digest, codes)
}

// AddVintage stores the row of a vintage.
func (ch *Change) AddVintage(ctx context.Context, dataset int, v Vintage) error {
	return ch.exec(ctx, fmt.Sprintf("storing vintage %s of dataset %d", v.Version, dataset),
		"INSERT INTO vintage (dataset, "+vintageColumns+") VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
		dataset, v.Seq, v.Version, v.Imported.UnixNano(), v.LastUpdate, v.Series, v.Observations,
		v.Added, v.Revised, v.Removed, v.Digest, v.File, v.Structure)
}

// SetCurrent makes a vintage the dataset's current one and lists the dataset. It
// creates the dataset's row if the catalog is being rebuilt.
func (ch *Change) SetCurrent(ctx context.Context, d Dataset, v Vintage) error {
	areas := strings.Join(d.Areas, "\n")
	if err := ch.exec(ctx, "storing a list of areas", "INSERT INTO area_list (areas) VALUES (?) ON CONFLICT DO NOTHING", areas); err != nil {
		return err
	}
	return ch.exec(ctx, fmt.Sprintf("listing dataset %d", d.ID), `
		INSERT INTO dataset (id, source, code, code_key, generation, seq, name, area_list, version, updated, imported)
		VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, (SELECT id FROM area_list WHERE areas = ?8), ?9, ?10, ?11)
		ON CONFLICT (id) DO UPDATE SET code = ?3, generation = ?5, seq = ?6, name = ?7,
			area_list = excluded.area_list, version = ?9, updated = ?10, imported = ?11`,
		d.ID, d.Source, d.Code, strings.ToLower(d.Code), ch.generation, v.Seq, d.Name, areas,
		v.Version, v.LastUpdate, v.Imported.UnixNano())
}

// Remove removes a dataset from the list; its vintages stay.
func (ch *Change) Remove(ctx context.Context, dataset int) error {
	return ch.exec(ctx, fmt.Sprintf("removing dataset %d", dataset),
		"UPDATE dataset SET seq = 0, generation = ? WHERE id = ?", ch.generation, dataset)
}

// DropVintage deletes a vintage's row.
func (ch *Change) DropVintage(ctx context.Context, dataset, seq int) error {
	return ch.exec(ctx, fmt.Sprintf("deleting a vintage of dataset %d", dataset),
		"DELETE FROM vintage WHERE dataset = ? AND seq = ?", dataset, seq)
}

// ReserveID creates the row of a removed dataset, so that its ID is not reused. An
// existing row stays.
func (ch *Change) ReserveID(ctx context.Context, d Dataset) error {
	return ch.exec(ctx, fmt.Sprintf("reserving the ID of removed dataset %d", d.ID),
		`INSERT INTO dataset (id, source, code, code_key, generation)
		VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`, d.ID, d.Source, d.Code, strings.ToLower(d.Code), ch.generation)
}
