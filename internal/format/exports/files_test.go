package exports_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/format/exports"
	"almanac/internal/format/formattest"
	"almanac/internal/stattest"
)

func emissions(t testing.TB) formattest.Sample {
	return stattest.Sample(t, "owid/co2-emissions-per-capita.csv")
}

// TestEmissions compares every row of the real file with encoding/csv.
func TestEmissions(t *testing.T) {
	s := emissions(t)
	rows, err := csv.NewReader(bytes.NewReader(s.Data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	labels := map[string]string{}
	for _, row := range rows[1:] {
		value, err := strconv.ParseFloat(row[3], 64)
		if err != nil {
			t.Fatal(err)
		}
		code := row[1]
		if code == "" {
			code = row[0]
		}
		labels[code] = row[0]
		want = append(want, fmt.Sprintf("%s, %s = %v", code, row[2], value))
	}
	table := formattest.ReadOne(t, named(t, "owid"), s)
	formattest.SameLines(t, table, want)
	if len(want) != 25728 || table.Report.Read != 25728 {
		t.Errorf("%d rows, %d read; the file has 25728", len(want), table.Report.Read)
	}
	for _, c := range table.Dataset.Geography.Codes {
		if labels[c.ID] != c.Label {
			t.Errorf("the label of %s is %q, want %q", c.ID, c.Label, labels[c.ID])
		}
		delete(labels, c.ID)
	}
	if len(labels) > 0 {
		t.Errorf("missing entities: %v", labels)
	}
}

// TestUNCTAD compares every cell of a real file with encoding/csv.
func TestUNCTAD(t *testing.T) {
	s := stattest.SampleMore(t, "unctad-pop/US_PopTotal_20230713030810 3.csv")
	table := formattest.ReadOne(t, formattest.FormatOf(t, exports.Formats(), s), s)
	rows, err := csv.NewReader(bytes.NewReader(s.Data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, r := range rows[1:] {
		for i, measure := range []string{"Absolute value in thousands", "Urban population as percentage of total population"} {
			value, footnote, missing := r[3+3*i], r[4+3*i], r[5+3*i]
			line := fmt.Sprintf("%s,%s, %s = ", measure, r[1], r[0])
			switch {
			case value == "" && missing == "Not applicable":
				line += `NaN "M"`
			case footnote == "Break":
				line += number(t, value) + ` "B" "Break"`
			default:
				line += number(t, value)
			}
			want = append(want, line)
		}
	}
	formattest.SameLines(t, table, want)
}

func earnings(t testing.TB) formattest.Sample {
	return stattest.Sample(t, "ilo/EAR_4MTH_SEX_GEO_CUR_NB_A.csv")
}

// TestEarnings compares every record of the real file with encoding/csv.
func TestEarnings(t *testing.T) {
	s := earnings(t)
	rows, err := csv.NewReader(bytes.NewReader(s.Data[3:])).ReadAll() // after the byte order mark
	if err != nil {
		t.Fatal(err)
	}
	flags := map[string]string{"": "", "Break in series": ` "B"`, "Unreliable": ` "U"`}
	var want []string
	for _, c := range rows[1:] {
		flag, known := flags[c[8]]
		value, err := strconv.ParseFloat(c[7], 64)
		if !known || err != nil {
			t.Fatalf("status %q, error %v", c[8], err)
		}
		note := strings.Trim(c[9]+"; "+c[10], "; ")
		want = append(want, fmt.Sprintf("%s,%s,%s,%s,%s, %s = %v%s %q", c[1], c[3], c[4], c[5], c[0], c[6], value, flag, note))
	}
	table := formattest.ReadOne(t, named(t, "ilostat"), s)
	formattest.SameLines(t, table, want)
	if len(want) != 6234 || table.Report.Read != 6234 {
		t.Errorf("%d records, %d read; the file has 6234", len(want), table.Report.Read)
	}
	if d := table.Dataset; d.Name != rows[1][2] || d.Code != "ear_4mth_sex_geo_cur_nb_a" {
		t.Errorf("the dataset is %s %q", d.Code, d.Name)
	}
}

// A table of the National Bureau of Statistics of China is in GB 18030, and is known all the same.
func TestProvinces(t *testing.T) {
	s := stattest.SampleMore(t, "nbs-prov/分省年度数据 (1).csv")
	f := formattest.FormatOf(t, exports.Formats(), s)
	table := formattest.ReadOne(t, f, s)
	if d := table.Dataset; f.Name != "nbs" || d.Name != "人口数(人口抽样调查)" || d.Unit != "人" || table.Report.Read != 620 {
		t.Errorf("%s: %q in %q, %d read; want 620 of 人口数(人口抽样调查) in 人", f.Name, d.Name, d.Unit, table.Report.Read)
	}
}
