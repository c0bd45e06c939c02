package jsonscan

import (
	"fmt"
	"strconv"
	"strings"

	"almanac/internal/stat"
)

// Items reads the items of an array. It gets the first token of each and reads the
// rest of it.
type Items func(item Token) error

// Members reads the fields of an object. It gets the name of each and the first token
// of its value, and reads the rest of it.
type Members func(name string, value Token) error

// Reader reads a value by its first token.
type Reader func(j *Scanner, value Token) error

// Decode reads an object, which begins with a token, into fields by their names: a
// *string gets the text of the value, a *int its whole number if it is one, a
// *map[string]string its texts; a map[string]any decodes an object within; [Items],
// [Members], [Reader] and a func(Token) error read the value themselves. Other fields,
// and values of another kind, are skipped. It panics for a field of any other Go type:
// its values would be lost without an error.
func (j *Scanner) Decode(object Token, fields map[string]any) error {
	if object.Kind != Object {
		return j.SkipRest(object)
	}
	return j.Object(func(name string, value Token) (err error) {
		switch field := fields[name].(type) {
		case *string:
			*field, err = j.TextOf(value)
			return err
		case *int:
			text, err := j.TextOf(value)
			if n, bad := strconv.Atoi(text); bad == nil {
				*field = n
			}
			return err
		case *map[string]string:
			*field, err = j.Texts(value)
			return err
		case func(Token) error:
			return field(value)
		case Reader:
			return field(j, value)
		case Items:
			if value.Kind == Array {
				return j.Array(field)
			}
		case Members:
			if value.Kind == Object {
				return j.Object(field)
			}
		case map[string]any:
			return j.Decode(value, field)
		case nil:
		default:
			panic(fmt.Sprintf("jsonscan: the field %q cannot be read into %T", name, field))
		}
		return j.SkipRest(value)
	})
}

// NoteUnknownField is the kind of note for fields that a format does not know.
const NoteUnknownField = "unknown-field"

// Columns are the fields of records: the cell of each by its path. A field with a cell
// below 0 is not kept.
type Columns map[string]int

// Read reads the rest of an object as a record (see [Scanner.Record]) into cells, and
// where each value begins into at: zero if the record lacks the field. The cell of null
// is empty. Equal texts of consecutive records share memory. The report gets a note of
// fields that are not among the columns.
func (c Columns) Read(j *Scanner, cells []string, at []stat.Position, report *stat.Report) error {
	clear(at)
	err := j.Record(func(path []byte, value Token) error {
		cell, isKnown := c[string(path)]
		switch {
		case !isKnown:
			report.Add(NoteUnknownField, 1, string(path))
			return nil
		case cell < 0:
			return nil
		case at[cell] != stat.Position{}:
			return stat.BadFile(value.At, "the record has two fields %q", path)
		case value.Kind == Null:
			value.Text = nil
		}
		at[cell] = value.At
		if cells[cell] != string(value.Text) {
			cells[cell] = strings.TrimSpace(string(value.Text))
		}
		return nil
	})
	for i := range at {
		if at[i] == (stat.Position{}) {
			cells[i] = ""
		}
	}
	return err
}
