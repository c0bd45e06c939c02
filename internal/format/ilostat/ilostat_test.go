package ilostat_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/format/formattest"
	"almanac/internal/format/ilostat"
	"almanac/internal/stattest"
)

const (
	labels = "\"ref_area.label\",\"source.label\",\"indicator.label\",\"sex.label\",\"time\",\"obs_value\",\"obs_status.label\",\"note_source.label\"\n" +
		"\"Austria\",\"LFS\",\"Unemployment\",\"Total\",\"2020\",5.2,\"Break in series\",\"Repository: ILO\"\n"
	codes = "ref_area,source,indicator,sex,classif1,time,obs_value,obs_status\nAUT,BA:1,UNE_TUNE_SEX_AGE_NB,SEX_T,AGE_YTHADULT_YGE15,2020Q1,5.2,A\n"
)

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
	table := formattest.ReadOne(t, ilostat.Formats()[0], s)
	formattest.SameLines(t, table, want)
	if len(want) != 6234 || table.Report.Read != 6234 {
		t.Errorf("%d records, %d read; the file has 6234", len(want), table.Report.Read)
	}
	if d := table.Dataset; d.Name != rows[1][2] || d.Code != "ear_4mth_sex_geo_cur_nb_a" {
		t.Errorf("the dataset is %s %q", d.Code, d.Name)
	}
}

func TestConform(t *testing.T) {
	formattest.Conform(t, ilostat.Formats()[0], earnings(t), formattest.Sample{Name: "codes.csv", Data: []byte(codes)})
}

func FuzzRead(f *testing.F) {
	formattest.Fuzz(f, ilostat.Formats()[0], formattest.Sample{Name: "labels.csv", Data: []byte(labels)},
		formattest.Sample{Name: "codes.csv", Data: []byte(codes)})
}
