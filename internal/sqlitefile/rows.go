package sqlitefile

import "database/sql"

// Row is a [sql.Row], or the current row of [sql.Rows].
type Row interface{ Scan(...any) error }

// Collect scans all rows and closes them. err is the error of the query.
func Collect[T any](rows *sql.Rows, err error, scan func(Row) (T, error)) ([]T, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []T
	for rows.Next() {
		item, err := scan(rows)
		if err != nil {
			return nil, err
		}
		list = append(list, item)
	}
	return list, rows.Err()
}
