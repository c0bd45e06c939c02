package un_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"testing"

	"almanac/internal/format/formattest"
	"almanac/internal/format/un"
	"almanac/internal/stattest"
)

// readMore reads one of the further real files with its format and with encoding/csv.
func readMore(t *testing.T, file string) (formattest.Table, [][]string) {
	t.Helper()
	s := stattest.SampleMore(t, file)
	r := csv.NewReader(bytes.NewReader(s.Data))
	r.FieldsPerRecord = -1
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return formattest.ReadOne(t, formattest.FormatOf(t, un.Formats(), s), s), rows
}

// TestUNdata compares every cell of an export of data.un.org.
func TestUNdata(t *testing.T) {
	table, rows := readMore(t, "undata-anemia/UNdata_Export_20241005_161251297.csv")
	var want []string
	for _, r := range rows[1:] {
		want = append(want, fmt.Sprintf("%s,%s, %s = %v %q", r[1], r[0], r[2], number(t, r[4]), r[3]))
	}
	formattest.SameLines(t, table, want)
}

// TestComtrade compares every cell of an export of UN Comtrade. Services have no
// quantities and weights.
func TestComtrade(t *testing.T) {
	table, rows := readMore(t, "comtrade-svc/TradeData_Services.csv")
	at := map[string]int{}
	for i, h := range rows[0] {
		at[h] = i
	}
	var want []string
	for _, r := range rows[1:] {
		key := ""
		for _, h := range []string{"typeCode", "freqCode", "flowCode", "partnerCode", "partner2Code", "classificationCode", "cmdCode", "customsCode", "mosCode", "motCode"} {
			key += r[at[h]] + ","
		}
		for _, measure := range []string{"primaryValue", "cifvalue", "fobvalue"} {
			if cell := r[at[measure]]; cell != "" {
				want = append(want, fmt.Sprintf("%s%s,%s, %s = %v", key, measure, r[at["reporterISO"]], r[at["period"]], number(t, cell)))
			}
		}
	}
	formattest.SameLines(t, table, want)
}
