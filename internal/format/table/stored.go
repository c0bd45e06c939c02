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

// PercentRows are rows of a workbook, whose cells may show 12.5% where 0.125 is stored.
type PercentRows interface {
	// IsPercent reports whether a cell of the last row shows a percentage.
	IsPercent(cell int) bool
}

// IsStored reports whether a cell of the last row is stored as a number.
func IsStored(rows Rows, cell int) bool {
	stored, ok := rows.(StoredRows)
	return ok && stored.IsNumber(cell)
}

// StyleOf returns the style of a number: that of the texts of a file, or that of stored
// numbers. It notes values whose cells show them as percentages.
func StyleOf(rows Rows, cell int, texts text.Style, content string, report *stat.Report) text.Style {
	if !IsStored(rows, cell) {
		return texts
	}
	if percent, ok := rows.(PercentRows); ok && percent.IsPercent(cell) {
		report.Add(stat.NotePercent, 1, content+" is stored; the cell shows it as a percentage, a hundred times the number")
	}
	return DecimalPoint
}
