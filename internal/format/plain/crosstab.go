package plain

import (
	"bytes"
	"io"

	"almanac/internal/format"
	"almanac/internal/format/crosstab"
	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

const maxLayoutHead = 256 << 10 // bytes that decide whether a text is a cross table

// findCrosstab returns the layout of a text file with several heading rows, or of one with
// periods below a title that cannot be read as a plain table; nil for others and for
// files with a stated mapping.
func findCrosstab(in format.Input, stated statement, head []byte) (*crosstab.Layout, rune) {
	ofCells, ok := stated.ofCells()
	if !ok || stated.sheet != "" {
		return nil, 0
	}
	layout, separator := crosstab.FindText(head)
	if layout == nil || !layout.IsCertain() && (!layout.HasTitle() || isPlain(in, stated, head)) {
		return nil, 0
	}
	layout.Stated = ofCells
	return layout, separator
}

// textHead returns the first lines of a text file in UTF-8; nil if they cannot be read, of
// which the reader of plain tables returns the error.
func textHead(in format.Input) []byte {
	file, err := text.Open(in.Again, in.Encoding, &stat.Report{})
	if err != nil {
		return nil
	}
	defer file.Close()
	head, err := io.ReadAll(io.LimitReader(file, maxLayoutHead))
	if err != nil {
		return nil
	}
	if end := bytes.LastIndexByte(head, '\n'); len(head) == maxLayoutHead && end > 0 {
		head = head[:end+1]
	}
	return head
}

// ofCells returns what the caller states about the texts of cells. ok is false if the
// caller states what columns mean, which is for plain tables.
func (s statement) ofCells() (stated crosstab.Stated, ok bool) {
	for _, it := range s.items {
		switch text := it.columns[0]; it.key {
		case "dates":
			stated.Dates = append(stated.Dates, text)
		case "missing":
			stated.Missing = append(stated.Missing, text)
		case "zero":
			stated.Zero = append(stated.Zero, text)
		case "decimal", "encoding", "sheet":
		default:
			return stated, false
		}
	}
	return stated, true
}

// isPlain reports whether a text is a plain table whose columns have a clear meaning.
func isPlain(in format.Input, stated statement, head []byte) bool {
	separator, _ := separatorOf(head, 0)
	if separator == 0 {
		return false
	}
	first, _ := firstRows(func() (table.Rows, error) { return table.NewTextRows(bytes.NewReader(head), separator), nil })
	_, err := stated.mapping(in, first)
	return err == nil
}

// sheetLayout returns the layout of a sheet with several heading rows, nil for others.
func sheetLayout(open func() (table.Rows, error), stated statement) (*crosstab.Layout, error) {
	ofCells, ok := stated.ofCells()
	if !ok {
		return nil, nil
	}
	rows, err := open()
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	layout, err := crosstab.FindRows(rows)
	if err != nil || layout == nil || !layout.IsCertain() {
		return nil, err
	}
	layout.Stated = ofCells
	return layout, nil
}
