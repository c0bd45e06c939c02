// Package nested reads JSON and XML that nest records in one another as the rows of a table:
//
//	[{"id":"93","resultados":[{"series":[{"localidade":{"id":"35"},"serie":{"2025":"46"}}]}]}]
//	{"RESULTSET":[{"SERIES_CODE":"A","VALUES":{"DATES":[20250101,20250102],"VALUES":[null,157]}}]}
//	<ValCurs Date="17.03.2021"><Valute ID="R01"><CharCode>AUD</CharCode><Value>56,36</Value></Valute></ValCurs>
//
// A row is an innermost record: one of a list, a field of an object whose names are periods,
// or the values of lists of one length at one place. It has the fields of all records around
// it. A field is called by the last words of its path that no other field has. If an object
// has several lists, the one with most values holds the rows, and the others are not read.
package nested

import (
	"bufio"
	"bytes"
	"io"
	"maps"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/jsonscan"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// File is a file of nested records.
type File struct {
	// Fields are the names of the fields, in the order in which they occur.
	Fields []string
	// NotRead is the path of a list beside that of the rows; empty if there is none.
	NotRead string
	// IsAnswer says that the file is an answer of a server whose parts are known.
	IsAnswer bool
	// Partial is the page that the file is of several; empty if it is the only one.
	Partial string

	hasList bool
	several string         // lists of records with the same fields
	cells   int            // of all rows
	paths   []string       // of the fields
	at      map[string]int // by path
	rows    [][]cell
}

// cell is a value of a row.
type cell struct {
	path string
	text string
	at   stat.Position
}

// RecogniseJSON reports whether the first bytes of a file are JSON with a list of objects.
func RecogniseJSON(head []byte) bool {
	start := text.Start(head)
	if len(start) == 0 || start[0] != '{' && start[0] != '[' {
		return false
	}
	j := jsonscan.New(bytes.NewReader(start))
	for before := jsonscan.End; ; {
		token, err := j.Next() // the head may be cut off
		if err != nil || token.Kind == jsonscan.End || before == jsonscan.Array && token.Kind == jsonscan.Object {
			return err == nil && token.Kind == jsonscan.Object
		}
		before = token.Kind
	}
}

// RecogniseXML reports whether the first bytes of a file are those of an element. Schemas,
// which archives have beside the data, describe elements and have no values.
func RecogniseXML(head []byte) bool {
	name, _ := text.FirstElement(head)
	return name != "" && name != "schema"
}

// Open reads a whole file. Its values are kept in memory.
func Open(in format.Input, report *stat.Report) (*File, error) {
	file, err := text.Open(in.Again, in.Encoding, report)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	content := bufio.NewReader(file)
	head, err := content.Peek(512) // fewer at the end
	if err != nil && err != io.EOF {
		return nil, err
	}
	read := readJSON
	if bytes.HasPrefix(bytes.TrimSpace(head), []byte("<")) {
		read = readXML
	}
	root, err := read(content)
	if err != nil {
		return nil, err
	}
	f := &File{at: map[string]int{}}
	f.Partial = pageOf(root)
	root, f.IsAnswer = arrange(root)
	if f.expand(root, "", nil); f.cells > maxCells {
		return nil, stat.BadFile(stat.Position{Line: 1}, "the file has too many records within one another: ask for fewer, or for another format")
	}
	switch {
	case f.several != "":
		return nil, stat.BadFile(stat.Position{Line: 1}, "the file has several lists of records of one kind (%s); import a file with one of them", f.several)
	case !f.hasList:
		return nil, stat.BadFile(stat.Position{Line: 1}, "the file has no list of records, only the fields %s", describe(root))
	}
	f.setFields()
	return f, nil
}

// pageOf returns the page that a file says it is of several.
func pageOf(root *node) string {
	for root.kind == object && len(root.values) == 1 {
		root = root.values[0]
	}
	for _, names := range [][2]string{{"page", "pages"}, {"pageNumber", "totalPages"}} {
		if pages := root.find(names[1]).single(); root.find(names[0]) != nil && pages != "" && pages != "0" && pages != "1" {
			return "page " + root.find(names[0]).single() + " of " + pages
		}
	}
	return ""
}

// describe returns the first names of a tree.
func describe(n *node) string {
	var names []string
	for _, v := range n.values[:min(len(n.values), 5)] {
		names = append(names, v.name)
	}
	return strings.Join(names, ", ")
}

// list is a list within an object, from which rows come.
type list struct {
	path   string
	parts  []*node // one list of records or of periods, or lists of one length
	leaves int
}

// expand adds the rows of a value with the cells of the records around it.
func (f *File) expand(n *node, path string, around []cell) {
	switch {
	case n.kind == array:
		f.hasList = true
		for _, item := range n.values {
			f.expand(item, path, around)
		}
		return
	case n.kind != object:
		f.addRow(append(around, cell{join(path, "value"), n.text, n.at}))
		return
	}
	cells, lists := f.contents(n, path, slices.Clip(around))
	if len(lists) == 0 {
		f.addRow(cells)
		return
	}
	f.hasList = true
	best := slices.MaxFunc(lists, func(a, b list) int { return a.leaves - b.leaves })
	for _, l := range lists {
		switch one := l.parts[0]; {
		case l.path == best.path:
		case one.kind == best.parts[0].kind && slices.Equal(one.names(), best.parts[0].names()):
			f.several = l.path + " and " + best.path
		case len(l.parts) == 1 && one.kind == array && len(one.values) == 1 && one.values[0].kind == object: // about all rows
			cells, _ = f.contents(one.values[0], l.path, cells)
		case f.NotRead == "":
			f.NotRead = l.path
		}
	}
	switch first := best.parts[0]; {
	case len(best.parts) > 1:
		for i := range first.values {
			row := slices.Clip(cells)
			for _, part := range best.parts {
				row = append(row, cell{join(best.path, part.name), part.values[i].text, part.values[i].at})
			}
			f.addRow(row)
		}
	case first.kind == object: // of periods
		for _, v := range first.values {
			f.expand(v, best.path, append(slices.Clip(cells), cell{join(best.path, "period"), v.name, v.at}))
		}
	default:
		f.expand(first, best.path, cells)
	}
}

// contents returns the single values of an object and of the objects in it, and its lists.
func (f *File) contents(n *node, path string, cells []cell) (all []cell, lists []list) {
	lengths := map[int][]*node{} // lists of single values
	for _, v := range n.values {
		at := join(path, v.name)
		switch {
		case v.kind == array && v.has(object), v.kind == object && v.isOfPeriods():
			lists = append(lists, list{at, []*node{v}, v.leaves()})
		case v.kind == array && !v.has(array):
			lengths[len(v.values)] = append(lengths[len(v.values)], v)
		case v.kind == object:
			var within []list
			cells, within = f.contents(v, at, cells)
			lists = append(lists, within...)
		default:
			cells = append(cells, cell{at, v.text, v.at})
		}
	}
	for _, length := range slices.Sorted(maps.Keys(lengths)) {
		parts := lengths[length]
		if length > 0 && len(parts) > 1 {
			lists = append(lists, list{path, parts, length * len(parts)})
		} else if length == 1 {
			cells = append(cells, cell{join(path, parts[0].name), parts[0].values[0].text, parts[0].values[0].at})
		}
	}
	return cells, lists
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func (f *File) addRow(cells []cell) {
	if f.cells += len(cells); f.cells > maxCells {
		return
	}
	for _, c := range cells {
		if _, ok := f.at[c.path]; !ok {
			f.at[c.path] = len(f.paths)
			f.paths = append(f.paths, c.path)
		}
	}
	f.rows = append(f.rows, cells)
}

// setFields names the fields by the shortest ends of their paths that differ. Those of answers
// have their names.
func (f *File) setFields() {
	if f.IsAnswer {
		f.Fields = f.paths
		return
	}
	count := map[string]int{}
	for _, path := range f.paths {
		for _, end := range ends(path) {
			count[strings.ToLower(end)]++
		}
	}
	for _, path := range f.paths {
		name := path
		for _, end := range ends(path) {
			if count[strings.ToLower(end)] == 1 {
				name = end
			}
		}
		f.Fields = append(f.Fields, name)
	}
}

// ends returns the ends of a path, longest first.
func ends(path string) (all []string) {
	for rest, ok := path, true; ok; _, rest, ok = strings.Cut(rest, ".") {
		all = append(all, rest)
	}
	return all
}

// Rows returns the names of the fields, and then the rows.
func (f *File) Rows() *Rows { return &Rows{file: f, next: -1} }

// Rows are the rows of a file.
type Rows struct {
	file  *File
	next  int
	cells []string
	at    []stat.Position
}

// Next returns the next row.
func (r *Rows) Next() ([]string, error) {
	if r.next++; r.next == 0 {
		r.cells, r.at = make([]string, len(r.file.Fields)), slices.Repeat([]stat.Position{{Line: 1, Column: 1}}, len(r.file.Fields))
		return r.file.Fields, nil
	}
	if r.next > len(r.file.rows) {
		return nil, io.EOF
	}
	clear(r.cells)
	row := r.file.rows[r.next-1]
	for i := range r.at {
		r.at[i] = row[len(row)-1].at
	}
	for _, c := range row {
		i := r.file.at[c.path]
		r.cells[i], r.at[i] = c.text, c.at
	}
	return r.cells, nil
}

// At returns where a value begins in the text.
func (r *Rows) At(cell int) stat.Position {
	if cell < 0 || cell >= len(r.at) {
		cell = 0
	}
	return r.at[cell]
}

// Close does nothing.
func (r *Rows) Close() error { return nil }
