package catalog

import (
	"context"
	"encoding/json"
	"fmt"

	"almanac/internal/database"
	"almanac/internal/stat"
)

// Describe writes the description of a dataset that is listed.
func (ch *Change) Describe(ctx context.Context, d Dataset) error {
	return ch.exec(ctx, fmt.Sprintf("describing dataset %d", d.ID), `
		INSERT OR REPLACE INTO description (dataset, source_name, text, licence, attribution, frequencies, oldest, latest, observations, next_update, versions)
		VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, (SELECT count(*) FROM vintage WHERE dataset = ?1))`,
		d.ID, d.SourceName, d.Text, d.Licence, d.Attribution, d.Frequencies, d.Oldest, d.Newest, d.Observations, d.NextUpdate)
}

// SetNextUpdate changes when the source updates a dataset next.
func (ch *Change) SetNextUpdate(ctx context.Context, dataset int, at string) error {
	return ch.exec(ctx, fmt.Sprintf("describing dataset %d", dataset),
		`UPDATE description SET next_update = ?3 WHERE dataset = ?1; UPDATE dataset SET generation = ?2 WHERE id = ?1`, dataset, ch.generation, at)
}

// Undescribed returns the current vintages of up to limit datasets that an earlier program
// listed without a [Description], by dataset. One without a current vintage is the zero
// Vintage.
func (r reader) Undescribed(ctx context.Context, limit int) (map[int]Vintage, error) {
	found := map[int]Vintage{}
	rows, err := r.q.QueryContext(ctx, `SELECT undescribed.dataset, coalesce(structure, ''), coalesce(observations, 0)
		FROM undescribed LEFT JOIN dataset ON dataset.id = undescribed.dataset
		LEFT JOIN vintage ON vintage.dataset = dataset.id AND vintage.seq = dataset.seq LIMIT ?`, limit)
	err = database.Each(rows, err, func(row database.Row) error {
		var id int
		var v Vintage
		err := row.Scan(&id, &v.Structure, &v.Observations)
		found[id] = v
		return err
	})
	return found, stat.Wrap(err, "looking for datasets without a description")
}

// Described removes a dataset from those that [DB.Undescribed] returns, so that servers
// read its row again.
func (ch *Change) Described(ctx context.Context, dataset int) error {
	return ch.exec(ctx, fmt.Sprintf("describing dataset %d", dataset),
		`DELETE FROM undescribed WHERE dataset = ?1; UPDATE dataset SET generation = ?2 WHERE id = ?1`, dataset, ch.generation)
}

// Texts returns the descriptions of datasets by ID, without empty ones.
func (r reader) Texts(ctx context.Context, datasets []int) (map[int]string, error) {
	list, err := json.Marshal(datasets)
	if err != nil {
		return nil, err
	}
	texts := map[int]string{}
	rows, err := r.q.QueryContext(ctx, `SELECT dataset, text FROM description
		WHERE dataset IN (SELECT value FROM json_each(?)) AND text <> ''`, string(list))
	err = database.Each(rows, err, func(row database.Row) error {
		var id int
		var text string
		err := row.Scan(&id, &text)
		texts[id] = text
		return err
	})
	return texts, stat.Wrap(err, "reading descriptions")
}

// WithoutBulk returns the sources whose whole datasets are not handed out.
func (r reader) WithoutBulk(ctx context.Context) (map[string]bool, error) {
	sources := map[string]bool{}
	rows, err := r.q.QueryContext(ctx, "SELECT source FROM source_setting WHERE bulk = 0")
	err = database.Each(rows, err, func(row database.Row) error {
		var id string
		err := row.Scan(&id)
		sources[id] = true
		return err
	})
	return sources, stat.Wrap(err, "reading the settings of sources")
}

// SetBulk stores whether the whole datasets of a source are handed out.
func (ch *Change) SetBulk(ctx context.Context, source string, allowed bool) error {
	return ch.exec(ctx, fmt.Sprintf("storing the setting of source %s", source),
		"INSERT OR REPLACE INTO source_setting (source, bulk) VALUES (?, ?)", source, allowed)
}
