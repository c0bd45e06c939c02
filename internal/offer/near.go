package offer

import (
	"context"
	"strings"

	"almanac/internal/database"
	"almanac/internal/stat"
)

// maxNear is how many codes Near returns at most.
const maxNear = 3

// Near returns the codes of a source that a code which the source does not have may mean, at
// most three: those of which it is a part, as CME is of UNICEF,CME, the shortest first, else
// similar ones.
func (db *DB) Near(ctx context.Context, source, code string) ([]string, error) {
	near, err := db.codes(ctx, `SELECT code FROM offer
		WHERE source = $1 AND replace(lower(code), lower($2), '') <> lower(code) GROUP BY code ORDER BY length(code), code LIMIT $3`, source, strings.TrimSpace(code), maxNear)
	if err != nil || len(near) > 0 {
		return near, err
	}
	all, err := db.codes(ctx, "SELECT DISTINCT code FROM offer WHERE source = $1", source)
	return stat.Nearest(code, all), err
}

func (db *DB) codes(ctx context.Context, query string, args ...any) ([]string, error) {
	rows, err := db.db.QueryContext(ctx, query, args...)
	list, err := database.Collect(rows, err, func(row database.Row) (code string, err error) {
		err = row.Scan(&code)
		return code, err
	})
	return list, reading(err, "the codes of offers")
}
