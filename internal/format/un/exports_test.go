package un_test

import (
	"testing"

	"almanac/internal/format/formattest"
	"almanac/internal/format/un"
)

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
