package database

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"strings"
	"time"
)

// Copied says what [Copy] did with a database.
type Copied struct {
	Name        string
	Rows        int
	Digest      string // of all rows of all tables; of source and copy
	IsUnchanged bool   // the copy was there already
}

// copyTime bounds how long a database is copied.
const copyTime = 24 * time.Hour

// Copy makes the database with a name at to what it is at from: a file of SQLite or a schema of
// PostgreSQL. It replaces what the database at to contains, in one transaction, and compares the digests of all
// rows before it commits. The copy is the state of one moment, also while others change the database at from. If both are the
// same already, it changes nothing, so an interrupted series of copies is continued by doing it again.
func Copy(ctx context.Context, from, to Location, name string, o Options) (c Copied, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("copying the database %s: %w", name, err)
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, copyTime)
	defer cancel()
	source, err := from.Open(ctx, name, o)
	if err != nil {
		return c, err
	}
	defer source.Close()
	target, err := to.Open(ctx, name, o)
	if err != nil {
		return c, err
	}
	defer target.Close()
	read, err := source.BeginTx(ctx, &sql.TxOptions{ReadOnly: true}) // the state of one moment
	if err != nil {
		return c, err
	}
	defer read.Rollback()
	write, err := target.BeginTx(ctx, nil)
	if err != nil {
		return c, err
	}
	defer write.Rollback()
	tables, err := tablesOf(ctx, read, from)
	if err != nil {
		return c, err
	}
	counting, err := tablesOf(ctx, write, to)
	if err != nil {
		return c, err
	}
	for i := range tables {
		tables[i].counter = counting[i].counter // SQLite counts most keys without saying so
	}
	c.Name = name
	if c.Digest, c.Rows, err = digest(ctx, read, tables); err != nil {
		return c, err
	}
	if before, _, err := digest(ctx, write, tables); err != nil || before == c.Digest {
		c.IsUnchanged = err == nil
		return c, err
	}
	if err := replaceRows(ctx, read, write, tables, to); err != nil {
		return c, err
	}
	after, _, err := digest(ctx, write, tables)
	if err != nil {
		return c, err
	}
	if after != c.Digest {
		return c, fmt.Errorf("the copy has the digest %s, not %s; nothing was copied", after, c.Digest)
	}
	return c, write.Commit()
}

// table is a table of a database.
type table struct {
	name    string
	columns []string
	key     []string // columns of the primary key; of a table without one, all columns
	counter string   // column whose values the database counts; empty: none
	counted int64    // the last value that was given
}

// tablesOf returns the tables in the order in which they were created, so that a table comes after those
// that it refers to.
func tablesOf(ctx context.Context, tx *sql.Tx, at Location) ([]table, error) {
	catalog := catalogOfFile
	if at.IsServer() {
		catalog = catalogOfServer
	}
	rows, err := tx.QueryContext(ctx, catalog)
	names, err := Collect(rows, err, func(row Row) (column [4]string, err error) {
		return column, row.Scan(&column[0], &column[1], &column[2], &column[3])
	})
	if err != nil {
		return nil, err
	}
	var tables []table
	for _, column := range names { // table, column, "key" if it belongs to the primary key, "counter" if it is counted
		if len(tables) == 0 || tables[len(tables)-1].name != column[0] {
			tables = append(tables, table{name: column[0]})
		}
		t := &tables[len(tables)-1]
		t.columns = append(t.columns, column[1])
		if column[2] != "" {
			t.key = append(t.key, column[1])
		}
		if column[3] != "" {
			t.counter = column[1]
		}
	}
	for i := range tables {
		t := &tables[i]
		if len(t.key) == 0 {
			t.key = t.columns
		}
		if t.counter != "" {
			if t.counted, err = lastCounted(ctx, tx, at, *t); err != nil {
				return nil, err
			}
		}
	}
	return tables, nil
}

// The catalogues yield table, column, whether it belongs to the primary key, and whether it is counted.
const (
	catalogOfFile = `SELECT t.name, c.name, CASE WHEN c.pk > 0 THEN 'key' ELSE '' END, CASE WHEN c.pk > 0 AND t.sql LIKE '%AUTOINCREMENT%' THEN 'counter' ELSE '' END
		FROM sqlite_master AS t JOIN pragma_table_info(t.name) AS c
		WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY t.rowid, c.cid`
	catalogOfServer = `SELECT t.relname, c.attname, CASE WHEN c.attnum = ANY (k.conkey) THEN 'key' ELSE '' END, CASE WHEN c.attidentity <> '' THEN 'counter' ELSE '' END
		FROM pg_class AS t JOIN pg_attribute AS c ON c.attrelid = t.oid AND c.attnum > 0 AND NOT c.attisdropped
			LEFT JOIN pg_constraint AS k ON k.conrelid = t.oid AND k.contype = 'p'
		WHERE t.relnamespace = CAST(current_schema() AS regnamespace) AND t.relkind = 'r' AND t.relname <> '` + versionTable + `' ORDER BY t.oid, c.attnum`
)

// lastCounted returns the last number that was given to a row, also to one that was deleted.
func lastCounted(ctx context.Context, tx *sql.Tx, at Location, t table) (last int64, err error) {
	query := "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = '" + t.name + "'), 0)"
	if at.IsServer() {
		query = "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM " + sequenceOf(t)
	}
	err = tx.QueryRowContext(ctx, query).Scan(&last)
	return last, err
}

// sequenceOf returns the name that PostgreSQL gives to the sequence of an identity.
func sequenceOf(t table) string { return t.name + "_" + t.counter + "_seq" }

// digest returns the digest of all rows of tables, by primary key, and their number.
func digest(ctx context.Context, tx *sql.Tx, tables []table) (hexadecimal string, n int, err error) {
	sum := sha256.New()
	for _, t := range tables {
		fmt.Fprintf(sum, "table %s\n", t.name)
		err := t.each(ctx, tx, func(values []any) error {
			n++
			for _, v := range values {
				writeValue(sum, v)
			}
			return nil
		})
		if err != nil {
			return "", 0, err
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), n, nil
}

// writeValue writes a value so that no two rows are written alike. Text in a column of bytes is the same as its bytes.
func writeValue(to hash.Hash, v any) {
	text, isBytes := v.([]byte)
	switch {
	case v == nil:
		fmt.Fprint(to, "null;")
		return
	case !isBytes:
		text = fmt.Append(nil, v)
	}
	fmt.Fprintf(to, "%d:%s;", len(text), text)
}

// each calls do for the rows of a table in the order of its key.
func (t table) each(ctx context.Context, tx *sql.Tx, do func(values []any) error) error {
	values, into := make([]any, len(t.columns)), make([]any, len(t.columns))
	for i := range values {
		into[i] = &values[i]
	}
	rows, err := tx.QueryContext(ctx, "SELECT "+strings.Join(t.columns, ", ")+" FROM "+t.name+" ORDER BY "+strings.Join(t.key, ", "))
	return Each(rows, err, func(row Row) error {
		if err := row.Scan(into...); err != nil {
			return err
		}
		for i, v := range values {
			if b, isBytes := v.([]byte); isBytes && b == nil {
				values[i] = []byte{} // the driver for SQLite reads no bytes so, and would write nothing for it
			}
		}
		return do(values)
	})
}

// replaceRows replaces the rows of tables by those of another database.
func replaceRows(ctx context.Context, read, write *sql.Tx, tables []table, to Location) error {
	for i := range tables {
		if _, err := write.ExecContext(ctx, "DELETE FROM "+tables[len(tables)-1-i].name); err != nil {
			return err
		}
	}
	for _, t := range tables {
		err := insertRows(ctx, read, write, t)
		if err == nil && t.counter != "" {
			err = continueCounting(ctx, write, to, t)
		}
		if err != nil {
			return fmt.Errorf("table %s: %w", t.name, err)
		}
	}
	return nil
}

func insertRows(ctx context.Context, read, write *sql.Tx, t table) (err error) {
	insert, err := write.PrepareContext(ctx, "INSERT INTO "+t.name+" ("+strings.Join(t.columns, ", ")+") VALUES ("+Parameters(1, len(t.columns))+")")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, insert.Close()) }()
	return t.each(ctx, read, func(values []any) error {
		_, err := insert.ExecContext(ctx, values...)
		return err
	})
}

// continueCounting lets the next row get a number that none had before.
func continueCounting(ctx context.Context, tx *sql.Tx, to Location, t table) error {
	last := t.counted
	var highest int64
	if err := tx.QueryRowContext(ctx, "SELECT coalesce(max("+t.counter+"), 0) FROM "+t.name).Scan(&highest); err != nil {
		return err
	}
	last = max(last, highest)
	if to.IsServer() {
		_, err := tx.ExecContext(ctx, "SELECT setval(CAST($1 AS regclass), CASE WHEN CAST($2 AS BIGINT) > 0 THEN CAST($2 AS BIGINT) ELSE 1 END, CAST($2 AS BIGINT) > 0)", sequenceOf(t), last)
		return err
	}
	if _, err := tx.ExecContext(ctx, "DELETE FROM sqlite_sequence WHERE name = $1", t.name); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, "INSERT INTO sqlite_sequence (name, seq) VALUES ($1, $2)", t.name, last)
	return err
}
