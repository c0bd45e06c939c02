package sdmx_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"almanac/internal/format/formattest"
	"almanac/internal/format/sdmx/sdmxml"
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

var (
	fedSeries      = regexp.MustCompile(`(?s)<kf:Series ([^>]*)>(.*?)</kf:Series>`)
	fedObservation = regexp.MustCompile(`<frb:Obs OBS_STATUS="(\w+)" OBS_VALUE="(\S+)" TIME_PERIOD="(\d+)-(\d+)-(\d+)" />`)
	fedField       = regexp.MustCompile(`(\w+)="([^"]*)"`)
)

// TestFederalReserve compares every observation of a message in SDMX-ML 1.0 with regular
// expressions. Its frequencies and multipliers are the office's own; -9999 with the status
// ND is missing; only the name tells some series apart.
func TestFederalReserve(t *testing.T) {
	s := stattest.SampleMore(t, "fed-xml/fed-data-1.0.xml")
	known := learn(t, stattest.SampleMore(t, "fed-xml/fed-structure-1.0.xml"))
	s.In.Dictionary = func(string) *stat.Dictionary { return known }
	tables, err := formattest.Read(t.Context(), formattest.FormatOf(t, sdmxml.Formats(), s), s)
	if err != nil || len(tables) != 2 {
		t.Fatalf("%d tables, error %v", len(tables), err)
	}
	parts := strings.Split(string(s.Data), "<frb:DataSet ")
	for i, keys := range [][]string{{"ISSUE", "TERMS", "FREQ", "SERIES_NAME"}, {"CREDTYP", "HOLDER", "DATAREP", "SA", "FREQ", "SERIES_NAME"}} {
		var want []string
		for _, series := range fedSeries.FindAllStringSubmatch(parts[i+1], -1) {
			fields := map[string]string{}
			for _, f := range fedField.FindAllStringSubmatch(series[1], -1) {
				fields[f[1]] = f[2]
			}
			key := ""
			for _, id := range keys {
				key += fields[id] + ","
			}
			unit := fields["UNIT"] + map[string]string{"1": "", "1000000": " (millions)"}[fields["UNIT_MULT"]]
			for _, o := range fedObservation.FindAllStringSubmatch(series[2], -1) {
				value, flag := o[2], o[1]
				if flag == "ND" {
					value, flag = "NaN", "O"
				} else {
					value = number(t, value)
				}
				want = append(want, fmt.Sprintf("%s %s/%s/%s = %s %q %q", key, o[5], o[4], o[3], value, flag, unit))
			}
		}
		if len(want) == 0 {
			t.Error("the independent reader finds nothing")
		}
		formattest.SameLines(t, tables[i], want)
		for _, o := range tables[i].All {
			if o.Frequency != stat.Month {
				t.Fatalf("the frequency of line %d is %v, not monthly", o.At.Line, o.Frequency)
			}
		}
	}
	if a, b := tables[0].Dataset.Name, tables[1].Dataset.Name; a != "Terms of Credit Outstanding" || b != "Consumer Credit Outstanding" {
		t.Errorf("the names are %q and %q", a, b)
	}
}
