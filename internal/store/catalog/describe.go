package catalog

import (
	"context"
	"fmt"
	"slices"

	"almanac/internal/database"
	"almanac/internal/stat"
)

// Describe writes the description of a dataset that is listed.
func (ch *Change) Describe(ctx context.Context, d Dataset) error {
	return ch.exec(ctx, fmt.Sprintf("describing dataset %d", d.ID), `
		INSERT INTO description (dataset, source_name, text, licence, attribution, frequencies, oldest, latest, observations, next_update, versions)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, (SELECT count(*) FROM vintage WHERE dataset = $1))
		ON CONFLICT (dataset) DO UPDATE SET source_name = $2, text = $3, licence = $4, attribution = $5, frequencies = $6,
			oldest = $7, latest = $8, observations = $9, next_update = $10, versions = excluded.versions`,
		d.ID, d.SourceName, d.Text, d.Licence, d.Attribution, d.Frequencies, d.Oldest, d.Newest, d.Observations, d.NextUpdate)
}

// SetNextUpdate changes when the source updates a dataset next.
func (ch *Change) SetNextUpdate(ctx context.Context, dataset int, at string) error {
	if err := ch.exec(ctx, fmt.Sprintf("describing dataset %d", dataset), "UPDATE description SET next_update = $1 WHERE dataset = $2", at, dataset); err != nil {
		return err
	}
	return ch.touch(ctx, dataset)
}

// Undescribed returns the current vintages of up to limit datasets that an earlier program
// listed without a [Description], by dataset. One without a current vintage is the zero
// Vintage.
func (r reader) Undescribed(ctx context.Context, limit int) (map[int]Vintage, error) {
	found := map[int]Vintage{}
	rows, err := r.q.QueryContext(ctx, `SELECT undescribed.dataset, coalesce(structure, ''), coalesce(observations, 0)
		FROM undescribed LEFT JOIN dataset ON dataset.id = undescribed.dataset
		LEFT JOIN vintage ON vintage.dataset = dataset.id AND vintage.seq = dataset.seq LIMIT $1`, limit)
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
	if err := ch.exec(ctx, fmt.Sprintf("describing dataset %d", dataset), "DELETE FROM undescribed WHERE dataset = $1", dataset); err != nil {
		return err
	}
	return ch.touch(ctx, dataset)
}

// Texts returns the descriptions of datasets by ID, without empty ones.
func (r reader) Texts(ctx context.Context, datasets []int) (map[int]string, error) {
	texts := map[int]string{}
	for part := range slices.Chunk(datasets, database.MaxParameters) {
		rows, err := r.q.QueryContext(ctx, "SELECT dataset, text FROM description WHERE dataset IN ("+database.Parameters(1, len(part))+") AND text <> ''", database.Values(part)...)
		err = database.Each(rows, err, func(row database.Row) error {
			var id int
			var text string
			err := row.Scan(&id, &text)
			texts[id] = text
			return err
		})
		if err != nil {
			return nil, stat.Wrap(err, "reading descriptions")
		}
	}
	return texts, nil
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
		"INSERT INTO source_setting (source, bulk) VALUES ($1, $2) ON CONFLICT (source) DO UPDATE SET bulk = $2", source, allowed)
}
