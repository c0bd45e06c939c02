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
// detected in steps:
//
//	sample.go      the first rows; where the headings, the body and the notes below are
//	marks.go       what stands beside names and numbers: footnote marks, flags, percent signs
//	findperiod.go  periods: a column, several that form one, or headings (measure.go, yearparts.go)
//	fileperiod.go  the period of all values, which lines around the table or the file's name state
//	detect.go      attributes, and the column of values if its heading is known
//	geography.go   areas: their codes and names
//	dimension.go   texts: codes and labels, and what only describes others
//	number.go      the numbers that remain: codes or values
//
// The headings decide with the words of assemble.Words, and the cells by what columns say of one
// another (column.go, relation.go). The result is a mapping (mapping.go) that the report
// notes; row.go checks that the rows below the sample agree. If the meaning is not clear, the
// file is refused with a mapping that reads it, unless two readings are equally likely.
//
// In a workbook the visible sheets with a table are read (workbook.go), and the others are
// noted. Dates are periods: of the month or year if the cell shows no day. Formulas
// count as their stored results, errors such as #N/A as missing values.
//
// The source is the one that the caller states, else the office whose software writes
// such tables (publisher.go), or else "local".
package plain

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
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
		{Name: "table-aligned", Recognise: recogniseAligned, Read: readAligned},
		{Name: "table-parquet", Recognise: recogniseParquet, Read: readParquet},
		{Name: "table-json", Recognise: recogniseRecords, Read: readRecords},
		{Name: "table-xml", Recognise: recogniseXML, Read: readXML},
	}
}

// recogniseText reports whether head is delimited text: rows of two or more cells,
// nearly all as wide as the headings.
func recogniseText(_ string, head []byte) bool {
	if !isPlainText(head) {
		return false
	}
	separator, rows := separatorOf(head, 0)
	return separator != 0 && headingsAt(rows) >= 0 || crosstab.Recognise(head)
}

// isPlainText reports whether a file is text without the marks of another format.
func isPlainText(head []byte) bool {
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

func readText(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
	stated, mappingErr := statedIn(&in)
	if mappingErr == nil {
		head := textHead(in)
		if b, open := findDataBrowserText(in, head); b != nil {
			return b.read(ctx, in, open)
		}
		if layout, separator := findCrosstab(in, stated, head); layout != nil {
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
		rows, err := table.Open(in, separator, &stat.Report{})
		if err != nil {
			return m, err
		}
		first, _ := firstRows(func() (table.Rows, error) { return rows, nil }) // invalid CSV ends it
		stated.separator = separator
		m, err = stated.mapping(in, first)
		m.Separator = separator
		return m, err
	})
}

const maxProposal = 16_000 // bytes of the mapping that an error proposes

// findMapping detects what the columns of a table mean, with what the caller states of it.
// If the meaning is not clear, the error proposes a mapping. period is that of a file whose
// rows have none.
func findMapping(s sample, stated statement, in format.Input, period string) (*guess, error) {
	l, err := findLayout(s, stated)
	if err != nil {
		return nil, err
	}
	if l.marks.unclear != "" && l.marks.brackets == "" {
		return nil, l.chooseBrackets(in.Mapping)
	}
	l.countAreas = in.CountAreas
	g := detect(l, yearOf(l, in.Period, period))
	if stated.header == 0 && g.isHeadless() {
		return nil, stat.BadFile(stat.Position{Line: l.line}, "the row %s is data like the rows below it, and the table has no headings: put a row with the names of the columns above it", clipped(l.headings))
	}
	if !g.hasPeriods {
		g.filePeriod = cmp.Or(period, periodInFile(l))
		g.hasPeriods = g.filePeriod != ""
	}
	if err := g.checkDigits(in.Period != ""); err != nil {
		return nil, err
	}
	period = ""
	where, dates, hidden, listed := stat.Position{Line: l.line}, g.dates(), g.hiddenTimes(), l.checkList()
	if !g.hasPeriods && in.Period == "" && g.falseYear == nil && dates == nil && hidden == nil && len(partsIn(l.headings)) < 2 {
		if period = statedPeriod(l, in.Name); period == "" && len(g.values) > 0 && len(g.doubts) == 0 && !g.mayHaveTimes() {
			period = stat.AnyPeriod
		}
	}
	var readings [][]stat.Suggestion
	for _, items := range g.readings() {
		var reading []stat.Suggestion
		if len(g.doubts) > 0 {
			reading = append(reading, stat.Suggestion{Option: "mapping", Value: mappingText(items)})
		}
		if period != "" {
			reading = append(reading, stat.Suggestion{Option: "period", Value: period})
		}
		readings = append(readings, reading)
	}
	switch {
	case g.falseYear != nil && in.Period == "":
		err = stat.BadFile(where, "the table has no periods: %s; replace these by periods in the file", g.doubts[0])
	case !g.hasPeriods && dates != nil:
		err = stat.BadFile(where, "the table has no periods: only some rows have dates in the column %q (%s); leave only headings of one row above these in the file", dates.name, clipped(dates.cells))
	case !g.hasPeriods && listed != nil:
		return nil, listed
	case !g.hasPeriods && hidden != nil:
		err = g.swallowed(hidden)
	case !g.hasPeriods && in.Period == "":
		err = stat.BadFile(where, "the table has no column of periods with a known heading, and no headings that are periods: "+
			"state the period of the whole file, or what the columns mean; the headings are %s", strings.Join(firstOf(l.headings, 5), ", "))
	case len(g.doubts) > 0:
		err = stat.BadFile(where, "the meaning of the columns is not clear: %s", strings.Join(firstOf(g.doubts, 5), "; "))
	default:
		return g, nil
	}
	if !g.hasPeriods && (in.Period == "" && period == "" || dates != nil || hidden != nil) || g.isVain || len(mappingText(g.items)) > maxProposal {
		return nil, err
	}
	return nil, stat.Choose(err, readings...)
}

// mayHaveTimes reports whether a heading, or some cells of a column, may be times that were not
// recognised.
func (g *guess) mayHaveTimes() bool {
	return hasYears(g.headings) || slices.ContainsFunc(g.columns, func(c *column) bool {
		return c.years > 0 || c.periods > 0 || isPeriod(c.name) || assemble.IsTimeWord(c.name)
	})
}

// isHeadless reports whether the cells in the place of the headings are data: each is like those
// below it, some are numbers, and a text is repeated below.
func (g *guess) isHeadless() bool {
	hasNumbers, isRepeated := false, false
	for at, heading := range g.headings {
		c, isNumber := g.columns[at], text.IsNumber(heading)
		if isNumber != c.isNumeric() || isPeriod(heading) && !c.isPeriods() {
			return false
		}
		hasNumbers = hasNumbers || isNumber
		isRepeated = isRepeated || !isNumber && slices.Contains(c.cells, heading)
	}
	return hasNumbers && isRepeated
}

// clipped joins texts, up to twenty.
func clipped(texts []string) string { return strings.Join(firstOf(texts, 20), ", ") }

// firstOf returns the first n texts, and how many more there are.
func firstOf(texts []string, n int) []string {
	if len(texts) <= n {
		return texts
	}
	return append(slices.Clone(texts[:n]), fmt.Sprintf("and %d more", len(texts)-n))
}
