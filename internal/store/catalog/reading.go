package catalog

import (
	"context"
	"strings"
)

// Readings returns the read options remembered for the datasets with a code, by
// source.
func (c *DB) Readings(ctx context.Context, code string) (map[string][]byte, error) {
	found := map[string][]byte{}
	rows, err := c.db.QueryContext(ctx, "SELECT source, flags FROM reading WHERE code = ?", strings.ToLower(code))
	err = eachRow(rows, err, func(row scanner) error {
		var source string
		var flags []byte
		err := row.Scan(&source, &flags)
		found[source] = flags
		return err
	})
	return found, wrap(err, "looking up the read options of %s", code)
}

// SetReading remembers the read options of a dataset.
func (c *DB) SetReading(ctx context.Context, source, code string, flags []byte) error {
	_, err := c.db.ExecContext(ctx, `INSERT INTO reading (source, code, flags) VALUES (?, ?, ?)
		ON CONFLICT (code, source) DO UPDATE SET flags = excluded.flags`, source, strings.ToLower(code), flags)
	return wrap(err, "storing the read options of %s", code)
}
