package clients

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
)

// maxSheet is the most observations of a workbook that LibreOffice opens here, and pandas in the short
// form of its test.
const maxSheet = 3000

// asCSV converts each sheet to a file of CSV: comma, quotes, UTF-8, from the first line on, values
// as they are stored, all sheets (-1).
const asCSV = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,false,false,false,-1"

// TestLibreOffice opens workbooks, one dataset of each source, and compares the cells of the sheet
// of data with the CSV.
func TestLibreOffice(t *testing.T) {
	s, dir := serve(t), t.TempDir()
	var selections []selection
	args := []string{"-env:UserInstallation=file://" + filepath.Join(dir, "profile"), "--headless", "--convert-to", asCSV, "--outdir", dir}
	for _, sel := range s.selections(t, maxShort) {
		if sel.Observations > maxSheet || slices.ContainsFunc(selections, func(other selection) bool { return other.Source == sel.Source }) {
			continue
		}
		file := filepath.Join(dir, fmt.Sprintf("%d.xlsx", sel.ID))
		if err := os.WriteFile(file, s.read(t, sel.path("data.xlsx")), 0o644); err != nil {
			t.Fatal(err)
		}
		selections, args = append(selections, sel), append(args, file)
	}
	if len(selections) < 5 {
		t.Fatalf("only %d sources have a small dataset", len(selections))
	}
	run(t, "soffice", args...)
	for _, sel := range selections {
		t.Run(sel.Source+" "+sel.Code, func(t *testing.T) {
			sheet, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("%d-Data.csv", sel.ID)))
			if err != nil {
				t.Fatal(err)
			}
			compareRecords(t, records(t, sheet), records(t, s.read(t, sel.path("data.csv"))))
			for _, name := range []string{"About", "Flags"} {
				sheet, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("%d-%s.csv", sel.ID, name)))
				if err != nil || len(records(t, sheet)) < 2 {
					t.Errorf("the sheet %s: %v, %.100s", name, err, sheet)
				}
			}
		})
	}
}

func records(t *testing.T, text []byte) [][]string {
	t.Helper()
	all, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// compareRecords compares cells, those of the column value as numbers.
func compareRecords(t *testing.T, got, want [][]string) {
	t.Helper()
	if len(got) != len(want) || len(got[0]) != len(want[0]) {
		t.Fatalf("LibreOffice has %d rows with columns %q, the CSV %d with %q", len(got), got[0], len(want), want[0])
	}
	value := slices.Index(want[0], "value")
	wrong := 0
	for i, row := range want {
		for j, cell := range row {
			same := got[i][j] == cell
			if j == value && i > 0 && !same {
				a, errA := strconv.ParseFloat(got[i][j], 64)
				b, errB := strconv.ParseFloat(cell, 64)
				same = errA == nil && errB == nil && a == b
			}
			if !same {
				if wrong++; wrong <= 5 {
					t.Errorf("row %d, %s: LibreOffice has %q, the CSV %q", i, want[0][j], got[i][j], cell)
				}
			}
		}
	}
}
