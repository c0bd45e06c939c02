package parquet_test

import (
	"bytes"
	"strconv"
	"testing"
	"time"

	lib "github.com/parquet-go/parquet-go"

	"almanac/internal/encode"
	"almanac/internal/encode/encodetest"
	"almanac/internal/encode/parquet"
	"almanac/internal/stattest"
)

func TestConformance(t *testing.T) {
	form := encodetest.Form{Name: "Parquet", Write: parquet.Write, Read: func(t *testing.T, file []byte, table *encode.Table) []encodetest.Cell {
		return encodetest.TidyCells(t, rowsOf(t, file), table)
	}}
	encodetest.Run(t, stattest.DataDir(t), form)
}

// rowsOf returns the rows of a file as text.
func rowsOf(t *testing.T, data []byte) [][]string {
	t.Helper()
	file, err := lib.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	if dataset, ok := file.Lookup("almanac.dataset"); !ok || dataset == "" {
		t.Error("the metadata do not name the dataset")
	}
	names := []string{}
	for _, path := range file.Schema().Columns() {
		names = append(names, path[0])
	}
	rows := [][]string{names}
	reader := lib.NewReader(file)
	defer reader.Close()
	for range file.NumRows() {
		row := make([]lib.Row, 1)
		if n, err := reader.ReadRows(row); n != 1 {
			t.Fatal(err)
		}
		var cells []string
		for _, v := range row[0] {
			cells = append(cells, textOf(v))
		}
		rows = append(rows, cells)
	}
	return rows
}

func textOf(v lib.Value) string {
	switch v.Kind() {
	case lib.Double:
		return strconv.FormatFloat(v.Double(), 'g', -1, 64)
	case lib.Int32:
		return time.Unix(int64(v.Int32())*24*60*60, 0).UTC().Format(time.DateOnly)
	}
	return string(v.ByteArray())
}

// TestImport imports the files again.
func TestImport(t *testing.T) {
	encodetest.Run(t, stattest.DataDir(t), encodetest.Form{Name: "Parquet", Write: parquet.Write, ImportAs: "data.parquet"})
}
