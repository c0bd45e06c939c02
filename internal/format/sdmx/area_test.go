package sdmx_test

import (
	"slices"
	"strings"
	"testing"

	"almanac/internal/format"
	"almanac/internal/format/formattest"
	"almanac/internal/format/sdmx/sdmxcsv"
	"almanac/internal/format/sdmx/sdmxml"
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

// TestAreaOfINSEE: the area of a series without a geography is its attribute REF_AREA:
// FE is France without Mayotte.
func TestAreaOfINSEE(t *testing.T) {
	s := stattest.SampleMore(t, "sdmx-CNA-2010-CONSO-SI-A17/CNA-2010-CONSO-SI-A17.xml")
	formattest.SameLines(t, formattest.ReadOne(t, formattest.FormatOf(t, sdmxml.Formats(), s), s), []string{
		`S13,P3,A10-BE,IPCH,FE, 2014 = 89.9 "P" "SO"`, `S13,P3,A10-BE,IPCH,FE, 2013 = 92.7 "INSEE:SD" "SO"`,
	})
}

// TestAreaAsAttribute: the same holds in CSV with a structure that says that the area is
// an attribute, unless it is sometimes empty.
func TestAreaAsAttribute(t *testing.T) {
	d := stat.NewDictionary("insee")
	d.Structures["x"] = &stat.Structure{ID: "X", Time: "TIME_PERIOD", Measure: "OBS_VALUE",
		Dimensions: []stat.Component{{ID: "PRODUIT"}}, Attributes: []stat.Component{{ID: "REF_AREA"}}}
	for rest, want := range map[string]string{"B,2020,2,FE\n": "FE", "B,2020,2,\n": ""} {
		s := formattest.Sample{Name: "x.csv", Data: []byte("DATAFLOW,PRODUIT,TIME_PERIOD,OBS_VALUE,REF_AREA\nFR1:X(1.0),A,2020,1,FE\nFR1:X(1.0)," + rest)}
		s.In = format.Input{Dictionary: func(string) *stat.Dictionary { return d }}
		table := formattest.ReadOne(t, sdmxcsv.Formats()[0], s)
		var codes []string
		for _, c := range table.Dataset.Geography.Codes {
			codes = append(codes, c.ID)
		}
		if got := strings.Join(slices.Compact(codes), " "); got != want {
			t.Errorf("with %q the areas are %q, not %q", rest, got, want)
		}
	}
}
