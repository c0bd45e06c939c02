package catalog

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"almanac/internal/database"
	"almanac/internal/stat"
)

// Dictionary holds the rows of one source's dictionary, or of an update to it.
// Names of lists, structures, concepts and dimensions are in lower case.
type Dictionary struct {
	Lists      []DictionaryList
	Codes      []DictionaryCode
	Structures []DictionaryStructure
	Concepts   []DictionaryConcept
	Labels     []DictionaryLabel

	Languages    []DictionaryLanguage
	Translations []DictionaryTranslation
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
	Parents                           string // one a line
}

// DictionaryStructure is the structure of a dataset.
type DictionaryStructure struct {
	Structure string
	Body      []byte // JSON
}

// DictionaryConcept is the label of a dimension or attribute.
type DictionaryConcept struct{ Concept, Label string }

// DictionaryLabel is the label of a code in data files.
type DictionaryLabel struct{ Dimension, Code, Label, Dataset string }

// DictionaryLanguage is the language of most labels of a list.
type DictionaryLanguage struct{ List, Language string }

// DictionaryTranslation is the label of a code of a list, or of a concept if List is empty,
// in another language.
type DictionaryTranslation struct{ List, Code, Language, Label string }

// IsEmpty reports whether there are no rows.
func (d *Dictionary) IsEmpty() bool {
	return len(d.Lists)+len(d.Codes)+len(d.Structures)+len(d.Concepts)+len(d.Labels)+len(d.Languages)+len(d.Translations) == 0
}

// DictionaryRevision returns the revision of a source's dictionary, 0 if it has
// none.
func (r reader) DictionaryRevision(ctx context.Context, source string) (revision int64, err error) {
	err = r.q.QueryRowContext(ctx, "SELECT coalesce(max(revision), 0) FROM dictionary WHERE source = $1", source).Scan(&revision)
	return revision, stat.Wrap(err, "reading the dictionary of %s", source)
}

// Dictionary returns a source's dictionary and its revision.
func (c *DB) Dictionary(ctx context.Context, source string) (d Dictionary, revision int64, err error) {
	tx, err := c.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true}) // for a consistent state
	if err != nil {
		return d, 0, fmt.Errorf("reading the dictionary of %s: %w", source, err)
	}
	defer tx.Rollback()
	if revision, err = (reader{tx}).DictionaryRevision(ctx, source); err != nil {
		return d, 0, err
	}
	for _, t := range d.tables() {
		if err == nil {
			var rows *sql.Rows
			rows, err = tx.QueryContext(ctx, "SELECT "+t.columns()+" FROM "+t.name+" WHERE source = $1", source)
			err = database.Each(rows, err, func(row database.Row) error { return row.Scan(t.add()...) })
		}
	}
	return d, revision, stat.Wrap(err, "reading the dictionary of %s", source)
}

// UpdateDictionary adds or replaces rows of a source's dictionary. If the
// dictionary no longer has the given revision, it writes nothing and done is
// false.
func (c *DB) UpdateDictionary(ctx context.Context, source string, revision int64, changed *Dictionary) (done bool, err error) {
	err = c.ChangeQuietly(ctx, func(ch *Change) error {
		result, err := ch.tx.ExecContext(ctx, `INSERT INTO dictionary VALUES ($1, $2)
			ON CONFLICT (source) DO UPDATE SET revision = $2 WHERE dictionary.revision = $3`, source, revision+1, revision)
		if err != nil {
			return err
		}
		rows, err := result.RowsAffected()
		if done = rows > 0; err != nil || !done {
			return err
		}
		for _, t := range changed.tables() {
			if err := t.write(ctx, ch.tx, source); err != nil {
				return err
			}
		}
		return nil
	})
	return done && err == nil, stat.Wrap(err, "updating the dictionary of %s", source)
}

// dictionaryTable is a table of the dictionary with its rows.
type dictionaryTable struct {
	name   string
	key    string          // columns that identify a row together with source
	others string          // the other columns
	count  func() int      // number of rows
	row    func(int) []any // pointers to the fields of a row
	add    func() []any    // appends a row and returns pointers to its fields
}

func (d *Dictionary) tables() []dictionaryTable {
	return []dictionaryTable{
		tableOf("dictionary_list", "list", "name, version, partial, grown", &d.Lists, func(l *DictionaryList) []any {
			return []any{&l.List, &l.Name, &l.Version, &l.Partial, &l.Grown}
		}),
		tableOf("dictionary_code", "list, code", "label, version, whole, position, parents", &d.Codes, func(c *DictionaryCode) []any {
			return []any{&c.List, &c.Code, &c.Label, &c.Version, &c.Whole, &c.Position, &c.Parents}
		}),
		tableOf("dictionary_structure", "structure", "body", &d.Structures, func(s *DictionaryStructure) []any {
			return []any{&s.Structure, &s.Body}
		}),
		tableOf("dictionary_concept", "concept", "label", &d.Concepts, func(c *DictionaryConcept) []any {
			return []any{&c.Concept, &c.Label}
		}),
		tableOf("dictionary_label", "dimension, code", "label, dataset", &d.Labels, func(l *DictionaryLabel) []any {
			return []any{&l.Dimension, &l.Code, &l.Label, &l.Dataset}
		}),
		tableOf("dictionary_language", "list", "language", &d.Languages, func(l *DictionaryLanguage) []any {
			return []any{&l.List, &l.Language}
		}),
		tableOf("dictionary_translation", "list, code, language", "label", &d.Translations, func(t *DictionaryTranslation) []any {
			return []any{&t.List, &t.Code, &t.Language, &t.Label}
		}),
	}
}

func tableOf[T any](name, key, others string, rows *[]T, fields func(*T) []any) dictionaryTable {
	return dictionaryTable{
		name: name, key: key, others: others,
		count: func() int { return len(*rows) },
		row:   func(i int) []any { return fields(&(*rows)[i]) },
		add: func() []any {
			*rows = append(*rows, *new(T))
			return fields(&(*rows)[len(*rows)-1])
		},
	}
}

// columns returns the columns in the order of the fields of a row.
func (t *dictionaryTable) columns() string { return t.key + ", " + t.others }

func (t *dictionaryTable) write(ctx context.Context, tx *sql.Tx, source string) error {
	n := t.count()
	if n == 0 {
		return nil
	}
	columns := strings.Split("source, "+t.columns(), ", ")
	var set []string
	for _, other := range strings.Split(t.others, ", ") {
		set = append(set, other+" = excluded."+other)
	}
	statement, err := tx.PrepareContext(ctx, "INSERT INTO "+t.name+" ("+strings.Join(columns, ", ")+") VALUES ("+database.Parameters(1, len(columns))+
		") ON CONFLICT (source, "+t.key+") DO UPDATE SET "+strings.Join(set, ", "))
	if err != nil {
		return err
	}
	defer statement.Close()
	for i := range n {
		if _, err := statement.ExecContext(ctx, append([]any{source}, t.row(i)...)...); err != nil {
			return err
		}
	}
	return nil
}
