package database

import (
	"database/sql"
	"strconv"
	"strings"
)

// Row is a [sql.Row], or the current row of [sql.Rows].
type Row interface{ Scan(...any) error }

// Each calls do for all rows and closes them. err is the error of the query.
func Each(rows *sql.Rows, err error, do func(Row) error) error {
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := do(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Collect is [Each] that returns what scan makes of the rows.
func Collect[T any](rows *sql.Rows, err error, scan func(Row) (T, error)) (list []T, _ error) {
	err = Each(rows, err, func(row Row) error {
		item, err := scan(row)
		list = append(list, item)
		return err
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

// Values returns a list as parameters of a statement.
func Values[T any](list []T) []any {
	values := make([]any, len(list))
	for i, v := range list {
		values[i] = v
	}
	return values
}

// MaxParameters is how many parameters a statement may have.
const MaxParameters = 30000

// Parameters returns a list of n parameters for IN or VALUES, beginning with the number first:
// "$3, $4, $5". No parameter is NULL, which is in no list.
func Parameters(first, n int) string {
	if n == 0 {
		return "NULL"
	}
	var list strings.Builder
	for i := range n {
		if i > 0 {
			list.WriteString(", ")
		}
		list.WriteString("$" + strconv.Itoa(first+i))
	}
	return list.String()
}
