package wto_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"
	"testing"

	"almanac/internal/format/formattest"
	"almanac/internal/format/wto"
	"almanac/internal/stattest"
)

func TestCases(t *testing.T) { stattest.Cases(t, wto.Formats()) }

// TestStrict checks that no real file of another office is recognised.
func TestStrict(t *testing.T) { stattest.CheckRecognition(t, wto.Formats()) }

const sample = "Indicator Category,Indicator Code,Indicator,Reporting Economy Code,Reporting Economy ISO3A Code,Reporting Economy,Period Code,Period,Frequency Code,Frequency,Unit Code,Unit,Year,Value Flag Code,Value Flag,Text Value,Value\n" +
	"C,I,Ind,012,DZA,Algeria,A,Annual,A,Annual,PCT,Percent,2017,,,,23.5\nC,I,Ind,012,DZA,Algeria,A,Annual,A,Annual,PCT,Percent,2018,E,Estimate,,\n"

func TestConform(t *testing.T) {
	formattest.Conform(t, wto.Formats()[0], formattest.Sample{Name: "1.csv", Data: []byte(sample)})
}

func FuzzRead(f *testing.F) {
	formattest.Fuzz(f, wto.Formats()[0], formattest.Sample{Name: "1.csv", Data: []byte(sample)})
}

// TestFile compares every cell of a real file with encoding/csv.
func TestFile(t *testing.T) {
	s := stattest.SampleMore(t, "wto-2021/WtoData_20210629174857.csv")
	table := formattest.ReadOne(t, formattest.FormatOf(t, wto.Formats(), s), s)
	rows, err := csv.NewReader(bytes.NewReader(s.Data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, r := range rows[1:] {
		if r[23] == "" {
			continue
		}
		want = append(want, fmt.Sprintf("%s,%s,%s,%s,%s,%s, %s = %s %q", r[1], r[6], r[9], r[11], r[15], r[4], r[19], number(t, r[23]), r[18]))
	}
	formattest.SameLines(t, table, want)
}

// number writes a number as Go does.
func number(t *testing.T, text string) string {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(v)
}
