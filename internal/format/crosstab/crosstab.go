// Package crosstab reads tables with several heading rows:
//
//	Consumer prices                      title
//	,Food,,Energy,                       boxhead: what the numbers of a column are
//	,2023,2024,2023,2024
//	North,1.5,1.6,2.0,2.1                stub and body
//	South,1.4,..,2.2,2.3
//	Source: Statistical Office           notes
//
// The first rows decide in these steps. The body (layout.go, across.go) is the block of
// numbers and marks below a row of periods, or beside a column of them. The boxhead
// (boxhead.go) is what stands above it: dimensions, or identifiers, units and remarks of
// series, known by their names or their form (words.go). The stub (stub.go) is on its left.
// Years may stand apart from their months (years.go). What has two readings is a doubt
// (doubts.go) and not read. A first pass over all rows (survey.go, cursor.go) finds sections and
// footnotes; then rows and columns become dimensions (dims.go), and the lines around the table
// describe the dataset (describe.go, footnotes.go). The second pass turns the body into rows of
// a plain table (rows.go), which package table reads by a mapping (mapping.go).
package crosstab

import (
	"context"
	"io"
	"iter"
	"slices"

	"almanac/internal/format"
	"almanac/internal/format/table"
	"almanac/internal/stat"
)

const maxSample = 400 // rows that decide the layout

// separators are the separators of text that are tried.
var separators = []rune{',', ';', '\t', '|'}

// FindText finds the layout of a text file by its first bytes, with the separator that
// gives the largest table. It returns nil if there is none with several heading rows.
func FindText(head []byte) (l *Layout, separator rune) {
	for _, s := range separators {
		rows := table.FirstRows(head, s, maxSample)
		found := Find(rows)
		if found != nil && (l == nil || len(found.values) > len(l.values)) {
			l, separator = found, s
		}
	}
	return l, separator
}

// Recognise reports whether a text file is a table with several heading rows.
func Recognise(head []byte) bool {
	l, _ := FindText(head)
	return l != nil && (l.IsCertain() || l.HasTitle())
}

// ReadText reads a text file with a layout that [FindText] found.
func ReadText(ctx context.Context, in format.Input, l *Layout, separator rune) iter.Seq2[*stat.Table, error] {
	r := &reader{Layout: l, in: in, unitAt: -1, partAt: -1}
	report := &r.report
	r.from = func() (table.Rows, error) {
		rows, err := table.Open(in, separator, report)
		report = &stat.Report{} // the encoding is noted once
		return rows, err
	}
	return r.read(ctx)
}

// ReadRows reads rows that do not come from text. open opens them at the beginning and is
// called twice.
func ReadRows(ctx context.Context, in format.Input, open func() (table.Rows, error), l *Layout) iter.Seq2[*stat.Table, error] {
	return (&reader{Layout: l, in: in, from: open, unitAt: -1, partAt: -1}).read(ctx)
}

// FindRows finds the layout of rows that do not come from text, with their merged cells.
func FindRows(rows table.Rows) (*Layout, error) {
	var first [][]string
	var lines []int
	for len(first) < maxSample {
		row, err := rows.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		first, lines = append(first, slices.Clone(row)), append(lines, rows.At(0).Line)
	}
	merged, err := mergedOf(rows, lines)
	if err != nil {
		return nil, err
	}
	return find(newSample(first, merged)), nil
}
