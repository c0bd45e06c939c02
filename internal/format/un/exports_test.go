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

// exports are small files of the formats in this file's cases, by format.
var exports = map[string]string{
	"undata":   "\"Country or Area\",\"Year\",\"Sex\",\"Value\",\"Value Footnotes\"\nAlbania,2011,,1.5,1\n\nfootnoteSeqID,Footnote\n1,Census.\n",
	"comtrade": "typeCode,freqCode,period,reporterISO,flowCode,partnerCode,cmdCode,qtyUnitCode,qtyUnitAbbr,qty,primaryValue\nC,A,2022,USA,M,0,01,5,u,12,1000,\n",
	"un-sdg":   "SeriesCode,GeoAreaCode,TimePeriod,Value,FootNote,[Sex],[Units]\nSI_POV,8,2012,0.6,,,PERCENT\nSI_POV,8,2013,<1,x,BOTHSEX,PERCENT\n",
}

func TestConformExports(t *testing.T) {
	for _, f := range un.Formats() {
		if text, ok := exports[f.Name]; ok {
			formattest.Conform(t, f, formattest.Sample{Name: f.Name + ".csv", Data: []byte(text)})
		}
	}
}

func FuzzExports(f *testing.F) {
	for _, text := range exports {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, format := range un.Formats() {
			if _, ok := exports[format.Name]; !ok {
				continue
			}
			tables, err := formattest.Read(t.Context(), format, formattest.Sample{Name: "fuzz.csv", Data: data})
			for _, table := range tables {
				if problem := formattest.Problem(table); problem != "" && err == nil {
					t.Errorf("%s: %s", format.Name, problem)
				}
			}
		}
	})
}
