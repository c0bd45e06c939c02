package records

import (
	"io"
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
}

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
	token, err := r.j.Next()
	if err != nil {
		return nil, err
	}
	if token.Kind == jsonscan.ArrayEnd {
		return nil, r.readRest()
	}
	r.place = token.At
	clear(r.cells)
	clear(r.at)
	clear(r.isNumber)
	err = r.file.record(r.j, token, func(path string, value jsonscan.Token) error {
		at, ok := r.file.columns[path]
		switch {
		case !ok:
			return stat.BadFile(value.At, "the record has a field %q that it did not have before; the file may have changed", text.Clip(path))
		case r.at[at] != stat.Position{}:
			return stat.BadFile(value.At, "the record has two fields %q", text.Clip(path))
		}
		r.at[at], r.isNumber[at] = value.At, value.Kind == jsonscan.Number
		if value.Kind != jsonscan.Null {
			r.cells[at] = strings.TrimSpace(string(value.Text))
		}
		return nil
	})
	return r.cells, err
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

// record calls field for each single value of a record, with its name.
func (f *File) record(j *jsonscan.Scanner, record jsonscan.Token, field func(path string, value jsonscan.Token) error) error {
	if !f.isArray {
		return f.object(j, "", field)
	}
	n := 0
	return j.Array(func(value jsonscan.Token) error {
		if value.Kind == jsonscan.Object || value.Kind == jsonscan.Array {
			return stat.BadFile(value.At, "a row contains a list or an object; its cells must be single values")
		}
		if n++; n > maxFields {
			return stat.BadFile(value.At, "a row has more than %d cells", maxFields)
		}
		return field(rowKey(n), value)
	})
}

func rowKey(n int) string { return "\x00" + string(rune(n)) }

func (f *File) object(j *jsonscan.Scanner, prefix string, field func(path string, value jsonscan.Token) error) error {
	return j.Members(func(name, value jsonscan.Token) error {
		path := prefix + string(name.Text)
		switch value.Kind {
		case jsonscan.Object:
			return f.object(j, path+".", field)
		case jsonscan.Array:
			if f.Fields == nil { // the fields are being found
				f.lists = append(f.lists[:min(len(f.lists), 1)], path)
			}
			return j.SkipRest(value)
		}
		return field(path, value)
	})
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
		if err := f.record(r.j, token, found.add); err != nil {
			return err
		}
		found.isFirst = false
	}
	f.Fields = withoutPrefix(found.names)
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
