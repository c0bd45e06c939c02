package sqlitefile

import "database/sql"

// Row is a row of an answer: a [sql.Row], or the current one of [sql.Rows].
type Row interface{ Scan(...any) error }

// Collect reads all rows of an answer. err is that of the query.
func Collect[T any](rows *sql.Rows, err error, scan func(Row) (T, error)) ([]T, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []T
	for rows.Next() {
		one, err := scan(rows)
		if err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, rows.Err()
}
