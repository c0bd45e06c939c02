package records

import (
	"errors"
	"io"
	"slices"
	"strings"

	"almanac/internal/format/jsonscan"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// Rows are the records of a file, after a row with the names of their fields.
type Rows struct {
	file     *File
	closer   io.Closer
	j        *jsonscan.Scanner
	cells    []string
	isNumber []bool // for each cell
	at       []stat.Position
	place    stat.Position // of the record
	names    bool          // the names have been read
	isEnd    bool
	outer    []value   // of the current record, without those of the records within
	rows     [][]value // of the current record that are to come
	list     string    // the list of the current record of which more rows follow these
	isLong   bool      // rows of the current record were returned before its end
}

// maxHeld is how many rows of one record are held until its end is read.
const maxHeld = 100_000

// errHeld ends the reading of a record for the time being.
var errHeld = errors.New("there are rows to return")

// Rows opens the rows at their beginning.
func (f *File) Rows() (*Rows, error) {
	file, err := f.open()
	if err != nil {
		return nil, err
	}
	r := &Rows{file: f, closer: file, j: jsonscan.New(file), cells: make([]string, len(f.Fields)), isNumber: make([]bool, len(f.Fields)), at: make([]stat.Position, len(f.Fields))}
	r.place = stat.Position{Line: 1, Column: 1}
	if err := r.enter(); err != nil {
		file.Close()
		return nil, err
	}
	return r, nil
}

// enter reads up to the first record.
func (r *Rows) enter() error {
	token, err := r.j.Next()
	for _, name := range r.file.path {
		for err == nil {
			if token, err = r.j.Next(); err != nil || string(token.Text) == name {
				break
			}
			err = r.j.Skip()
		}
		if err == nil {
			token, err = r.j.Next()
		}
	}
	if err == nil && token.Kind != jsonscan.Array {
		err = stat.BadFile(token.At, "the list of records is not where it was before; the file may have changed")
	}
	return err
}

// At returns where a value begins in the text.
func (r *Rows) At(cell int) stat.Position {
	at := r.place
	if cell >= 0 && cell < len(r.at) && r.at[cell] != (stat.Position{}) {
		at = r.at[cell]
	}
	if r.file.isLines && at.Column > 1 {
		at.Column-- // see lineArray
	}
	return at
}

// IsNumber reports whether a cell of the last row is a number, not a text.
func (r *Rows) IsNumber(cell int) bool { return cell < len(r.isNumber) && r.isNumber[cell] }

// Close closes the file.
func (r *Rows) Close() error { return r.closer.Close() }

// Next returns the next row.
func (r *Rows) Next() ([]string, error) {
	if !r.names {
		r.names = true
		if r.file.hasHeadings {
			if err := r.j.Skip(); err != nil {
				return nil, err
			}
		}
		return r.file.Fields, nil
	}
	if r.isEnd {
		return nil, io.EOF
	}
	for len(r.rows) == 0 {
		if r.list != "" {
			if err := r.readOn(); err != nil {
				return nil, err
			}
			continue
		}
		token, err := r.j.Next()
		if err != nil {
			return nil, err
		}
		if token.Kind == jsonscan.ArrayEnd {
			return nil, r.readRest()
		}
		if err := r.readRecord(token); err != nil {
			return nil, err
		}
	}
	clear(r.cells)
	clear(r.at)
	clear(r.isNumber)
	for _, v := range slices.Concat(r.outer, r.rows[0]) {
		if r.at[v.column] != (stat.Position{}) {
			return nil, stat.BadFile(v.at, "the record has two fields %q", text.Clip(r.file.Fields[v.column]))
		}
		r.cells[v.column], r.at[v.column], r.isNumber[v.column] = v.text, v.at, v.isNumber
	}
	r.rows = r.rows[1:]
	return r.cells, nil
}

// value is a value of a record.
type value struct {
	column   int
	text     string
	at       stat.Position
	isNumber bool
}

// readRecord reads a record, which is one row, or the rows of its records within.
func (r *Rows) readRecord(token jsonscan.Token) error {
	r.place, r.outer, r.rows, r.isLong = token.At, r.outer[:0], r.rows[:0], false
	return r.readRows(func(v visitor) error { return r.file.record(r.j, token, v) })
}

// readOn reads the rows that follow in a list of the current record, and the rest of it.
func (r *Rows) readOn() error {
	list := r.list
	r.list, r.isLong = "", true
	return r.readRows(func(v visitor) error {
		err := r.file.innerList(r.j, list, v)
		if err == nil {
			err = r.file.object(r.j, "", v)
		}
		return err
	})
}

// readRows reads the rows of a record up to its end, or until enough are held.
func (r *Rows) readRows(read func(visitor) error) error {
	into, hasInner := &r.outer, false
	err := read(visitor{
		field: func(path string, v jsonscan.Token) error {
			at, ok := r.file.columns[path]
			switch {
			case r.isLong && into == &r.outer:
				return stat.BadFile(v.At, "the record has the field %q after a list of more than %d records: put it before the list", text.Clip(path), maxHeld)
			case !ok:
				return stat.BadFile(v.At, "the record has a field %q that it did not have before; the file may have changed", text.Clip(path))
			}
			content := ""
			if v.Kind != jsonscan.Null {
				content = strings.TrimSpace(string(v.Text))
			}
			*into = append(*into, value{at, content, v.At, v.Kind == jsonscan.Number})
			return nil
		},
		list: func() { hasInner = true },
		begin: func() {
			r.rows = append(r.rows, nil)
			into = &r.rows[len(r.rows)-1]
		},
		end: func(list string) error {
			into = &r.outer
			if len(r.rows) <= maxHeld {
				return nil
			}
			r.list = list
			return errHeld
		},
	})
	if err == errHeld {
		return nil
	}
	if !hasInner {
		r.rows = append(r.rows, nil)
	}
	return err
}

// readRest reads what follows the records, which must be valid.
func (r *Rows) readRest() error {
	for {
		token, err := r.j.Next()
		if err != nil {
			return err
		}
		if token.Kind == jsonscan.End {
			r.isEnd = true
			return io.EOF
		}
	}
}

// visitor is called for what a record holds.
type visitor struct {
	field func(path string, value jsonscan.Token) error // a single value, with its name
	list  func()                                        // a list of records within the record has ended; it may be empty
	begin func()                                        // one of these begins
	end   func(list string) error                       // it ends
}

// record visits the values of a record.
func (f *File) record(j *jsonscan.Scanner, record jsonscan.Token, v visitor) error {
	if !f.isArray {
		return f.object(j, "", v)
	}
	n := 0
	return j.Array(func(value jsonscan.Token) error {
		if value.Kind == jsonscan.Object || value.Kind == jsonscan.Array {
			return stat.BadFile(value.At, "a row contains a list or an object; its cells must be single values")
		}
		if n++; n > maxFields {
			return stat.BadFile(value.At, "a row has more than %d cells", maxFields)
		}
		return v.field(rowKey(n), value)
	})
}

func rowKey(n int) string { return "\x00" + string(rune(n)) }

func (f *File) object(j *jsonscan.Scanner, prefix string, v visitor) error {
	return j.Members(func(name, value jsonscan.Token) error {
		path := prefix + string(name.Text)
		switch value.Kind {
		case jsonscan.Object:
			return f.object(j, path+".", v)
		case jsonscan.Array:
			if prefix == "" && slices.Contains(innerNames, strings.ToLower(path)) {
				return f.innerList(j, path, v)
			}
			if strings.HasSuffix(path, footnotes) {
				return f.footnotes(j, path, v)
			}
			if path == flags {
				return f.flags(j, path, v, value)
			}
			f.noteList(path)
			return j.SkipRest(value)
		}
		return v.field(path, value)
	})
}

// innerNames are what lists of records within records are called.
var innerNames = []string{"data", "values", "observations", "obs"}

// innerList visits the records in a list within a record. Other lists are not read.
func (f *File) innerList(j *jsonscan.Scanner, path string, v visitor) error {
	isOfRecords := true
	err := j.Array(func(item jsonscan.Token) error {
		if item.Kind != jsonscan.Object {
			isOfRecords = false
			f.noteList(path)
			return j.SkipRest(item)
		}
		v.begin()
		if err := f.object(j, path+".", v); err != nil {
			return err
		}
		return v.end(path)
	})
	if isOfRecords {
		v.list()
	}
	return err
}

// noteList notes a list that is not read.
func (f *File) noteList(path string) {
	if f.Fields == nil { // the fields are being found
		f.lists = append(f.lists[:min(len(f.lists), 1)], path)
	}
}

// readFields finds the fields of all records. Fields stays nil until they are known.
func (f *File) readFields() error {
	r, err := f.Rows()
	if err != nil {
		return err
	}
	defer r.Close()
	found := &fieldList{file: f, isFirst: f.names == nil}
	for i, name := range f.names {
		f.columns[rowKey(i+1)] = i
		found.names = append(found.names, strings.TrimSpace(name))
	}
	for {
		token, err := r.j.Next()
		if err != nil {
			return err
		}
		if token.Kind == jsonscan.ArrayEnd {
			break
		}
		if err := f.record(r.j, token, visitor{found.add, func() { f.hasInner = true }, func() {}, func(string) error { return nil }}); err != nil {
			return err
		}
		found.isFirst = false
	}
	f.Fields = withoutList(withoutPrefix(found.names))
	f.hasHeadings = f.isArray && f.names == nil
	if headings := found.first.headings(len(found.names)); headings != nil && !f.isArray {
		f.Fields, f.hasHeadings = headings, true
	}
	return nil
}

// fieldList are the fields of the records that were read.
type fieldList struct {
	file    *File
	names   []string
	first   firstRecord
	isFirst bool // the first record is being read
}

func (l *fieldList) add(path string, value jsonscan.Token) error {
	if at, ok := l.file.columns[path]; ok {
		l.first.see(at, value, false)
		return nil
	}
	if len(l.names) == maxFields || l.file.isArray && !l.isFirst {
		return stat.BadFile(value.At, "the record has more fields than the names above it, or than %d", maxFields)
	}
	l.file.columns[path] = len(l.names)
	l.first.see(len(l.names), value, l.isFirst)
	if l.file.isArray {
		path = string(value.Text)
	}
	l.names = append(l.names, strings.TrimSpace(path))
	return nil
}

// withoutList cuts the name of the list of inner records from the names of their fields,
// unless another field has the rest of the name.
func withoutList(fields []string) []string {
	for i, field := range fields {
		list, name, isWithin := strings.Cut(field, ".")
		if isWithin && slices.Contains(innerNames, strings.ToLower(list)) && !slices.Contains(fields, name) {
			fields[i] = name
		}
	}
	return fields
}

// withoutPrefix cuts the name of an object that holds all fields of the records.
func withoutPrefix(fields []string) []string {
	if len(fields) == 0 {
		return []string{}
	}
	prefix, _, found := strings.Cut(fields[0], ".")
	for _, f := range fields {
		found = found && strings.HasPrefix(f, prefix+".")
	}
	if !found {
		return fields
	}
	for i, f := range fields {
		fields[i] = f[len(prefix)+1:]
	}
	return fields
}

// NotRead returns a field that is a list in some record; empty if there is none.
func (f *File) NotRead() string {
	if len(f.lists) == 0 {
		return ""
	}
	return f.lists[0]
}
