package statcan_test

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/format/formattest"
	"almanac/internal/format/statcan"
	"almanac/internal/format/text"
	"almanac/internal/stattest"
)

func TestCases(t *testing.T) { stattest.Cases(t, statcan.Formats()) }

const sample = "REF_DATE,GEO,DGUID,Sex,UOM,UOM_ID,SCALAR_FACTOR,SCALAR_ID,VECTOR,COORDINATE,VALUE,STATUS,SYMBOL,TERMINATED,DECIMALS\n" +
	"2023-01,Ontario,2016A000235,Females,Persons,249,thousands,3,v1,1.2,3.8,A,r,,1\n2023-02,Ontario,2016A000235,Females,Persons,249,thousands,3,v1,1.2,,..,,,1\n"

func TestConform(t *testing.T) {
	formattest.Conform(t, statcan.Formats()[0], formattest.Sample{Name: "1.csv", Data: []byte(sample)})
}

func FuzzRead(f *testing.F) {
	formattest.Fuzz(f, statcan.Formats()[0], formattest.Sample{Name: "1.csv", Data: []byte(sample)})
}

// TestStrict checks that, of all real files, none of another office is recognised.
func TestStrict(t *testing.T) { stattest.CheckRecognition(t, statcan.Formats()) }

// TestFiles compares every cell of real files with encoding/csv.
func TestFiles(t *testing.T) {
	loading := stattest.SampleMore(t, "statcan-db/1410028701_databaseLoadingData.csv")
	archive := stattest.SampleMore(t, "statcan-18100204/18100204-eng.zip")
	members, err := zip.NewReader(bytes.NewReader(archive.Data), int64(len(archive.Data)))
	if err != nil {
		t.Fatal(err)
	}
	file, err := members.Open("18100204.csv")
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	for code, s := range map[string]formattest.Sample{"1410028701": loading, "18100204": {Name: "18100204.csv", Data: data}} {
		table := formattest.ReadOne(t, formattest.FormatOf(t, statcan.Formats(), s), s)
		if table.Dataset.Code != code || table.Dataset.Source.ID != "statcan" {
			t.Errorf("the dataset is %s:%s", table.Dataset.Source.ID, table.Dataset.Code)
		}
		formattest.SameLines(t, table, lines(t, s.Data))
	}
}

// lines returns the observations as an independent reader reads them. Empty cells
// without a status are not observations.
func lines(t *testing.T, data []byte) []string {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(data, text.ByteOrderMark))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	unit := 0
	for rows[0][unit] != "UOM" {
		unit++
	}
	var lines []string
	for _, r := range rows[1:] {
		year, month, _ := strings.Cut(r[0], "-")
		value, status, label := r[unit+6], map[string]string{"": "", "..": "M", "x": "Q", "...": "M"}[r[unit+7]], r[unit]
		if value == "" {
			if status == "" {
				continue
			}
			value = "NaN"
		} else if v, err := strconv.ParseFloat(value, 64); err != nil {
			t.Fatal(err)
		} else {
			value = fmt.Sprint(v)
		}
		if factor := strings.TrimSpace(r[unit+2]); factor != "units" {
			label += " (" + factor + ")"
		}
		line := fmt.Sprintf("%s,%s, %s/%s = %s", strings.Join(r[3:unit], ","), r[1], month, year, value)
		if status != "" {
			line += fmt.Sprintf(" %q", status)
		}
		lines = append(lines, line+fmt.Sprintf(" %q", label))
	}
	return lines
}
