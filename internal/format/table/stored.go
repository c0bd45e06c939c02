package table

import (
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// StoredRows are rows of a file that tells numbers from texts, as workbooks, JSON and
// Parquet do. Stored numbers have a decimal point, whatever the style of the texts.
type StoredRows interface {
	Rows
	// IsNumber reports whether a cell of the last row is stored as a number.
	IsNumber(cell int) bool
}

// ShownRows are rows of a workbook, whose cells may show 12.5% where 0.125 is stored.
type ShownRows interface {
	// ShownAs returns the note about a cell of the last row that shows another number than it
	// stores: [stat.NotePercent] or [stat.NoteScaled].
	ShownAs(cell int) string
}

// shownAs ends the examples of these notes.
var shownAs = map[string]string{
	stat.NotePercent: " is stored; the cell shows it as a percentage, a hundred times the number",
	stat.NoteScaled:  " is stored; the cell shows it in thousands or millions",
}

// IsStored reports whether a cell of the last row is stored as a number.
func IsStored(rows Rows, cell int) bool {
	if _, isText := rows.(*TextRows); isText {
		return false // the usual case, which is faster to find
	}
	stored, ok := rows.(StoredRows)
	return ok && stored.IsNumber(cell)
}

// StyleOf returns the style of a number: that of the texts of a file, or that of stored
// numbers. It notes values whose cells show other numbers.
func StyleOf(rows Rows, cell int, texts text.Style, content string, report *stat.Report) text.Style {
	if !IsStored(rows, cell) {
		return texts
	}
	if shown, ok := rows.(ShownRows); ok {
		if note := shown.ShownAs(cell); note != "" {
			report.Add(note, 1, content+shownAs[note])
		}
	}
	return DecimalPoint
}
