package xls_test

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"almanac/internal/format/workbook"
	"almanac/internal/format/xls"
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

// TestCells compares all cells of real workbooks with those that xlrd 2.0.2, a reader in
// Python, finds: their number and the SHA-256 of their list.
func TestCells(t *testing.T) {
	for _, c := range []struct {
		file   string
		cells  int
		digest string
	}{
		{"abs-6302002/6302002.xls", 1244, "8c3f8c6839aaeb7ceb0557d96cd1bb45fcf1a9cd3051ff82cf42f15a0f4ee4b5"},
		{"saipe-2018/est18all.xls", 99053, "a803876e3f2a133d2e9c55dcb943ca525eacddb18a56f8f23198cd7be3a2fe61"},
	} {
		cells := list(t, stattest.SampleMore(t, c.file).Data)
		sum := sha256.Sum256([]byte(cells))
		if n := strings.Count(cells, "\n"); n != c.cells || hex.EncodeToString(sum[:]) != c.digest {
			t.Errorf("%s has %d cells with the digest %x, want %d with %s", c.file, n, sum, c.cells, c.digest)
		}
	}
}

// written is a workbook written by xlwt 1.3.0: dates, a year,
// cells out of order, long texts that continue in several records, a hidden sheet.
//
//go:embed testdata/written-by-xlwt.xls
var written []byte

func TestWritten(t *testing.T) {
	want := "Data 1 1 geo|Data 1 2 time|Data 1 3 value|Data 1 4 note|" +
		"Data 2 1 DE|Data 2 2 2024-02|Data 2 3 1.1|Data 2 4 日本|Data 3 1 FR|Data 3 2 2024|Data 3 3 1234567.5|" +
		"Data 4 1 Österreich|Data 4 2 2024-01-31|Data 4 3 -1.25|Data 6 3 TRUE|Data 7 1 merged|" +
		"Data 8 1 " + strings.Repeat("x", 9000) + "|Data 8 2 " + strings.Repeat("é", 9000) + "|Data 8 3 " + strings.Repeat("日", 9000) + "|Data 8 4 123456789|Hidden 1 1 a|"
	got := strings.NewReplacer("\t", " ", "\n", "|").Replace(list(t, written))
	if got != want {
		t.Errorf("the cells are\n%s\nwant\n%s", got, want)
	}
	book, err := xls.Open(bytes.NewReader(written))
	if err != nil || book.Sheets[0].Hidden || !book.Sheets[1].Hidden {
		t.Errorf("sheets %v, error %v; want a visible one and a hidden one", book, err)
	}
	rows, err := book.Sheets[0].Rows()
	if err != nil {
		t.Fatal(err)
	}
	if merged, err := rows.Merged(); err != nil || !slices.Equal(merged, []workbook.Span{{Top: 7, Left: 1, Bottom: 7, Right: 4}}) {
		t.Errorf("merged cells %v, error %v", merged, err)
	}
}

// TestDamaged checks that damaged files end with an error that names its place, and that
// a file that is cut off is never read as a shorter one.
func TestDamaged(t *testing.T) {
	for cut := 1; cut < len(written); cut += 997 {
		if err := readAll(written[:cut]); err == nil {
			t.Errorf("the first %d bytes were read", cut)
		}
	}
	for name, c := range map[string]struct{ from, to, want string }{
		"another stream":  {"W\x00o\x00r\x00k\x00b", "V\x00o\x00r\x00k\x00b", "does not contain a workbook"},
		"Excel 95":        {"W\x00o\x00r\x00k\x00b\x00o\x00o\x00k\x00\x00\x00", "B\x00o\x00o\x00k\x00\x00\x00\x00\x00\x00\x00\x00\x00", ""},
		"another version": {"\x09\x08\x10\x00\x00\x06\x05\x00", "\x09\x08\x10\x00\x00\x05\x05\x00", "not a workbook of Excel 97 to 2003"},
	} {
		err := readAll(bytes.Replace(written, []byte(c.from), []byte(c.to), 1))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
}

func readAll(data []byte) error {
	book, err := xls.Open(bytes.NewReader(data))
	if err != nil {
		return err
	}
	for _, sheet := range book.Sheets {
		rows, err := sheet.Rows()
		if err != nil {
			return err
		}
		for _, err := range all(rows) {
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// FuzzRead checks that reading any bytes ends, with an error of a file if they cannot be
// read.
func FuzzRead(f *testing.F) {
	f.Add(written[:20<<10], 700, byte(9))
	f.Add(written, 20<<10, byte(0xFF))
	f.Fuzz(func(t *testing.T, data []byte, at int, change byte) {
		data = bytes.Clone(data)
		if at >= 0 && at < len(data) {
			data[at] = change
		}
		var known *stat.FileError
		if err := readAll(data); err != nil && !errors.As(err, &known) {
			t.Errorf("error %v is not one of a file", err)
		}
	})
}

// list returns all cells, a line each: sheet, row, column, text.
func list(t *testing.T, data []byte) string {
	t.Helper()
	book, err := xls.Open(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, sheet := range book.Sheets {
		rows, err := sheet.Rows()
		if err != nil {
			t.Fatal(err)
		}
		for cells, err := range all(rows) {
			if err != nil {
				t.Fatal(err)
			}
			for i, cell := range cells {
				if at := rows.At(i); cell != "" {
					fmt.Fprintf(&b, "%s\t%d\t%d\t%s\n", sheet.Name, at.Line, at.Column, strings.ReplaceAll(cell, "\n", " "))
				}
			}
		}
	}
	return b.String()
}

func all(rows workbook.Rows) func(yield func([]string, error) bool) {
	return func(yield func([]string, error) bool) {
		for {
			row, err := rows.Next()
			if err == io.EOF || !yield(row, err) || err != nil {
				return
			}
		}
	}
}
