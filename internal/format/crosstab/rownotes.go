package crosstab

import (
	"cmp"
	"slices"
	"strings"

	"almanac/internal/format/assemble"
)

// rowNotes is the column of notes on whole rows, behind all values.
type rowNotes struct {
	column int // noRowNotes: there is none
	name   string
}

const noRowNotes = -1

// findNotesOfRow finds a column of notes on the whole row: the only one beside values, behind the last of them. Flags
// there may be of the last value only, but letters of footnotes are of the number on their left.
func (b *body) findNotesOfRow() {
	last := len(b.values) - 1
	b.ofRow.column = noRowNotes
	hasBeside := func(v value) bool { return len(v.beside) > 0 }
	if last < 1 || !hasBeside(b.values[last]) || slices.ContainsFunc(b.values[:last], hasBeside) {
		return
	}
	column, name := b.values[last].beside[0], ""
	for _, row := range b.rows[:b.top] {
		if here, left := at(row, column), at(row, b.values[last].column); left != "" && strings.HasPrefix(here, left) {
			return // "2023 flag"
		}
		name = cmp.Or(at(row, column), name)
	}
	footnotes := b.footnotesBelow()
	isFootnote := func(cell string) bool { return cell == "" || footnotes[strings.Trim(cell, "() ")] != "" }
	cells := append(b.cellsOf(column), name)
	switch {
	case !slices.ContainsFunc(cells, func(cell string) bool { return !isFootnote(cell) }):
	case assemble.Means("note", assemble.Fold(name)), assemble.Means("text note", assemble.Fold(name)):
		b.ofRow, b.values[last].beside = rowNotes{column, clean(name)}, nil
	default:
		b.doubt("column " + columnName(column) + " may be about the numbers on its left or about the whole row: name it after the heading on its left, as in 2023 Flag, or Note")
	}
}

// footnotesBelow returns the footnotes below the table in the sample.
func (b *body) footnotesBelow() map[string]string {
	var lines []string
	for _, row := range b.rows[b.top:] {
		if column, isAlone := onlyCell(row); isAlone {
			lines = append(lines, row[column])
		}
	}
	return Footnotes(lines)
}

// noteOfRow returns the note on a row with the heading of its column, and in place of signs what lines below the table
// say of them. It is no flag, because it may be about some numbers of the row only.
func (r *reader) noteOfRow(row []string) string {
	if cell := at(row, r.ofRow.column); cell != "" {
		return r.ofRow.name + ": " + strings.Join(ExplainSigns(cell, r.footnote), ", ")
	}
	return ""
}
