package chart_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"almanac/internal/request"
)

// Zeros between values of an index are no values. Those of amounts are, and those of an index
// whose other values are small enough to be rounded to zero.
func TestZerosOfIndices(t *testing.T) {
	for _, test := range []struct {
		unit, values string
		want         int // values that are drawn
	}{
		{"Index", "12 0 0 14 0 15 16", 4},
		{"Index, 2015=100", "0 12 0 14 0", 4}, // not at the ends
		{"Index", "0 0.1 0 0.2 12", 5},
		{"Persons", "12 0 0 14 0 15 16", 7},
	} {
		table := "#almanac-tidy,1\n#source,x,Office\n#dataset,t,Table\n#dimension,unit,Unit,unit\n#code,U,\"" + test.unit + "\"\n#geography,geo,Area\n#code,NZ,New Zealand\nunit,geo,TIME_PERIOD,OBS_VALUE\n"
		for i, value := range strings.Fields(test.values) {
			table += "U,NZ,201" + string(rune('0'+i)) + "," + value + "\n"
		}
		c, err := request.BindChart("type=line")
		if err != nil {
			t.Fatal(err)
		}
		s, _, err := request.Spec(context.Background(), vintageOf(t, strings.TrimSpace(table)), c)
		if err != nil {
			t.Fatal(err)
		}
		got := 0
		for _, v := range s.Series[0].Values {
			if !math.IsNaN(v) {
				got++
			}
		}
		hasNote := slices.ContainsFunc(s.Notes, func(n string) bool { return strings.HasPrefix(n, "Zeros between") })
		if all := len(strings.Fields(test.values)); got != test.want || hasNote != (got < all) {
			t.Errorf("%s: %s: %d values are drawn, want %d; notes %q", test.unit, test.values, got, test.want, s.Notes)
		}
	}
}

// Zeros of an index that is derived from values of the office are values, and a picture of
// changes says so.
func TestDerivedZerosAndUnits(t *testing.T) {
	v := vintageOf(t, "#almanac-tidy,1\n#source,x,Office\n#dataset,homicides,Homicides\n#dimension,unit,Unit,unit\n#code,U,Persons\n#geography,geo,Area\n#code,LI,Liechtenstein\nunit,geo,TIME_PERIOD,OBS_VALUE\nU,LI,2017,20\nU,LI,2018,0\nU,LI,2019,10\nU,LI,2020,20")
	for _, test := range []struct{ transform, subtitle, unit string }{
		{"index:2017", "Persons · 2017 = 100 · Liechtenstein · 2017–2020", "2017 = 100"},
		{"change", "Change on previous year, Persons · Liechtenstein · 2018–2020", "Change on previous year, Persons"},
	} {
		c, err := request.BindChart("type=line&transform=" + test.transform)
		if err != nil {
			t.Fatal(err)
		}
		s, _, err := request.Spec(context.Background(), v, c)
		if err != nil {
			t.Fatal(err)
		}
		if s.Unit != test.unit || s.Subtitle != test.subtitle {
			t.Errorf("%s: unit %q, subtitle %q", test.transform, s.Unit, s.Subtitle)
		}
		if test.transform != "change" && (len(s.Series[0].Values) != 4 || s.Series[0].Values[1] != 0) {
			t.Errorf("%s: values %v, want a zero", test.transform, s.Series[0].Values)
		}
	}
}
