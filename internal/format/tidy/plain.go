package tidy

import (
	"bytes"
	"context"
	"iter"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// noteMapping tells what the columns were taken to mean, where nobody said it.
const noteMapping = "mapping"

// Formats returns the formats of this package: the product's own, and plain
// tables, which are to be asked last, because any delimited text may be one.
func Formats() []format.Format {
	return []format.Format{Format(), SheetFormat(), PlainFormat()}
}

// PlainFormat is that of plain tables as text.
func PlainFormat() format.Format {
	return format.Format{Name: "table", Recognise: recognisePlain, Read: readPlain}
}

// recognisePlain reports whether head is delimited text: rows of at least two
// cells, of which nearly all are as many as in the headings.
func recognisePlain(_ string, head []byte) bool {
	if !isText(head) {
		return false
	}
	separator, rows := separated(head, 0)
	_, at := headingsOf(rows)
	return separator != 0 && at >= 0
}

// isText tells text from the formats that are none, and from those that have
// a structure of their own.
func isText(head []byte) bool {
	if bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) {
		return true
	}
	start := bytes.TrimSpace(bytes.TrimPrefix(head, text.ByteOrderMark))
	if len(start) == 0 || bytes.IndexByte(head, 0) >= 0 {
		return false
	}
	line, _, _ := bytes.Cut(start, []byte("\n"))
	isOther := bytes.HasPrefix(start, []byte(magic)) || bytes.HasPrefix(start, []byte("%PDF")) || bytes.Contains(line, []byte(`="`)) // the last is PX
	return !isOther && !strings.ContainsRune("<{[", rune(start[0]))
}

// sampled is how many rows are looked at to know a table.
const sampled = 400

// separated finds the character between cells: the one that makes most rows
// as wide as most of the others; 0 where none does. The rows come without the
// last one where it may be cut off.
func separated(head []byte, stated rune) (rune, [][]string) {
	candidates := []rune{',', '\t', ';', '|'}
	if stated != 0 {
		candidates = []rune{stated}
	}
	var best rune
	var bestRows [][]string
	bestFit := 0
	for _, separator := range candidates {
		rows := table.FirstRows(head, separator, sampled)
		if len(rows) > 2 && len(rows) < sampled && len(head) >= 60<<10 {
			rows = rows[:len(rows)-1]
		}
		width, fit := usualWidth(rows)
		alone := 0 // rows of one cell, above and below tables
		for _, row := range rows {
			if len(row) == 1 {
				alone++
			}
		}
		if width >= 2 && fit*10 >= (len(rows)-alone)*8 && alone*2 <= len(rows) && fit > bestFit {
			best, bestRows, bestFit = separator, rows, fit
		}
	}
	return best, bestRows
}

// usualWidth is the width that most rows of several cells have, and how many
// have it.
func usualWidth(rows [][]string) (width, fit int) {
	count := map[int]int{}
	for _, row := range rows {
		if len(row) > 1 {
			count[len(row)]++
		}
	}
	for w, n := range count {
		if n > fit || n == fit && w > width {
			width, fit = w, n
		}
	}
	return width, fit
}

// headingsOf is the first row that has the usual width and a text in at least
// half of its cells and in two of them, with rows below it; -1 if there is none.
func headingsOf(rows [][]string) ([]string, int) {
	width, _ := usualWidth(rows)
	for i, row := range rows {
		filled := filledCells(row)
		if len(row) == width && filled >= 2 && filled*2 >= width && i+1 < len(rows) {
			return row, i
		}
	}
	return nil, -1
}

func filledCells(row []string) (n int) {
	for _, cell := range row {
		if cell != "" {
			n++
		}
	}
	return n
}

// readPlain reads a table by the mapping that is stated or found.
func readPlain(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
	return func(yield func(*stat.Table, error) bool) {
		m, noted, err := plainMapping(&in)
		if err != nil {
			yield(nil, err)
			return
		}
		for t, err := range table.Read(ctx, in, m) {
			if err == nil && noted != "" {
				t.Report.Add(noteMapping, 1, noted)
			}
			if !yield(t, err) {
				return
			}
		}
	}
}

// plainMapping is the mapping of a text file.
func plainMapping(in *format.Input) (m table.Mapping, noted string, err error) {
	items, err := parseItems(in.Mapping)
	if err != nil {
		return m, "", err
	}
	set, err := settingsOf(items)
	if err != nil {
		return m, "", err
	}
	if set.sheet != "" {
		return m, "", badMapping("this is a text file, which has no sheet %q", set.sheet)
	}
	if set.encoding != "" {
		in.Encoding = set.encoding
	}
	rows, separator, err := firstRows(*in, set)
	if err != nil {
		return m, "", err
	}
	m, noted, err = mappingOf(in, items, set, rows)
	m.Separator = separator
	return m, noted, err
}

// mappingOf is the stated mapping, or the one that the first rows show, with
// the text of what was found.
func mappingOf(in *format.Input, items []item, set settings, rows []headRow) (m table.Mapping, noted string, err error) {
	if set.decimal != "" {
		in.Decimal = set.decimal
	}
	if set.detect {
		found, line, err := foundIn(rows, set, in.Period != "")
		if err != nil {
			return m, "", err
		}
		items = append(found, items...)
		noted, set.header = textOf(found), line
	}
	if m, err = mapping(items, localFile(*in)); err != nil {
		return m, "", err
	}
	m.Header = set.header
	m.Row = footers()
	if len(m.Values) == 1 && !slices.Contains(wordsValue, folded(m.Values[0].Column)) && !strings.HasPrefix(m.Values[0].Column, "#") {
		m.Dataset.Name = m.Values[0].Column
	}
	return m, noted, nil
}

// footers passes over what stands below a table, apart from it: a text in the
// first cell of a row that is shorter than others, after an empty line. Rows of
// sheets are all of one width.
func footers() func(*table.Row) table.Verdict {
	last, width, below := 0, 0, false // below: the row before was a footer
	return func(r *table.Row) table.Verdict {
		apart := below || last > 0 && r.At().Line > last+1
		last, width = r.At().Line, max(width, len(r.Cells))
		alone := !slices.ContainsFunc(r.Cells[1:], func(cell string) bool { return cell != "" })
		below = apart && alone && r.Cells[0] != "" && (len(r.Cells) < width || width > 2 && r.IsSheet())
		if below {
			return table.Skip
		}
		return table.Use
	}
}

// headRow is one of the first rows, and its line.
type headRow struct {
	cells []string
	line  int
}

// maxProposal is how many bytes of a proposed mapping an error shows.
const maxProposal = 2000

// foundIn finds out what the columns mean; where it is not plain, the error
// proposes a mapping.
func foundIn(rows []headRow, set settings, stated bool) ([]item, int, error) {
	all := make([][]string, len(rows))
	for i, r := range rows {
		all[i] = r.cells
	}
	headings, at := headingsOf(all)
	if set.header > 0 {
		at = slices.IndexFunc(rows, func(r headRow) bool { return r.line >= set.header })
		if at >= 0 {
			headings = all[at]
		}
	}
	if at < 0 {
		return nil, 0, stat.BadFile(stat.Position{Line: 1}, "this is no table: no row has headings with rows of the same width below it")
	}
	g := detect(headings, slices.DeleteFunc(all[at+1:], func(row []string) bool { return len(headings) > 2 && filledCells(row) < 2 }))
	where := stat.Position{Line: rows[at].line}
	proposal := textOf(g.items)
	if len(proposal) > maxProposal {
		proposal = strings.ToValidUTF8(proposal[:maxProposal], "") + " …"
	}
	switch {
	case !g.periods && !stated:
		return nil, 0, stat.BadFile(where, "the table has no column of periods that is known by its heading, and no headings that are periods: "+
			"state the period of the whole file with --period 2024, or say what the columns mean, for instance with --mapping '%s, period=…'", proposal)
	case len(g.doubts) > 0:
		return nil, 0, stat.BadFile(where, "it is not plain what the columns mean: %s; say it, for instance with --mapping '%s'", strings.Join(g.doubts, "; "), proposal)
	}
	return g.items, rows[at].line, nil
}

// firstRows reads the beginning of a text file.
func firstRows(in format.Input, set settings) ([]headRow, rune, error) {
	head, err := table.Head(in)
	if err != nil {
		return nil, 0, err
	}
	separator, _ := separated(head, set.separator)
	if separator == 0 {
		return nil, 0, stat.BadFile(stat.Position{Line: 1}, "this is no table: no character (comma, tab, semicolon, |) stands between cells in the same number in most rows")
	}
	var rows []headRow
	for row, at := range table.HeadRows(head, separator) {
		rows = append(rows, headRow{slices.Clone(row), at.Line})
		if len(rows) == sampled {
			break
		}
	}
	return rows, separator, nil
}
