package chart_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"almanac/internal/chart"
)

// A state is set apart from its counties, which have its number in their codes, and is not called
// like one of them.
func TestStateBesideCounties(t *testing.T) {
	header := "#almanac-tidy,1\n#source,bea,Bureau of Economic Analysis\n#dataset,t,Income\n#geography,GeoFips,Area\n"
	rows := "GeoFips,TIME_PERIOD,OBS_VALUE\n36001,2018,5\n36003,2018,4\n36061,2018,9\n36047,2018,3\n36005,2018,2\n"
	labels := "#code,36000,New York\n#code,36001,\"Albany, NY\"\n#code,36003,\"Allegany, NY\"\n#code,36061,\"New York, NY\"\n#code,36047,\"Kings, NY\"\n#code,36005,\"Bronx, NY\"\n"
	s := drawn(t, header+labels+rows+"36000,2018,4", "type=bar")
	i := slices.IndexFunc(s.Categories, func(c chart.Category) bool { return c.Group })
	if i < 0 || s.Categories[i].Label != "New York (as a whole)" {
		t.Errorf("categories %v, want New York set apart", s.Categories)
	}
	if !strings.HasPrefix(s.Subtitle, "By county · ") {
		t.Errorf("subtitle %q, want that of counties", s.Subtitle)
	}
}

// The code of a state is that of its counties, not of all counties with the same first digit.
func TestStateByCode(t *testing.T) {
	for _, c := range []struct {
		state, counties string
		want            bool
	}{
		{"36000", "36001 36003 36005 36047 36061", true},
		{"10000", "10001 10003 10005 10007 10009", true},
		{"10000", "10001 12003 12005 12007 12009", false},
		{"1000", "1001 1003 1005 1047 1131", true}, // 01000 in a file without leading zeros
		{"500000", "510000 520000 530000 540000 550000", false},
	} {
		header := "#almanac-tidy,1\n#source,bea,Bureau of Economic Analysis\n#dataset,t,Income\n#geography,GeoFips,Area\n"
		rows := "GeoFips,TIME_PERIOD,OBS_VALUE\n" + c.state + ",2018,4\n"
		labels := "#code," + c.state + ",Upper State\n"
		for i, code := range strings.Fields(c.counties) {
			labels += "#code," + code + ",Area " + string(rune('A'+i)) + "\n"
			rows += code + ",2018," + string(rune('1'+i)) + "\n"
		}
		s := drawn(t, header+labels+rows, "type=bar")
		if got := slices.ContainsFunc(s.Categories, func(c chart.Category) bool { return c.Group }); got != c.want {
			t.Errorf("%s is set apart from %s: %t, want %t", c.state, c.counties, got, c.want)
		}
	}
}

// Districts whose total is a region are districts of that region, and not of the country.
func TestPlaceOfParts(t *testing.T) {
	header := "#almanac-tidy,1\n#source,ukrstat,State Statistics Service of Ukraine\n#dataset,t,Housing stock\n#geography,territory,Territory\n"
	labels, rows := "#code,1,L'viv region\n", "territory,TIME_PERIOD,OBS_VALUE\n1,2011,20\n"
	for i, name := range []string{"Brody", "Busk", "Sokal", "Stryi", "Turka"} {
		labels += fmt.Sprintf("#code,%d,%s\n", i+2, name)
		rows += fmt.Sprintf("%d,2011,%d\n", i+2, i+2)
	}
	s := drawn(t, header+labels+rows, "type=bar")
	if want := "L'viv region, Ukraine · 2011"; s.Subtitle != want {
		t.Errorf("subtitle %q, want %q", s.Subtitle, want)
	}
}

// The only area that is called a total is set apart from municipalities of which the file has some.
func TestTotalByName(t *testing.T) {
	header := "#almanac-tidy,1\n#source,statice,Statistics Iceland\n#dataset,t,Population\n#geography,municipality,Municipality\n"
	labels := "#code,T,Total\n#code,0000,Reykjavíkurborg\n#code,1000,Kópavogsbær\n"
	rows := "municipality,TIME_PERIOD,OBS_VALUE\nT,2021,9\n0000,2021,4\n1000,2021,2\n"
	s := drawn(t, header+labels+rows, "type=bar")
	for _, c := range s.Categories {
		if c.Group != (c.Label == "Total") {
			t.Errorf("%q: set apart is %t", c.Label, c.Group)
		}
	}
}

// An area whose name is not known stays beside the known regions of a country, and a map names it and
// claims of no other region that there are no data.
func TestUnknownRegionBesideKnown(t *testing.T) {
	table := "#almanac-tidy,1\n#source,local,Local\n#dataset,t,Rate\n#geography,Region,Region\nRegion,TIME_PERIOD,OBS_VALUE\n"
	for i, name := range []string{"Tatarstan", "Dagestan", "Komi", "Mordovia", "Karelia", "Kalmykia", "Khakassia", "Novaya Zemlya Region"} {
		table += fmt.Sprintf("%s,2020,%d\n", name, 10+i)
	}
	for _, typ := range []string{"bar", "map"} {
		s := drawn(t, table, "type="+typ)
		if len(s.Categories) != 8 || strings.Contains(strings.Join(s.Notes, " "), "Not shown") {
			t.Errorf("%s: %d areas; %v", typ, len(s.Categories), s.Notes)
		}
	}
}
