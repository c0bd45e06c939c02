// Package crosstab reads tables with several heading rows. Statisticians call the parts
// of such a table the boxhead (the heading rows), the stub (the columns on the left that
// say what a row is) and the body (the numbers):
//
//	Consumer prices                      title
//	,Food,,Energy,                       boxhead
//	,2023,2024,2023,2024
//	North,1.5,1.6,2.0,2.1                stub and body
//	South,1.4,..,2.2,2.3
//	Source: Statistical Office           notes
//
//	Title,Cash rate,Bond yield           boxhead: what the office says about each series
//	Units,Per cent,Per cent
//	Series ID,FIRMMCRTD,FCMYGBAG10
//	2024-01-02,4.35,3.99                 stub: periods
//	2024-01-03,4.35,
//
// The layout is found in the first rows: the body is the block of numbers and marks
// for missing values. The periods are one column of the stub, a heading row, a heading
// row of years above one of months or quarters, or years across and months down.
//
// The other heading rows become dimensions: one for each row if the rows cross (every
// combination of their texts is a column), else one dimension whose labels are composed
// from the top down. A row of identifiers makes a dimension of series. Rows of units,
// frequencies, dates and other remarks, known by their names or by their form, describe
// the series. An empty heading repeats the one on its left, but not beyond the end of the
// heading above it.
//
// The columns of the stub are dimensions; an empty cell repeats the one above if a cell
// on its right is filled. A row with text alone is the heading of a section. Sections
// are a dimension if rows would be the same without them; otherwise they are notes.
//
// Text above the boxhead is the name and the description of the dataset, text below the
// body belongs to the description. Every cell of the body is stored, missing or an error.
package crosstab

import (
	"context"
	"io"
	"iter"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
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
	t := assemble.New(ctx, in.Name)
	report := t.Report
	return read(t, in, l, func() (table.Rows, error) {
		rows, err := table.Open(in, separator, report)
		report = &stat.Report{} // the encoding is noted once
		return rows, err
	})
}

// ReadRows reads rows that do not come from text. open opens them at the beginning and is
// called twice.
func ReadRows(ctx context.Context, in format.Input, open func() (table.Rows, error), l *Layout) iter.Seq2[*stat.Table, error] {
	return read(assemble.New(ctx, in.Name), in, l, open)
}

// Sample returns the rows of a table by which [Find] decides.
func Sample(rows table.Rows) (first [][]string, err error) {
	for len(first) < maxSample {
		row, err := rows.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		first = append(first, append([]string(nil), row...))
	}
	return first, nil
}
