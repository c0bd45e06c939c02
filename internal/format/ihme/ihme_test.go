package ihme_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"
	"testing"

	"almanac/internal/format/formattest"
	"almanac/internal/format/ihme"
	"almanac/internal/stattest"
)

func TestCases(t *testing.T) { stattest.Cases(t, ihme.Formats()) }

// TestStrict checks that no real file of another office is recognised.
func TestStrict(t *testing.T) { stattest.CheckRecognition(t, ihme.Formats()) }

const sample = "measure,location,metric,year,val,upper,lower\nDeaths,French Republic,Percent,2021,0.03,0.05,0.01\n"

func TestConform(t *testing.T) {
	formattest.Conform(t, ihme.Formats()[0], formattest.Sample{Name: "1.csv", Data: []byte(sample)})
}

func FuzzRead(f *testing.F) {
	formattest.Fuzz(f, ihme.Formats()[0], formattest.Sample{Name: "1.csv", Data: []byte(sample)})
}

// TestFile compares every cell of a real file with encoding/csv.
func TestFile(t *testing.T) {
	s := stattest.SampleMore(t, "ihme-gbd/IHME-GBD_2021_DATA-446de514-1.csv")
	table := formattest.ReadOne(t, formattest.FormatOf(t, ihme.Formats(), s), s)
	rows, err := csv.NewReader(bytes.NewReader(s.Data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, r := range rows[1:] {
		for i, estimate := range []string{"VALUE", "LOWER", "UPPER"} {
			cell := r[[]int{8, 10, 9}[i]]
			key := r[0] + "," + r[2] + "," + r[3] + "," + r[4] + "," + r[5] + "," + r[6]
			want = append(want, fmt.Sprintf("%s,%s,%s, %s = %s", key, estimate, r[1], r[7], number(t, cell)))
		}
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
