package gho_test

import (
	"cmp"
	"fmt"
	"testing"

	"almanac/internal/format/formattest"
	"almanac/internal/format/gho"
	"almanac/internal/stattest"
)

// TestAthena compares every cell of a real file of the older service.
func TestAthena(t *testing.T) {
	s := stattest.SampleMore(t, "who-gho-air1/AIR_1.csv")
	f := formattest.FormatOf(t, gho.Formats(), s)
	formattest.Conform(t, f, s)
	table := formattest.ReadOne(t, f, s)
	var want []string
	for _, r := range rowsOf(t, s.Data) {
		place := cmp.Or(r["COUNTRY"], r["WORLDBANKINCOMEGROUP"], r["REGION"])
		for i, column := range []string{"Numeric", "Low", "High"} {
			if r[column] != "" {
				want = append(want, fmt.Sprintf("%s,%s, %s = %s", []string{"VALUE", "LOWER", "UPPER"}[i], place, r["YEAR"], float(t, r[column])))
			}
		}
	}
	formattest.SameLines(t, table, want)
	if table.Dataset.Code != "AIR_1" {
		t.Errorf("the dataset is %s", table.Dataset.Code)
	}
}

func float(t *testing.T, text string) string {
	t.Helper()
	var v float64
	if _, err := fmt.Sscan(text, &v); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(v)
}
