package table

import (
	"bytes"
	"encoding/csv"
	"io"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// FirstRows are the first n rows of a table, or what there is of them up to one
// with more than [MaxColumns] cells: for recognisers, and for formats whose
// mapping depends on the headings. It is lenient about what is no CSV, because
// the file may be another format's. Head is the beginning of the file as it
// stands; of UTF-16 the lower halves are read, which are enough to know
// headings by.
func FirstRows(head []byte, separator rune, n int) [][]string {
	if bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) {
		head = bytes.ReplaceAll(head[2:], []byte{0}, nil)
	}
	head = bytes.TrimPrefix(head, text.ByteOrderMark)
	head = head[:lines(head, n)] // cells that hold line breaks are rare, and make rows fewer
	r := csv.NewReader(bytes.NewReader(head))
	r.Comma, r.FieldsPerRecord, r.LazyQuotes = separator, -1, true
	var rows [][]string
	for len(rows) < n {
		row, err := r.Read()
		if err != nil || len(row) > MaxColumns {
			break
		}
		for i, cell := range row {
			row[i] = strings.TrimSpace(cell)
		}
		rows = append(rows, row)
	}
	return rows
}

// lines is the size of the first n lines.
func lines(text []byte, n int) int {
	size := 0
	for range n {
		at := bytes.IndexByte(text[size:], '\n')
		if at < 0 {
			return len(text)
		}
		size += at + 1
	}
	return size
}

// FirstRowsOf is [FirstRows] of the file that is to be read, in its encoding.
func FirstRowsOf(in format.Input, separator rune, n int) ([][]string, error) {
	file, err := in.Again()
	if err != nil {
		return nil, err
	}
	defer file.Close()
	head, err := io.ReadAll(io.LimitReader(text.LineErrors(file), maxHead))
	if err != nil {
		return nil, err
	}
	head = head[:lines(head, n)]
	in.Again = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(head)), nil }
	text, err := text.Open(in.Again, in.Encoding, &stat.Report{})
	if err != nil {
		return nil, err
	}
	if head, err = io.ReadAll(text); err != nil {
		return nil, err
	}
	return FirstRows(head, separator, n), text.Close()
}

// HasHeadings reports whether one of the rows has all of the names among its
// cells, without regard to case.
func HasHeadings(rows [][]string, names ...string) bool {
	for _, row := range rows {
		all := true
		for _, name := range names {
			at, _, err := headings(row).find(name)
			all = all && (at >= 0 || err != nil)
		}
		if all {
			return true
		}
	}
	return false
}
