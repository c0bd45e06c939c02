package bis_test

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/format/bis"
	"almanac/internal/format/formattest"
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

const (
	old = "Dataset,\"BIS Effective Exchange Rates\"\nRetrieved on,Tue Nov 17 08:41:20 GMT 2015\n" +
		"\"Frequency\",\"Type\",\"Reference area\",\"Time Period\",\"2015-01\",\"2015-02\"\n\"M:Monthly\",\"N:Nominal\",\"AE:United Arab Emirates\",\"M:N:AE\",\"\",\"1.5\"\n"
	new = "FREQ,Frequency,REF_AREA,Reference area,UNIT_MULT,Unit Multiplier,Series,2015-01,2015-02\nM,Monthly,AT,Austria,6,Millions,M:AT,95.62,NaN\n"
)

// rates is the real file of effective exchange rates.
func rates(t testing.TB) formattest.Sample {
	archive, err := zip.OpenReader(filepath.Join(stattest.DataDir(t), "bis", "full_bis_eer_csv.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	file, err := archive.File[0].Open()
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	return formattest.Sample{Name: archive.File[0].Name, Data: data}
}

// TestRates compares every cell of the real file with encoding/csv; the codes come
// from the keys of the series, which the reader does not use.
func TestRates(t *testing.T) {
	s := rates(t)
	r := csv.NewReader(bytes.NewReader(s.Data))
	r.FieldsPerRecord = -1
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	cells := 0
	for _, row := range rows[5:] {
		for i, cell := range row[5:] {
			cells++
			if cell == "" {
				continue
			}
			value, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				t.Fatal(err)
			}
			year, month, _ := strings.Cut(rows[4][5+i], "-")
			want = append(want, fmt.Sprintf("%s, %s/%s = %v", strings.ReplaceAll(row[4], ":", ","), month, year, value))
		}
	}
	table := formattest.ReadOne(t, bis.Formats()[0], s)
	formattest.SameLines(t, table, want)
	if len(rows) != 180 || cells != 175*622 || table.Report.Read != cells {
		t.Errorf("%d lines, %d cells, %d read", len(rows), cells, table.Report.Read)
	}
	for _, o := range table.All {
		if o.Frequency != stat.Month {
			t.Fatalf("line %d: the frequency is %d, want monthly", o.At.Line, o.Frequency)
		}
	}
	checkLabels(t, table, rows)
	if made := table.Prepared.Format("2006-01-02 15:04:05"); made != "2015-11-17 08:41:20" {
		t.Errorf("made at %s", made)
	}
}

// checkLabels checks that each cell "code:label" of the first columns is a code with a
// label.
func checkLabels(t *testing.T, table formattest.Table, rows [][]string) {
	t.Helper()
	for i, axis := range table.Dataset.Axes() {
		for _, c := range axis.Codes {
			if !slices.ContainsFunc(rows[5:], func(row []string) bool { return row[i] == c.ID+":"+c.Label }) {
				t.Errorf("%s has the code %s %q, which is in no row", axis.ID, c.ID, c.Label)
			}
		}
	}
}

func TestConform(t *testing.T) {
	formattest.Conform(t, bis.Formats()[0], rates(t), formattest.Sample{Name: "WS_EER_csv_col.csv", Data: []byte(new)})
}

func FuzzRead(f *testing.F) {
	formattest.Fuzz(f, bis.Formats()[0], formattest.Sample{Name: "full_BIS_EER_csv.csv", Data: []byte(old)},
		formattest.Sample{Name: "WS_EER_csv_col.csv", Data: []byte(new)})
}

// TestManyColumns checks that an endless line of headings is refused, and a table
// without headings.
func TestManyColumns(t *testing.T) {
	f := bis.Formats()[0]
	long := strings.Replace(new, "Series", strings.Repeat("x,", 300_000)+"Series", 1)
	for _, text := range []string{long, "Dataset,x\n", ""} {
		if f.Recognise("x.csv", []byte(text)[:min(len(text), 64<<10)]) {
			t.Errorf("%.20q… is recognised", text)
		}
		if _, err := formattest.Read(t.Context(), f, formattest.Sample{Name: "x.csv", Data: []byte(text)}); stat.KindOf(err) != stat.Refused {
			t.Errorf("the error is %v", err)
		}
	}
}
