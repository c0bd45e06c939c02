// Package aligned reads text whose columns are aligned with blanks, as weather services and
// the Bureau of Labor Statistics write it:
//
//	Estimated data is marked with a * after the value.
//	   yyyy  mm   tmax    tmin
//	              degC    degC
//	   1853   1    8.4     2.7
//	   1853   2    3.2*     ---
//
// All rows must have the same number of cells, which two blanks separate, or one if no cell
// holds any. A last cell that only some rows have is a further column. Cells of shorter rows
// and of the lines of headings above the rows belong to the columns below or above them.
// Signs of comments (#) at the beginnings of lines are not read.
package aligned

import (
	"bufio"
	"bytes"
	"io"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

const (
	minRows = 5        // that prove columns
	maxHead = 64 << 10 // bytes that decide them
	maxLine = 64 << 10 // bytes
)

// File is a text with aligned columns.
type File struct {
	open     func() (io.ReadCloser, error)
	gap      *regexp.Regexp // between cells
	columns  []span         // where the cells of each stand in the line
	hasLast  bool           // some rows have a cell more
	headings []string
	lines    [2]int // of the headings: the first, and that below the last
}

// span is the part of a line from one byte to another.
type span struct{ from, to int }

func (s span) overlaps(o span) bool { return s.from < o.to && o.from < s.to }

var (
	oneBlank  = regexp.MustCompile(` +`)
	twoBlanks = regexp.MustCompile(` {2,}`)
	day       = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)
)

// Recognise reports whether the first bytes of a file are lines of aligned columns.
func Recognise(head []byte) bool {
	f := &File{}
	return f.findColumns(linesOf(head))
}

func linesOf(head []byte) []string {
	head = bytes.TrimPrefix(head, text.ByteOrderMark)
	if end := bytes.LastIndexByte(head, '\n'); end >= 0 {
		head = head[:end]
	}
	lines := strings.Split(string(head), "\n")
	for i, line := range lines {
		lines[i] = clean(line)
	}
	return lines
}

// clean returns a line without the sign of a comment; its other bytes keep their places.
func clean(line string) string {
	line = strings.TrimRight(line, " \r")
	if rest, isComment := strings.CutPrefix(line, "#"); isComment {
		return " " + rest
	}
	return line
}

// split returns the cells of a line and where they stand.
func split(line string, gap *regexp.Regexp) (cells []string, at []span) {
	from := len(line) - len(strings.TrimLeft(line, " "))
	for from < len(line) {
		end := len(line)
		if next := gap.FindStringIndex(line[from:]); next != nil {
			end = from + next[0]
		}
		cells, at = append(cells, line[from:end]), append(at, span{from, end})
		from = end + len(line[end:]) - len(strings.TrimLeft(line[end:], " "))
	}
	return cells, at
}

// isData reports whether cells may be a row: two or more, and half of them, are numbers, or they
// are a day and a number.
func isData(cells []string) bool {
	if len(cells) == 2 && day.MatchString(cells[0]) {
		return text.IsNumber(cells[1]) || text.IsMissing(cells[1])
	}
	numbers := 0
	for _, cell := range cells {
		if text.IsNumber(strings.TrimRight(cell, "*#")) || text.IsMissing(cell) {
			numbers++
		}
	}
	return numbers >= 2 && numbers*2 >= len(cells)
}

// findColumns finds the columns in the first lines of a file.
func (f *File) findColumns(lines []string) bool {
	for _, f.gap = range []*regexp.Regexp{twoBlanks, oneBlank} {
		if f.fit(lines) {
			return true
		}
	}
	return false
}

// fit reports whether the rows have the same number of cells, if the gap separates them.
func (f *File) fit(lines []string) bool {
	f.columns, f.hasLast = nil, false
	count := map[int]int{}
	rows := 0
	for _, line := range lines {
		cells, _ := split(line, f.gap)
		if isJoined := func(cell string) bool { return strings.Contains(cell, " ") && strings.ContainsAny(cell, "0123456789") }; isData(cells) {
			if strings.Contains(line, "\t") || slices.ContainsFunc(cells, isJoined) {
				return false
			}
			rows++
			count[len(cells)]++
		}
	}
	width := 0
	for n := range count {
		if count[n] > count[width] {
			width = n
		}
	}
	f.hasLast = count[width+1] > 0
	if rows < minRows || (count[width]+count[width+1])*10 < rows*9 {
		return false
	}
	f.columns = make([]span, width)
	for _, line := range lines {
		cells, at := split(line, f.gap)
		if !isData(cells) || len(cells) != width {
			continue
		}
		for i := range f.columns {
			if c := &f.columns[i]; *c == (span{}) {
				*c = at[i]
			} else {
				c.from, c.to = min(c.from, at[i].from), max(c.to, at[i].to)
			}
		}
	}
	return !slices.ContainsFunc(lines, func(line string) bool {
		cells, at := split(line, f.gap)
		return isData(cells) && len(cells) == width+1 && !f.isBehind(at)
	})
}

// isBehind reports whether the last cell of a row stands behind the columns, and the others in
// them.
func (f *File) isBehind(at []span) bool {
	for i, c := range f.columns {
		if !c.overlaps(at[i]) || c.overlaps(at[len(at)-1]) {
			return false
		}
	}
	return true
}

// Open finds the columns and the headings of a file.
func Open(in format.Input, report *stat.Report) (*File, error) {
	f := &File{}
	f.open = func() (io.ReadCloser, error) {
		file, err := text.Open(in.Again, in.Encoding, report)
		report = &stat.Report{} // the encoding is noted once
		return file, err
	}
	file, err := f.open()
	if err != nil {
		return nil, err
	}
	defer file.Close()
	head, err := io.ReadAll(io.LimitReader(file, maxHead))
	if err != nil {
		return nil, err
	}
	lines := linesOf(head)
	if !f.findColumns(lines) {
		return nil, stat.BadFile(stat.Position{Line: 1}, "the text has no columns that are aligned in all rows")
	}
	first := slices.IndexFunc(lines, func(line string) bool {
		cells, _ := split(line, f.gap)
		return len(cells) == len(f.columns) && isData(cells)
	})
	if f.findHeadings(lines[:first]); f.headings == nil {
		return nil, stat.BadFile(stat.Position{Line: first + 1}, "the columns have no headings: put a line with the names of the columns above this row")
	}
	return f, nil
}

// findHeadings finds the lines above the rows of which each cell stands over one column.
func (f *File) findHeadings(lines []string) {
	last := len(lines)
	for last > 0 && len(lines)-last < 2 && strings.TrimSpace(lines[last-1]) == "" {
		last--
	}
	first := last
	for ; first > 0; first-- {
		names := f.namesIn(lines[first-1], f.headings != nil)
		if names == nil {
			break
		}
		if f.headings == nil {
			f.headings = make([]string, f.width())
		}
		for i, name := range names {
			f.headings[i] = strings.TrimSpace(name + " " + f.headings[i])
		}
	}
	f.lines = [2]int{first + 1, last + 1}
}

func (f *File) width() int {
	if f.hasLast {
		return len(f.columns) + 1
	}
	return len(f.columns)
}

// namesIn returns the names of columns in a line; nil if it is none of headings. In lines above
// others a name may stand over several columns.
func (f *File) namesIn(line string, isAbove bool) (names []string) {
	cells, at := split(line, twoBlanks)
	if isAbove && len(cells) > 1 && !isData(cells) {
		names = make([]string, f.width())
		for i, column := range f.columns {
			for n, cell := range cells {
				if at[n].overlaps(column) {
					names[i] = strings.TrimSpace(names[i] + " " + cell)
				}
			}
		}
		return names
	}
	if names = f.place(cells, at); len(cells) > 1 && names != nil && !isData(cells) {
		return names
	}
	if cells, at = split(line, oneBlank); !isAbove && len(cells)+1 >= len(f.columns) && !isData(cells) {
		return f.place(cells, at)
	}
	return nil
}

// place returns a row with each cell in the only column that has its place; nil if there are
// cells for which this is not clear.
func (f *File) place(cells []string, at []span) []string {
	row := make([]string, f.width())
	for i, cell := range cells {
		column := slices.IndexFunc(f.columns, at[i].overlaps)
		if column < 0 || row[column] != "" || slices.ContainsFunc(f.columns[column+1:], at[i].overlaps) {
			return nil
		}
		row[column] = cell
	}
	return row
}

// Rows returns the rows: the lines above the headings with one cell, the headings, and the rows
// below them. Other lines have one cell.
func (f *File) Rows() (table.Rows, error) {
	file, err := f.open()
	if err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, maxLine)
	return &rows{file: f, from: file, lines: lines}, nil
}

type rows struct {
	file  *File
	from  io.Closer
	lines *bufio.Scanner
	line  int
	last  string // line of headings
	at    []span
}

func (r *rows) Next() ([]string, error) {
	f := r.file
	for r.lines.Scan() {
		r.line++
		line := clean(r.lines.Text())
		cells, at := split(line, f.gap)
		switch r.at = at; {
		case len(cells) == 0:
			continue
		case r.line == f.lines[1]-1 || line == r.last:
			r.last = line
			return slices.Clone(f.headings), nil
		case r.line >= f.lines[0] && r.line < f.lines[1]:
			continue
		case !isData(cells) || r.line < f.lines[0]:
			return []string{strings.TrimSpace(line)}, nil
		case len(cells) == len(f.columns)+1 && !f.isBehind(at):
			return nil, stat.BadFile(r.At(0), "it is not clear to which columns the cells of the row belong: %s", text.Clip(strings.TrimSpace(line)))
		case len(cells) < len(f.columns):
			isInside := func(s span) bool {
				return slices.ContainsFunc(f.columns, func(c span) bool { return c.from <= s.from && s.to <= c.to })
			}
			if cells = f.place(cells, at); cells == nil || slices.ContainsFunc(at, func(s span) bool { return !isInside(s) }) {
				return nil, stat.BadFile(r.At(0), "it is not clear to which columns the cells of the row belong: %s", text.Clip(strings.TrimSpace(line)))
			}
		}
		return append(cells, make([]string, max(f.width()-len(cells), 0))...), nil
	}
	if err := r.lines.Err(); err == bufio.ErrTooLong {
		return nil, stat.BadFile(stat.Position{Line: r.line + 1}, "the line has more than %d bytes", maxLine)
	} else if err != nil {
		return nil, err
	}
	return nil, io.EOF
}

func (r *rows) At(cell int) stat.Position {
	at := stat.Position{Line: max(r.line, 1), Column: 1}
	if cell < len(r.at) {
		at.Column = r.at[cell].from + 1
	}
	return at
}

func (r *rows) Close() error { return r.from.Close() }
