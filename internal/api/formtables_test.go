package api_test

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"almanac/internal/api"
	"almanac/internal/format/workbook"
	"almanac/internal/format/xlsx"
)

// TestParquetEqualsCSV checks that the rows of both forms are the same, cell by cell.
func TestParquetEqualsCSV(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t)}))
	const address, query = "/api/datasets/1/data", "?country=Germany&country=France&iso_periods=true"
	text, err := csv.NewReader(strings.NewReader(ask(t, "GET", base+address+".csv"+query).body)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	got := ask(t, "GET", base+address+".parquet"+query)
	if kind := got.Header.Get("Content-Type"); kind != "application/vnd.apache.parquet" {
		t.Errorf("the media type is %s", kind)
	}
	file, err := parquet.OpenFile(strings.NewReader(got.body), int64(len(got.body)))
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"almanac.dataset": "gapminder:gapminder", "almanac.version": "1.0", "almanac.address": address + ".parquet" + query + "&version=1.0"} {
		if value, _ := file.Lookup(key); value != want {
			t.Errorf("%s is %q, want %q", key, value, want)
		}
	}
	rows := readParquet(t, file)
	if len(rows) != len(text) {
		t.Fatalf("%d rows, the CSV has %d", len(rows), len(text))
	}
	for i := range text {
		if strings.Join(rows[i], "|") != strings.Join(text[i], "|") {
			t.Fatalf("row %d is\n%q, the CSV has\n%q", i, rows[i], text[i])
		}
	}
}

// readParquet returns the names of the columns and the rows of a file, as CSV writes them.
func readParquet(t *testing.T, file *parquet.File) [][]string {
	t.Helper()
	names := []string{}
	for _, path := range file.Schema().Columns() {
		names = append(names, path[0])
	}
	table := [][]string{names}
	reader := parquet.NewReader(file)
	defer reader.Close()
	for range file.NumRows() {
		row := make([]parquet.Row, 1)
		if n, err := reader.ReadRows(row); n != 1 {
			t.Fatal(err)
		}
		cells := []string{}
		for _, v := range row[0] {
			switch v.Kind() {
			case parquet.Double:
				cells = append(cells, strconv.FormatFloat(v.Double(), 'f', -1, 64))
			case parquet.Int32:
				cells = append(cells, time.Unix(int64(v.Int32())*86400, 0).UTC().Format(time.DateOnly))
			default:
				cells = append(cells, strings.TrimSpace(string(v.ByteArray())))
			}
		}
		table = append(table, cells)
	}
	return table
}

// TestWorkbook checks that our own reader of XLSX reads a workbook, and that its first sheet has
// the cells of the CSV.
func TestWorkbook(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t)}))
	for _, options := range []string{"", "&labels=code", "&wide=area", "&wide=period&labels=label"} {
		t.Run(options, func(t *testing.T) {
			query := "?country=Germany&country=France" + options
			text, err := csv.NewReader(strings.NewReader(ask(t, "GET", base+"/api/datasets/1/data.csv"+query).body)).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			got := ask(t, "GET", base+"/api/datasets/1/data.xlsx"+query)
			book, err := xlsx.Open(strings.NewReader(got.body))
			if err != nil {
				t.Fatalf("%d: %v", got.StatusCode, err)
			}
			names := []string{}
			for _, sheet := range book.Sheets {
				names = append(names, sheet.Name)
			}
			if strings.Join(names, " ") != "Data About Flags" {
				t.Errorf("the sheets are %q", names)
			}
			wantRows(t, book.Sheets[0], text)
		})
	}
}

func wantRows(t *testing.T, sheet workbook.Sheet, want [][]string) {
	t.Helper()
	rows, err := sheet.Rows()
	if err != nil {
		t.Fatal(err)
	}
	for i := range want {
		row, err := rows.Next()
		if err != nil || strings.Join(row, "|") != strings.Join(want[i], "|") {
			t.Fatalf("row %d is\n%q, the CSV has\n%q: %v", i, row, want[i], err)
		}
	}
	if row, err := rows.Next(); err != io.EOF {
		t.Errorf("there is a row too many: %q, %v", row, err)
	}
}

// TestLicenceInWorkbook checks that a workbook has the terms of an office, also of one without a licence that
// has a name, and says that those of other files are not known.
func TestLicenceInWorkbook(t *testing.T) {
	const unknown = "Not known; ask the source"
	for base, wants := range map[string][2]string{
		searchFiles(t, "ecb/eurofxref-hist.csv"):                    {"Conditions|Free of charge for any use", unknown},
		serve(t, newAPI(t, api.Options{Store: codesStore(t, "A")})): {unknown, "Conditions"},
	} {
		got := ask(t, "GET", base+"/api/datasets/1/data.xlsx?last_n=1")
		book, err := xlsx.Open(strings.NewReader(got.body))
		if err != nil {
			t.Fatalf("%d: %v", got.StatusCode, err)
		}
		if about := textOf(t, book.Sheets[1]); !strings.Contains(about, wants[0]) || strings.Contains(about, wants[1]) {
			t.Errorf("the sheet About says\n%s\nwant %q, not %q", about, wants[0], wants[1])
		}
	}
}

// textOf returns the rows of a sheet, with bars between their cells.
func textOf(t *testing.T, sheet workbook.Sheet) string {
	t.Helper()
	rows, err := sheet.Rows()
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for {
		row, err := rows.Next()
		if err == io.EOF {
			return text.String()
		}
		if err != nil {
			t.Fatal(err)
		}
		text.WriteString(strings.Join(row, "|") + "\n")
	}
}
