package eurostatcsv_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/format"
	"almanac/internal/format/eurostatcsv"
	"almanac/internal/format/formattest"
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

// TestCases compares the meanings of the cases in testdata.
func TestCases(t *testing.T) {
	stattest.Cases(t, eurostatcsv.Formats())
}

// TestRealFile compares every row of the real file with encoding/csv.
func TestRealFile(t *testing.T) {
	s := stattest.Sample(t, "eurostat/csv/nama_10_gdp_1_Data.csv")
	formattest.Conform(t, eurostatcsv.Formats()[0], s)
	table := formattest.ReadOne(t, eurostatcsv.Formats()[0], s)
	rows, err := csv.NewReader(bytes.NewReader(s.Data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	d, next, missing := table.Dataset, 0, 0
	for _, row := range rows[1:] {
		if row[4] == ":" && row[5] == "" {
			missing++
			continue
		}
		want, err := strconv.ParseFloat(strings.ReplaceAll(row[4], " ", ""), 64)
		if err != nil {
			want = math.NaN()
			missing++
		}
		o := table.All[next]
		next++
		axes := d.Axes()
		got := []string{o.Period.String(), axes[3].Codes[o.Key[3]].ID, axes[1].Codes[o.Key[1]].ID, axes[2].Codes[o.Key[2]].ID}
		if strings.Join(got, "|") != strings.Join(row[:4], "|") || !(o.Value == want || math.IsNaN(o.Value) && math.IsNaN(want)) ||
			string(o.Flags) != strings.ToUpper(row[5]) {
			t.Fatalf("line %d: %v %v %q, the row is %v", o.At.Line, got, o.Value, o.Flags, row)
		}
	}
	r := table.Report
	if next != len(table.All) || r.Read != 1350 || r.Missing != missing || missing != 63 || d.Code != "nama_10_gdp" {
		t.Errorf("%d of %d observations, read %d, missing %d of %d, code %q", next, len(table.All), r.Read, r.Missing, missing, d.Code)
	}
}

// TestKnownOrder checks that the dimensions have the order, IDs and roles of another
// file of the dataset, with the geography last.
func TestKnownOrder(t *testing.T) {
	known := stat.NewDictionary("eurostat")
	known.Structures["nama_10_gdp"] = &stat.Structure{ID: "nama_10_gdp", Dimensions: []stat.Component{{ID: "freq"}, {ID: "unit"}, {ID: "na_item"}, {ID: "geo"}}}
	for dictionary, want := range map[*stat.Dictionary]string{
		nil:   "frequency freq, other na_item, unit unit, geo geo, at 1",
		known: "frequency freq, unit unit, other na_item, geo geo, at 3",
	} {
		tables, err := formattest.Read(t.Context(), eurostatcsv.Formats()[0], formattest.Sample{
			Name: "nama_10_gdp_1_Data.csv", Data: []byte("\"TIME\",\"GEO\",\"NA_ITEM\",\"UNIT\",\"Value\",\"Flag and Footnotes\"\n\"2011\",\"BE\",\"B1GQ\",\"CP_MEUR\",\"1.5\",\"\"\n"),
			In: format.Input{Dictionary: func(string) *stat.Dictionary { return dictionary }},
		})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, dim := range tables[0].Dataset.Axes() {
			got += string(dim.Role) + " " + dim.ID + ", "
		}
		if got += fmt.Sprintf("at %d", tables[0].Dataset.GeographyAt); got != want {
			t.Errorf("the dimensions are %s, want %s", got, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	formattest.Fuzz(f, eurostatcsv.Formats()[0], formattest.Sample{Name: "nama_10_gdp_1_Data.csv", Data: []byte(
		"\"TIME\",\"GEO\",\"GEO_LABEL\",\"UNIT\",\"Value\",\"Flag and Footnotes\"\n\"2011\",\"BE\",\"Belgium\",\"a\",\"1 375.5\",\"bp\"\n\"2012\",\"BE\",\"Belgium\",\"a\",\":\",\"see the note\"\n")})
}

// TestStrict checks that, of all real files, only those of the format are recognised.
func TestStrict(t *testing.T) {
	stattest.CheckRecognition(t, eurostatcsv.Formats(), "eurostat/csv/nama_10_gdp_1_Data.csv")
}
