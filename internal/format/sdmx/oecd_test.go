package sdmx_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"almanac/internal/format"
	"almanac/internal/format/formattest"
	"almanac/internal/format/sdmx/sdmxcsv"
	"almanac/internal/format/sdmx/structure"
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

// learn returns the dictionary of a structure message.
func learn(t *testing.T, s formattest.Sample) *stat.Dictionary {
	t.Helper()
	open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(s.Data)), nil }
	d, err := formattest.FormatOf(t, structure.Formats(), s).Learn(t.Context(), format.Input{Name: s.Name, Data: bytes.NewReader(s.Data), Again: open})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestOECD compares every observation of a file of the OECD's Data Explorer with
// encoding/csv, with the structure that belongs to it and without. The unit is a
// dimension; the attribute of its multiplier becomes part of the unit's text, and that of its
// currency names the national currency.
func TestOECD(t *testing.T) {
	s := stattest.SampleMore(t, "oecd-gdp/data.csv")
	known := learn(t, stattest.SampleMore(t, "oecd-gdp/structure.xml"))
	rows, err := csv.NewReader(bytes.NewReader(s.Data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if head := strings.Join(rows[0], ","); head != "DATAFLOW,REF_AREA,MEASURE,UNIT_MEASURE,FREQ,TIME_PERIOD,OBS_VALUE,OBS_STATUS,UNIT_MULT,DECIMALS,CURRENCY" {
		t.Fatalf("the headings are %s", head)
	}
	powers := map[string]string{"3": "thousands", "6": "millions", "9": "billions"}
	for _, d := range []*stat.Dictionary{known, nil} {
		var want []string
		for _, r := range rows[1:] {
			unit := r[3]
			switch {
			case unit == "XDC":
				unit = currency(d, r[10])
			case d != nil:
				unit = "US dollar"
			}
			want = append(want, fmt.Sprintf("%s,%s,%s,%s, %s = %s %q %q", r[2], r[3], r[4], r[1], r[5], number(t, r[6]), r[7], unit+" ("+powers[r[8]]+")"))
		}
		s.In.Dictionary = func(string) *stat.Dictionary { return d }
		formattest.SameLines(t, formattest.ReadOne(t, sdmxcsv.Formats()[0], s), want)
	}
}

// currency returns the name of a currency, or its code if no list is known.
func currency(d *stat.Dictionary, code string) string {
	if d == nil {
		return code
	}
	codes := d.Lists[stat.ListName("CURRENCY")].Codes
	return codes[slices.IndexFunc(codes, func(c stat.Code) bool { return c.ID == code })].Label
}

// number writes a number as Go does.
func number(t *testing.T, text string) string {
	t.Helper()
	var v float64
	if _, err := fmt.Sscan(text, &v); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(v + 0) // without the sign of -0
}
