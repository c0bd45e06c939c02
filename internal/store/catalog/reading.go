package catalog

import (
	"context"
	"fmt"
	"strings"
)

// readingTable holds how the file of a dataset is to be read, where a person
// said so. Made where it is missing, since catalogs of earlier programs have
// none of it. It cannot be rebuilt from the vintages.
const readingTable = `CREATE TABLE IF NOT EXISTS reading (
    source TEXT NOT NULL,
    code   TEXT NOT NULL, -- in lower case
    flags  BLOB NOT NULL, -- JSON
    PRIMARY KEY (code, source)
) WITHOUT ROWID`

func (c *DB) makeReading(ctx context.Context) error {
	if _, err := c.db.ExecContext(ctx, readingTable); err != nil {
		return fmt.Errorf("making the table of how files are read: %w", err)
	}
	return nil
}

// Readings returns the flags remembered for the datasets with a code, by
// source.
func (c *DB) Readings(ctx context.Context, code string) (map[string][]byte, error) {
	found := map[string][]byte{}
	rows, err := c.db.QueryContext(ctx, "SELECT source, flags FROM reading WHERE code = ?", strings.ToLower(code))
	err = each(rows, err, func(row scanner) error {
		var source string
		var flags []byte
		err := row.Scan(&source, &flags)
		found[source] = flags
		return err
	})
	return found, wrap(err, "looking up how %s is read", code)
}

// SetReading remembers flags for a dataset.
func (c *DB) SetReading(ctx context.Context, source, code string, flags []byte) error {
	_, err := c.db.ExecContext(ctx, `INSERT INTO reading (source, code, flags) VALUES (?, ?, ?)
		ON CONFLICT (code, source) DO UPDATE SET flags = excluded.flags`, source, strings.ToLower(code), flags)
	return wrap(err, "remembering how %s is read", code)
}
