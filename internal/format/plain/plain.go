// Package plain reads tables of no known format, as text or in a workbook. Any table
// with headings, long or wide, can be read by a mapping, which is a text that says
// what its columns mean:
//
//	Country Name,Country Code,Year,Value       geo=Country Code:Country Name, period=Year, value=Value
//	Aruba,ABW,2021,2929446578
//
//	Region;Sex;2019;2020                       geo=Region, dim=Sex, period=*, separator=;
//	Nord;F;1,5;..
//
//	land,year,month,export,import,remark       geo=land, period=year+month, value=export, value=import, note=remark
//	Wien,2024,3,12.5,14,estimate
//
// Commas separate its parts. A column is named by its heading without regard to
// case, or by its position if headings are repeated or missing (#3); a name that
// contains one of , : + is in double quotes. docs/formats.md lists what a mapping
// may contain.
//
// Without a mapping, or with one that names no columns, the meaning of the columns is
// detected: from headings that are common words for time, area and value or that are
// periods, from columns of numbers, and from columns of repeated texts. The report
// notes the result. If the meaning is not clear, the file is refused with a proposal.
//
// In a workbook the first visible sheet with a table is read, and the others are
// noted. Dates are periods: of the month or year if the cell shows no day. Formulas
// count as their stored results, errors such as #N/A as missing values.
//
// The source is the one that the caller states, or else "local".
package plain

import (
	"bytes"
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/crosstab"
	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// Formats returns the formats of plain tables. They must be tried last: they accept
// most delimited text.
func Formats() []format.Format {
	return []format.Format{
		{Name: "table-xlsx", Recognise: recogniseSheet, Read: readSheet},
		{Name: "table", Recognise: recogniseText, Read: readText},
		{Name: "table-parquet", Recognise: recogniseParquet, Read: readParquet},
		{Name: "table-json", Recognise: recogniseRecords, Read: readRecords},
	}
}

// recogniseText reports whether head is delimited text: rows of two or more cells,
// nearly all as wide as the headings.
func recogniseText(_ string, head []byte) bool {
	if !isText(head) {
		return false
	}
	separator, rows := separatorOf(head, 0)
	return separator != 0 && headingsAt(rows) >= 0 || crosstab.Recognise(head)
}

// isText reports whether a file is text without the marks of another format.
func isText(head []byte) bool {
	if bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) {
		return true
	}
	start := bytes.TrimSpace(bytes.TrimPrefix(head, text.ByteOrderMark))
	if len(start) == 0 || bytes.IndexByte(head, 0) >= 0 {
		return false
	}
	line, _, _ := bytes.Cut(start, []byte("\n"))
	isPX := bytes.Contains(line, []byte(`="`))
	isOther := isPX || bytes.HasPrefix(start, []byte("#almanac-tidy")) || bytes.HasPrefix(start, []byte("%PDF"))
	return !isOther && !strings.ContainsRune("<{[", rune(start[0]))
}

const maxSample = 400 // rows that decide what a table means

// separatorOf finds the separator that gives most rows the same number of cells; 0
// if none does. The rows are without the last one if it may be cut off.
func separatorOf(head []byte, stated rune) (rune, [][]string) {
	candidates := []rune{',', '\t', ';', '|'}
	if stated != 0 {
		candidates = []rune{stated}
	}
	var best rune
	var bestRows [][]string
	bestFit := 0
	for _, separator := range candidates {
		rows := table.FirstRows(head, separator, maxSample)
		if len(rows) > 2 && len(rows) < maxSample && len(head) >= 60<<10 {
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

// usualWidth returns the most frequent width of the rows with several cells, and
// how many have it.
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

// headingsAt returns the first row of the usual width with at least half of its
// cells and two of them filled, and with rows below it; -1 if there is none.
func headingsAt(rows [][]string) int {
	width, _ := usualWidth(rows)
	for i, row := range rows {
		filled := filledCells(row)
		if len(row) == width && filled >= 2 && filled*2 >= width && i+1 < len(rows) {
			return i
		}
	}
	return -1
}

func filledCells(row []string) (n int) {
	for _, cell := range row {
		if cell != "" {
			n++
		}
	}
	return n
}

func readText(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
	stated, mappingErr := parseMapping(in.Mapping)
	in.Encoding = cmp.Or(stated.encoding, in.Encoding)
	in.Decimal = cmp.Or(stated.decimal, in.Decimal)
	if mappingErr == nil {
		if layout, separator := findCrosstab(in, stated); layout != nil {
			return crosstab.ReadText(ctx, in, layout, separator)
		}
	}
	return table.ReadBy(ctx, in, func(head []byte) (m table.Mapping, err error) {
		if mappingErr != nil {
			return m, mappingErr
		}
		if stated.sheet != "" {
			return m, mappingError("a text file has no sheet %q", stated.sheet)
		}
		separator, _ := separatorOf(head, stated.separator)
		if separator == 0 {
			return m, stat.BadFile(stat.Position{Line: 1}, "the file is not a table: no separator (comma, tab, semicolon, |) occurs the same number of times in most rows")
		}
		first, _ := firstRows(table.NewTextRows(bytes.NewReader(head), separator)) // invalid CSV ends the sample
		m, err = stated.mapping(in, first)
		m.Separator, m.Row = separator, skipFooters(false)
		return m, err
	})
}

// sample is the first rows of a table, with their lines.
type sample struct {
	rows  [][]string
	lines []int
}

func firstRows(rows table.Rows) (s sample, err error) {
	for cells, err := range table.All(rows) {
		if len(s.rows) == maxSample {
			break
		}
		if err != nil {
			return s, err
		}
		s.rows, s.lines = append(s.rows, slices.Clone(cells)), append(s.lines, rows.At(0).Line)
	}
	return s, nil
}

// skipFooters skips the rows that follow a table after an empty line, are shorter than
// others and have a text only in the first cell. All rows of a sheet have one width.
func skipFooters(isSheet bool) func(*table.Row) table.Action {
	last, width, isBelow := 0, 0, false // isBelow: the row before was a footer
	return func(r *table.Row) table.Action {
		isApart := isBelow || last > 0 && r.At().Line > last+1
		last, width = r.At().Line, max(width, len(r.Cells))
		isAlone := r.Cells[0] != "" && filledCells(r.Cells) == 1
		isBelow = isApart && isAlone && (len(r.Cells) < width || width > 2 && isSheet)
		if isBelow {
			return table.Skip
		}
		return table.Use
	}
}

const maxProposal = 2000 // bytes of the mapping that an error proposes

// findMapping detects what the columns of a table mean. It returns the line of the
// headings too, which is header unless that is 0. If the meaning is not clear, the
// error proposes a mapping.
func findMapping(s sample, header int, hasPeriod bool) ([]item, int, error) {
	at := headingsAt(s.rows)
	if header > 0 {
		at = slices.IndexFunc(s.lines, func(line int) bool { return line >= header })
	}
	if at < 0 {
		return nil, 0, stat.BadFile(stat.Position{Line: 1}, "the file is not a table: no row has headings with rows of the same width below it")
	}
	headings := s.rows[at]
	g := detect(headings, slices.DeleteFunc(s.rows[at+1:], func(row []string) bool { return len(headings) > 2 && filledCells(row) < 2 }))
	where := stat.Position{Line: s.lines[at]}
	proposal := mappingText(g.items)
	if len(proposal) > maxProposal {
		proposal = strings.ToValidUTF8(proposal[:maxProposal], "") + " …"
	}
	switch {
	case !g.hasPeriods && !hasPeriod:
		return nil, 0, stat.BadFile(where, "the table has no column of periods with a known heading, and no headings that are periods: "+
			"state the period of the whole file with --period 2024, or what the columns mean, for example with --mapping '%s, period=…'", proposal)
	case len(g.doubts) > 0:
		return nil, 0, stat.BadFile(where, "the meaning of the columns is not clear: %s; state it, for example with --mapping '%s'", strings.Join(g.doubts, "; "), proposal)
	}
	return g.items, where.Line, nil
}
