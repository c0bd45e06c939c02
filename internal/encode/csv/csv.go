// Package csv writes a table as comma-separated values (RFC 4180, in UTF-8, with lines that
// end in CR LF, and the names of the columns in the first).
//
// A spreadsheet takes a text that begins with = + - or @ for a formula. Such a text gets an
// apostrophe before it. So does one that begins with apostrophes before these characters: who removes one
// apostrophe from each text that has one before = + - @, tab or a line end gets the
// original texts. Numbers are never changed, and codes only if they have more than letters, digits and ._-
// after a first + or -.
package csv

import (
	"io"

	"almanac/internal/encode"
	"almanac/internal/encode/tidy"
	"almanac/internal/encode/wide"
)

const lineEnd = "\r\n"

// byteOrderMark tells spreadsheets that a file is in UTF-8.
const byteOrderMark = "\ufeff"

// Write writes a table: one observation a row, or with o.Wide a column for each area or period.
// The error is [stat.Invalid] if a wide table is too large; nothing is then written.
func Write(w io.Writer, t *encode.Table, o encode.Options) error {
	c := newCells(o)
	var first []byte
	if o.BOM {
		first = append(first, byteOrderMark...)
	}
	if o.Wide != "" {
		rows, err := wide.Read(t, o, c)
		if err != nil {
			return err
		}
		return rows.Write(w, append(first, c.header(rows.Columns())...), "", lineEnd)
	}
	rows := &tidy.Rows{Texts: tidy.NewTexts(t, o, c)}
	first = append(first, c.header(rows.Columns())...)
	return rows.Write(w, first, "", lineEnd)
}
