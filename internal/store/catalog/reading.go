package catalog

import (
	"context"
	"fmt"
	"strings"
)

// Readings returns the flags remembered for the datasets with a code, by
// source.
func (c *DB) Readings(ctx context.Context, code string) (map[string][]byte, error) {
	rows, err := c.db.QueryContext(ctx, "SELECT source, flags FROM reading WHERE code = ?", strings.ToLower(code))
	if err != nil {
		return nil, fmt.Errorf("looking up how %s is read: %w", code, err)
	}
	defer rows.Close()
	found := map[string][]byte{}
	for rows.Next() {
		var source string
		var flags []byte
		if err := rows.Scan(&source, &flags); err != nil {
			return nil, fmt.Errorf("looking up how %s is read: %w", code, err)
		}
		found[source] = flags
	}
	return found, rows.Err()
}

// SetReading remembers flags for a dataset.
func (c *DB) SetReading(ctx context.Context, source, code string, flags []byte) error {
	_, err := c.db.ExecContext(ctx, `INSERT INTO reading (source, code, flags) VALUES (?, ?, ?)
		ON CONFLICT (code, source) DO UPDATE SET flags = excluded.flags`, source, strings.ToLower(code), flags)
	if err != nil {
		return fmt.Errorf("remembering how %s is read: %w", code, err)
	}
	return nil
}
