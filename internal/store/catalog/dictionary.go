package catalog

import (
	"context"
	"database/sql"
	_ "embed" // the tables
	"errors"
	"fmt"
)

//go:embed dictionary.sql
var dictionarySchema string

// Dictionary is what imports said of one source's codes, as rows; or what of it is
// new. Names of lists, structures, concepts and dimensions are in lower case.
type Dictionary struct {
	Lists      []DictionaryList
	Codes      []DictionaryCode
	Structures []DictionaryStructure
	Concepts   []DictionaryConcept
	Labels     []DictionaryLabel
}

// DictionaryList is a code list without its codes.
type DictionaryList struct {
	List, Name, Version string
	Partial, Grown      bool
}

// DictionaryCode is a code of a list.
type DictionaryCode struct {
	List, Code, Label, Version, Whole string
	Position                          int
}

// DictionaryStructure is what a dataset is made of.
type DictionaryStructure struct {
	Structure string
	Body      []byte // JSON
}

// DictionaryConcept is the label of a dimension or attribute.
type DictionaryConcept struct{ Concept, Label string }

// DictionaryLabel is the label that datasets gave to a code of a dimension.
type DictionaryLabel struct{ Dimension, Code, Label, Dataset string }

// Empty reports whether there is no row.
func (d *Dictionary) Empty() bool {
	return len(d.Lists)+len(d.Codes)+len(d.Structures)+len(d.Concepts)+len(d.Labels) == 0
}

// makeDictionary makes the tables where they are missing.
func (c *DB) makeDictionary(ctx context.Context) error {
	var there int
	err := c.db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'dictionary_label'").Scan(&there)
	if err == nil && there == 0 {
		_, err = c.db.ExecContext(ctx, dictionarySchema)
	}
	if err != nil {
		return fmt.Errorf("making the tables of dictionaries: %w", err)
	}
	return nil
}

// DictionaryRevision is the revision of a source's dictionary, 0 if it has
// none.
func (c *DB) DictionaryRevision(ctx context.Context, source string) (revision int64, err error) {
	err = c.db.QueryRowContext(ctx, "SELECT revision FROM dictionary WHERE source = ?", source).Scan(&revision)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return revision, err
}

// Dictionary returns a source's dictionary and its revision.
func (c *DB) Dictionary(ctx context.Context, source string) (d Dictionary, revision int64, err error) {
	tx, err := c.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true}) // so that the parts fit together
	if err != nil {
		return d, 0, fmt.Errorf("reading the dictionary of %s: %w", source, err)
	}
	defer tx.Rollback()
	err = tx.QueryRowContext(ctx, "SELECT revision FROM dictionary WHERE source = ?", source).Scan(&revision)
	if errors.Is(err, sql.ErrNoRows) {
		return d, 0, nil
	}
	if err == nil {
		err = d.read(ctx, tx, source)
	}
	if err != nil {
		return d, 0, fmt.Errorf("reading the dictionary of %s: %w", source, err)
	}
	return d, revision, nil
}

func (d *Dictionary) read(ctx context.Context, tx *sql.Tx, source string) (err error) {
	if d.Lists, err = rowsOf(ctx, tx, "SELECT list, name, version, partial, grown FROM dictionary_list WHERE source = ?", source,
		func(l *DictionaryList) []any { return []any{&l.List, &l.Name, &l.Version, &l.Partial, &l.Grown} }); err != nil {
		return err
	}
	if d.Codes, err = rowsOf(ctx, tx, "SELECT list, code, label, version, whole, position FROM dictionary_code WHERE source = ?", source,
		func(c *DictionaryCode) []any {
			return []any{&c.List, &c.Code, &c.Label, &c.Version, &c.Whole, &c.Position}
		}); err != nil {
		return err
	}
	if d.Structures, err = rowsOf(ctx, tx, "SELECT structure, body FROM dictionary_structure WHERE source = ?", source,
		func(s *DictionaryStructure) []any { return []any{&s.Structure, &s.Body} }); err != nil {
		return err
	}
	if d.Concepts, err = rowsOf(ctx, tx, "SELECT concept, label FROM dictionary_concept WHERE source = ?", source,
		func(c *DictionaryConcept) []any { return []any{&c.Concept, &c.Label} }); err != nil {
		return err
	}
	d.Labels, err = rowsOf(ctx, tx, "SELECT dimension, code, label, dataset FROM dictionary_label WHERE source = ?", source,
		func(l *DictionaryLabel) []any { return []any{&l.Dimension, &l.Code, &l.Label, &l.Dataset} })
	return err
}

// rowsOf reads the rows of a source; into says where the columns go.
func rowsOf[T any](ctx context.Context, tx *sql.Tx, query, source string, into func(*T) []any) ([]T, error) {
	rows, err := tx.QueryContext(ctx, query, source)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []T
	for rows.Next() {
		var one T
		if err := rows.Scan(into(&one)...); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}

// UpdateDictionary writes what is new of a source's dictionary, over rows of the
// same names. done is false, and nothing is written, where the dictionary no
// longer has the revision that was compared with.
func (c *DB) UpdateDictionary(ctx context.Context, source string, revision int64, changed *Dictionary) (done bool, err error) {
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return false, fmt.Errorf("taking the catalog's write lock: %w", err)
	}
	defer tx.Rollback()
	result, err := tx.ExecContext(ctx, `INSERT INTO dictionary VALUES (?1, ?2 + 1)
		ON CONFLICT (source) DO UPDATE SET revision = revision + 1 WHERE revision = ?2`, source, revision)
	if err != nil {
		return false, fmt.Errorf("updating the dictionary of %s: %w", source, err)
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return false, err
	}
	if err := changed.write(ctx, tx, source); err != nil {
		return false, fmt.Errorf("updating the dictionary of %s: %w", source, err)
	}
	return true, tx.Commit()
}

func (d *Dictionary) write(ctx context.Context, tx *sql.Tx, source string) error {
	put := func(query string, n int, values func(int) []any) error {
		if n == 0 {
			return nil
		}
		statement, err := tx.PrepareContext(ctx, query)
		if err != nil {
			return err
		}
		defer statement.Close()
		for i := range n {
			if _, err := statement.ExecContext(ctx, append([]any{source}, values(i)...)...); err != nil {
				return err
			}
		}
		return nil
	}
	return errors.Join(
		put("INSERT OR REPLACE INTO dictionary_list VALUES (?,?,?,?,?,?)", len(d.Lists), func(i int) []any {
			l := d.Lists[i]
			return []any{l.List, l.Name, l.Version, l.Partial, l.Grown}
		}),
		put("INSERT OR REPLACE INTO dictionary_code VALUES (?,?,?,?,?,?,?)", len(d.Codes), func(i int) []any {
			c := d.Codes[i]
			return []any{c.List, c.Code, c.Label, c.Version, c.Whole, c.Position}
		}),
		put("INSERT OR REPLACE INTO dictionary_structure VALUES (?,?,?)", len(d.Structures), func(i int) []any {
			return []any{d.Structures[i].Structure, d.Structures[i].Body}
		}),
		put("INSERT OR REPLACE INTO dictionary_concept VALUES (?,?,?)", len(d.Concepts), func(i int) []any {
			return []any{d.Concepts[i].Concept, d.Concepts[i].Label}
		}),
		put("INSERT OR REPLACE INTO dictionary_label VALUES (?,?,?,?,?)", len(d.Labels), func(i int) []any {
			l := d.Labels[i]
			return []any{l.Dimension, l.Code, l.Label, l.Dataset}
		}),
	)
}
