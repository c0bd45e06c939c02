package catalog

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"almanac/internal/stat"
)

// Change is a transaction that changes the catalogue. It takes the write lock when it
// begins and gives the catalogue a new generation.
type Change struct {
	reader
	tx         *sql.Tx
	generation int64
}

// Change runs do in a transaction and commits it if do returns nil. The time of
// the change is never before the previous change, even if the clock went back.
func (c *DB) Change(ctx context.Context, now time.Time, do func(*Change) error) error {
	return c.ChangeQuietly(ctx, func(ch *Change) error {
		var changed int64
		err := ch.tx.QueryRowContext(ctx, "UPDATE state SET generation = generation + 1 RETURNING generation, changed").
			Scan(&ch.generation, &changed)
		if err != nil {
			return fmt.Errorf("increasing the catalogue's generation: %w", err)
		}
		if err := do(ch); err != nil {
			return err
		}
		return ch.exec(ctx, "storing the time of the catalogue's change", "UPDATE state SET changed = $1", max(changed, now.UnixNano()))
	})
}

// ChangeQuietly is [DB.Change] for what servers do not show. The generation stays
// the same, so that they do not read the catalogue again.
func (c *DB) ChangeQuietly(ctx context.Context, do func(*Change) error) error {
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("locking the catalogue: %w", err)
	}
	defer tx.Rollback()
	if err := do(&Change{reader: reader{tx}, tx: tx}); err != nil {
		return err
	}
	return stat.Wrap(tx.Commit(), "committing a change of the catalogue")
}

// exec executes a statement; doing describes it in an error.
func (ch *Change) exec(ctx context.Context, doing, statement string, args ...any) error {
	_, err := ch.tx.ExecContext(ctx, statement, args...)
	return stat.Wrap(err, "%s", doing)
}

// Dataset describes a dataset for the catalogue's list.
type Dataset struct {
	ID           int
	Source, Code string
	Name         string
	Names        string   // JSON by language; empty if there is only one
	Areas        []string // available_geo
	Text         string   // the dataset's description
	Description
}

// AddVintage stores a vintage with its code lists, makes it the dataset's current one
// and lists the dataset. It creates the dataset's row if the catalogue is being rebuilt.
func (ch *Change) AddVintage(ctx context.Context, d Dataset, v Vintage) error {
	for digest, codes := range v.CodeLists {
		if err := ch.exec(ctx, "storing code list "+digest,
			"INSERT INTO code_list (digest, codes) VALUES ($1, $2) ON CONFLICT DO NOTHING", digest, codes); err != nil {
			return err
		}
	}
	areas := strings.Join(d.Areas, "\n")
	if err := ch.exec(ctx, "storing a list of areas", "INSERT INTO area_list (areas) VALUES ($1) ON CONFLICT DO NOTHING", areas); err != nil {
		return err
	}
	err := ch.exec(ctx, fmt.Sprintf("listing dataset %d", d.ID), `
		INSERT INTO dataset (id, source, code, code_key, generation, seq, name, area_list, version, updated, imported)
		VALUES ($1, $2, $3, $4, $5, $6, $7, (SELECT id FROM area_list WHERE areas = $8), $9, $10, $11)
		ON CONFLICT (id) DO UPDATE SET code = $3, generation = $5, seq = $6, name = $7,
			area_list = excluded.area_list, version = $9, updated = $10, imported = $11`,
		d.ID, d.Source, d.Code, strings.ToLower(d.Code), ch.generation, v.Seq, d.Name, areas,
		v.Version, v.LastUpdate, v.Imported.UnixNano())
	if err == nil {
		err = ch.setNames(ctx, d)
	}
	if err != nil {
		return err
	}
	err = ch.exec(ctx, fmt.Sprintf("storing vintage %s of dataset %d", v.Version, d.ID),
		"INSERT INTO vintage (dataset, "+vintageColumns+") VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14)",
		d.ID, v.Seq, v.Version, v.Imported.UnixNano(), v.LastUpdate, v.Series, v.Observations,
		v.Added, v.Revised, v.Removed, v.Changed, v.Digest, v.File, v.Structure)
	if err != nil {
		return err
	}
	return ch.Describe(ctx, d)
}

func (ch *Change) setNames(ctx context.Context, d Dataset) error {
	doing := fmt.Sprintf("storing the names of dataset %d", d.ID)
	if d.Names == "" {
		return ch.exec(ctx, doing, "DELETE FROM dataset_names WHERE dataset = $1", d.ID)
	}
	return ch.exec(ctx, doing, "INSERT INTO dataset_names (dataset, names) VALUES ($1, $2) ON CONFLICT (dataset) DO UPDATE SET names = $2", d.ID, d.Names)
}

// SetStructure replaces the structure and the last update of a vintage, whose file was written again.
func (ch *Change) SetStructure(ctx context.Context, dataset int, v Vintage) error {
	err := ch.exec(ctx, fmt.Sprintf("storing the structure of vintage %d of dataset %d", v.Seq, dataset),
		"UPDATE vintage SET structure = $1, last_update = $2 WHERE dataset = $3 AND seq = $4", v.Structure, v.LastUpdate, dataset, v.Seq)
	if err != nil {
		return err
	}
	return ch.exec(ctx, fmt.Sprintf("listing dataset %d", dataset),
		"UPDATE dataset SET updated = $1, generation = $2 WHERE id = $3 AND seq = $4", v.LastUpdate, ch.generation, dataset, v.Seq)
}

// SetCodeLists replaces code lists that are damaged.
func (ch *Change) SetCodeLists(ctx context.Context, lists map[string][]byte) error {
	for digest, codes := range lists {
		if err := ch.exec(ctx, "storing code list "+digest,
			"INSERT INTO code_list (digest, codes) VALUES ($1, $2) ON CONFLICT (digest) DO UPDATE SET codes = excluded.codes", digest, codes); err != nil {
			return err
		}
	}
	return nil
}

// Remove removes a dataset from the list; its vintages stay.
func (ch *Change) Remove(ctx context.Context, dataset int) error {
	return ch.exec(ctx, fmt.Sprintf("removing dataset %d", dataset),
		"UPDATE dataset SET seq = 0, generation = $1 WHERE id = $2", ch.generation, dataset)
}

// Prune deletes the rows of all but the newest vintages of a dataset and returns
// how many it deleted.
func (ch *Change) Prune(ctx context.Context, dataset, keep int) (int, error) {
	result, err := ch.tx.ExecContext(ctx, `DELETE FROM vintage WHERE dataset = $1 AND seq NOT IN
		(SELECT seq FROM vintage WHERE dataset = $1 ORDER BY seq DESC LIMIT $2)`, dataset, keep)
	if err != nil {
		return 0, fmt.Errorf("deleting vintages of dataset %d: %w", dataset, err)
	}
	deleted, err := result.RowsAffected()
	if err != nil || deleted == 0 {
		return int(deleted), err
	}
	if err := ch.exec(ctx, fmt.Sprintf("counting the vintages of dataset %d", dataset),
		"UPDATE description SET versions = (SELECT count(*) FROM vintage WHERE dataset = $1) WHERE dataset = $1", dataset); err != nil {
		return int(deleted), err
	}
	return int(deleted), ch.touch(ctx, dataset)
}

// touch gives a dataset the generation of this change, so that servers read its row again.
func (ch *Change) touch(ctx context.Context, dataset int) error {
	return ch.exec(ctx, fmt.Sprintf("changing dataset %d", dataset), "UPDATE dataset SET generation = $1 WHERE id = $2", ch.generation, dataset)
}

// ReserveID creates the row of a removed dataset, so that its ID is not reused. An
// existing row stays.
func (ch *Change) ReserveID(ctx context.Context, d Dataset) error {
	return ch.exec(ctx, fmt.Sprintf("reserving the ID of removed dataset %d", d.ID),
		`INSERT INTO dataset (id, source, code, code_key, generation)
		VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`, d.ID, d.Source, d.Code, strings.ToLower(d.Code), ch.generation)
}
