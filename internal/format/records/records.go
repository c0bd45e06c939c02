// Package records reads JSON that is a list of records as the rows of a table:
//
//	[{"data":"01/01/2020","valor":"1.23"}, …]              a list of objects
//	{"total":2,"data":[{"geo":"DE","value":1}, …]}         below a name, with other fields beside it
//	{"geo":"DE","value":1}                                 an object on each line
//	[["NAME","POP"],["Alabama",4903185], …]                a list of rows, the first with the names
//	{"columns":["NAME","POP"],"data":[["Alabama",4903185], …]}   likewise, with the names beside it
//
//	[{"id":"A","data":[{"year":2020,"value":1}, …]}, …]    records within records, with the outer fields
//
// The first row holds the names of the fields. A field of an object within a record has
// the name of both: {"country":{"id":"DE"}} is the field country.id. The place of a cell
// is that of its value in the text.
package records

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/jsonscan"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// Limits of files.
const (
	maxFields = 4096
	maxDepth  = 4   // of the names that lead to the records
	maxLists  = 100 // lists of which one may hold the records
)

// File is a file of records.
type File struct {
	// Fields are the names of the fields, in the order in which they occur.
	Fields []string
	// Partial says why the records are not all, by what the file says; else it is empty.
	Partial string

	open        func() (io.ReadCloser, error)
	isLines     bool
	path        []string       // the names that lead to the records
	columns     map[string]int // by the path of a field
	isArray     bool           // records are lists
	names       []string       // of their items, if they stand beside the list
	hasHeadings bool           // the first record holds the names of the fields
	hasInner    bool           // records hold others
	lists       []string       // fields that are lists, which are not read
}

// Recognise reports whether the first bytes of a file are those of records.
func Recognise(head []byte) bool {
	if isLines(head) {
		return true
	}
	start := text.Start(head)
	if len(start) == 0 || start[0] != '{' && start[0] != '[' {
		return false
	}
	s := &survey{j: jsonscan.New(bytes.NewReader(start))}
	first, err := s.j.Next()
	if err == nil {
		_ = s.value(nil, first) // the head may be cut off
	}
	return slices.ContainsFunc(s.lists, func(l *list) bool { return l.rank() < len(names) })
}

// isLines reports whether a file has an object on each of its first lines. Almanac's own file may have
// a single line.
func isLines(head []byte) bool {
	line, rest, found := bytes.Cut(text.Start(head), []byte("\n"))
	rest = bytes.TrimSpace(rest)
	isOwn := len(rest) == 0 && bytes.HasPrefix(line, []byte(`{"dataset":"`))
	return found && len(line) > 2 && line[0] == '{' && (isOwn || len(rest) > 0 && rest[0] == '{') && json.Valid(line)
}

// Open reads a whole file to find its records and their fields.
func Open(in format.Input, report *stat.Report) (*File, error) {
	f := &File{columns: map[string]int{}}
	head, err := headOf(in)
	if err != nil {
		return nil, err
	}
	f.isLines = isLines(head)
	f.open = func() (io.ReadCloser, error) {
		file, err := text.Open(in.Again, in.Encoding, report)
		report = &stat.Report{} // the encoding is noted once
		if err != nil || !f.isLines {
			return file, err
		}
		return struct {
			io.Reader
			io.Closer
		}{&lineArray{from: file}, file}, nil
	}
	if err := f.find(); err != nil {
		return nil, err
	}
	if err := f.readFields(); err != nil {
		return nil, err
	}
	return f, nil
}

// IsNested reports whether the records are within others, or hold others.
func (f *File) IsNested() bool { return len(f.path) > 0 || f.hasInner }

func headOf(in format.Input) ([]byte, error) {
	file, err := in.Again()
	if err != nil {
		return nil, err
	}
	defer file.Close()
	head := make([]byte, 64<<10)
	n, err := io.ReadFull(file, head)
	if err == io.ErrUnexpectedEOF || err == io.EOF {
		err = nil
	}
	return head[:n], err
}

// find finds the list of records.
func (f *File) find() error {
	file, err := f.open()
	if err != nil {
		return err
	}
	defer file.Close()
	s := &survey{j: jsonscan.New(file)}
	first, err := s.j.Next()
	if err == nil {
		err = s.value(nil, first)
	}
	if err == nil {
		_, err = s.j.Next() // nothing may follow
	}
	if err != nil {
		return err
	}
	l, err := s.choose()
	if err != nil {
		return err
	}
	f.path, f.isArray, f.names, f.Partial = l.path, l.isArray, l.names, l.partial()
	if f.isArray && f.names == nil && !l.hasHead {
		return stat.BadFile(stat.Position{Line: 1}, "the records are lists of %d values, and nothing names these: neither the first list nor a list of names beside it", l.width)
	}
	return nil
}

// list is a list that may hold the records.
type list struct {
	path    []string
	isArray bool
	width   int      // items of the first record, if it is a list
	hasHead bool     // these are texts
	names   []string // a list of texts of this width beside the list
	size    int
	total   int    // how many records there are, by a field beside the list
	next    string // the name of a field with the address of the next page
}

// partial says why a list does not hold all records.
func (l *list) partial() string {
	switch {
	case l.total > l.size:
		return fmt.Sprintf("%d of %d records", l.size, l.total)
	case l.next != "":
		return fmt.Sprintf("%d records, and %q names a further page", l.size, l.next)
	}
	return ""
}

// survey finds the lists of records in a file.
type survey struct {
	j     *jsonscan.Scanner
	lists []*list
	texts []texts // the names of fields, perhaps
}

// texts is a list of texts.
type texts struct {
	path  []string
	items []string
}

func (s *survey) value(path []string, value jsonscan.Token) error {
	switch value.Kind {
	case jsonscan.Array:
		return s.array(path)
	case jsonscan.Object:
		if len(path) == maxDepth {
			return s.j.SkipRest(value)
		}
		return s.object(path)
	}
	return nil
}

func (s *survey) object(path []string) error {
	before, total, next := len(s.lists), 0, ""
	err := s.j.Members(func(name, value jsonscan.Token) error {
		key := string(name.Text)
		switch word := strings.ToLower(strings.Trim(key, "@_")); {
		case slices.Contains([]string{"total", "count", "totalcount", "total_count", "odata.count", "recordstotal", "total_rows", "totalrows"}, word):
			if n, err := strconv.Atoi(string(value.Text)); err == nil {
				total = max(total, n)
			}
		case slices.Contains([]string{"next", "nextlink", "odata.nextlink", "next_page", "nextpage", "next_page_url"}, word):
			if value.Kind == jsonscan.String && len(value.Text) > 0 {
				next = key
			}
		}
		return s.value(append(slices.Clone(path), key), value)
	})
	for _, l := range s.lists[before:] {
		isNames := func(t texts) bool { return len(t.items) == l.width && isBeside(t.path, l.path) }
		if at := slices.IndexFunc(s.texts, isNames); at >= 0 && len(l.path) == len(path)+1 {
			l.names = s.texts[at].items
		}
		l.total, l.next = max(l.total, total), l.next+next
	}
	return err
}

// array reads a list. It is one of records if all its items are objects, or lists of
// single values.
func (s *survey) array(path []string) error {
	l := &list{path: path}
	isFit, objects, items := true, 0, []string(nil)
	err := s.j.Array(func(item jsonscan.Token) error {
		l.size++
		switch item.Kind {
		case jsonscan.Object:
			objects++
		case jsonscan.Array:
			l.isArray = true
		default:
			isFit = false
			if item.Kind == jsonscan.String && len(items) == l.size-1 && l.size <= maxFields {
				items = append(items, string(item.Text))
			}
		}
		if l.size == 1 && isFit && len(s.lists) < maxLists {
			s.lists = append(s.lists, l) // the head of a file may end here
		}
		if l.isArray && l.size == 1 {
			return s.firstRow(l)
		}
		return s.j.SkipRest(item)
	})
	isNames := len(path) > 0 && slices.Contains(namesOfFields, strings.ToLower(path[len(path)-1]))
	if isNames && len(items) == l.size && len(s.texts) < maxLists {
		s.texts = append(s.texts, texts{path, items})
	}
	if !isFit || l.isArray && (objects > 0 || l.size < 2) {
		s.lists = slices.DeleteFunc(s.lists, func(o *list) bool { return o == l })
	}
	return err
}

// firstRow reads the first record of a list of lists.
func (s *survey) firstRow(l *list) error {
	l.hasHead = true
	return s.j.Array(func(value jsonscan.Token) error {
		l.width++
		l.hasHead = l.hasHead && value.Kind == jsonscan.String
		return s.j.SkipRest(value)
	})
}

// isBeside reports whether two lists are in one object.
func isBeside(a, b []string) bool {
	return len(a) == len(b) && len(a) > 0 && slices.Equal(a[:len(a)-1], b[:len(b)-1])
}

// namesOfFields are what lists of the names of fields are called.
var namesOfFields = []string{"columns", "column_names", "columnnames", "fields", "header", "headers", "headings"}

// names are what lists of records are called, the most telling first.
var names = []string{"data", "value", "values", "observations", "results", "result", "records", "rows", "items", "series"}

// rank returns how telling the name of a list is; 0 is most.
func (l *list) rank() int {
	if len(l.path) == 0 {
		return 0
	}
	if n := slices.Index(names, strings.ToLower(l.path[len(l.path)-1])); n >= 0 {
		return n
	}
	return len(names)
}

// choose returns the list of records: the only one, or else the only one with the most
// telling name.
func (s *survey) choose() (*list, error) {
	if len(s.lists) == 0 {
		return nil, stat.BadFile(stat.Position{Line: 1}, "the file has no list of records")
	}
	slices.SortStableFunc(s.lists, func(a, b *list) int { return a.rank() - b.rank() })
	if len(s.lists) > 1 && s.lists[0].rank() == s.lists[1].rank() {
		var all []string
		for _, l := range s.lists[:min(len(s.lists), 5)] {
			all = append(all, strings.Join(l.path, "."))
		}
		return nil, stat.BadFile(stat.Position{Line: 1}, "the file has several lists of records (%s), and nothing says which of them holds the data; "+
			"import a file with one of them, or the table in another format, such as CSV", strings.Join(all, ", "))
	}
	return s.lists[0], nil
}

// lineArray makes an array of the values on the lines of a text. Its brackets and commas
// move the columns of a line by one.
type lineArray struct {
	from               io.Reader
	out                []byte
	hasBegun, hasEnded bool
	isBetween          bool // a comma is needed before the next value
}

func (l *lineArray) Read(p []byte) (int, error) {
	for len(l.out) == 0 {
		if l.hasEnded {
			return 0, io.EOF
		}
		buffer := make([]byte, 32<<10)
		n, err := l.from.Read(buffer)
		if !l.hasBegun {
			l.out, l.hasBegun = append(l.out, '['), true
		}
		for _, c := range buffer[:n] {
			switch {
			case c == '\n':
				l.isBetween = true
			case l.isBetween && c != ' ' && c != '\r' && c != '\t':
				l.out, l.isBetween = append(l.out, ','), false
			}
			l.out = append(l.out, c)
		}
		if err == io.EOF {
			l.out, l.hasEnded = append(l.out, ']'), true
		} else if err != nil {
			return 0, err
		}
	}
	n := copy(p, l.out)
	l.out = l.out[n:]
	return n, nil
}
