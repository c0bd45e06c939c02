package eurostat_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/format/eurostat"
	"almanac/internal/format/formattest"
	"almanac/internal/stattest"
)

// TestJoined compares every value of a table with semicolons in its keys with
// encoding/csv.
func TestJoined(t *testing.T) {
	s := stattest.SampleMore(t, "estat-crim-csv/crim_off_cat__custom_128689_20201028_155532.csv")
	table := formattest.ReadOne(t, formattest.FormatOf(t, eurostat.Formats(), s), s)
	records, err := csv.NewReader(bytes.NewReader(s.Data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, row := range records[1:] {
		for i, cell := range row[1:] {
			number, _, _ := strings.Cut(cell, " ")
			if v, err := strconv.ParseFloat(number, 64); err == nil {
				want = append(want, fmt.Sprintf("%s %s %v", row[0], strings.TrimSpace(records[0][i+1]), v))
			}
		}
	}
	for _, o := range table.All {
		if math.IsNaN(o.Value) {
			continue
		}
		var codes []string
		for i, dim := range append(slices.Clone(table.Dataset.Dimensions), table.Dataset.Geography) {
			codes = append(codes, dim.Codes[o.Key[i]].ID)
		}
		got = append(got, fmt.Sprintf("%s %s %v", strings.Join(codes, ";"), o.Period, o.Value))
	}
	slices.Sort(want)
	slices.Sort(got)
	if len(want) != 10626 || !slices.Equal(got, want) {
		t.Errorf("%d values differ from the %d of the file, which are 10626", len(got), len(want))
	}
}
