package owid_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"
	"testing"

	"almanac/internal/format/formattest"
	"almanac/internal/format/owid"
	"almanac/internal/stattest"
)

const sample = "Entity,Code,Year,GDP,Population\nFrance,FRA,1950,1.5,\nAfrica,,1950,2,3\nWorld,OWID_WRL,1950,4,5\n"

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
	table := formattest.ReadOne(t, owid.Formats()[0], s)
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

func TestConform(t *testing.T) {
	formattest.Conform(t, owid.Formats()[0], emissions(t))
}

func FuzzRead(f *testing.F) {
	formattest.Fuzz(f, owid.Formats()[0], formattest.Sample{Name: "co2.csv", Data: []byte(sample)},
		formattest.Sample{Name: "cases.csv", Data: []byte("entity,code,day,cases\nFrance,FRA,2020-03-01,7\n")})
}
