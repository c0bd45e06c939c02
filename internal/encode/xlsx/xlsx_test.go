package xlsx_test

import (
	"bytes"
	"io"
	"slices"
	"testing"

	"almanac/internal/encode"
	"almanac/internal/encode/encodetest"
	"almanac/internal/encode/xlsx"
	reader "almanac/internal/format/xlsx"
	"almanac/internal/stattest"
)

func TestConformance(t *testing.T) {
	form := encodetest.Form{Name: "workbook", Write: xlsx.Write, Read: func(t *testing.T, file []byte, table *encode.Table) []encodetest.Cell {
		return encodetest.TidyCells(t, rowsOf(t, file), table)
	}}
	encodetest.Run(t, stattest.DataDir(t), form)
}

// rowsOf returns the rows of the first sheet of a workbook.
func rowsOf(t *testing.T, file []byte) [][]string {
	t.Helper()
	book, err := reader.Open(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	from, err := book.Sheets[0].Rows()
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	for {
		row, err := from.Next()
		if err == io.EOF {
			return rows
		}
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, slices.Clone(row))
	}
}

// TestImport imports the files again.
func TestImport(t *testing.T) {
	encodetest.Run(t, stattest.DataDir(t), encodetest.Form{Name: "workbook", Write: xlsx.Write, ImportAs: "data.xlsx"})
}
