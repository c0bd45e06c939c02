package chart_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"almanac/internal/chart"
	"almanac/internal/request"
)

// A state is set apart from its counties, which have its number in their codes, and is not called
// like one of them.
func TestStateBesideCounties(t *testing.T) {
	header := "#almanac-tidy,1\n#source,bea,Bureau of Economic Analysis\n#dataset,t,Income\n#geography,GeoFips,Area\n"
	rows := "GeoFips,TIME_PERIOD,OBS_VALUE\n36001,2018,5\n36003,2018,4\n36061,2018,9\n36047,2018,3\n36005,2018,2\n"
	labels := "#code,36000,New York\n#code,36001,\"Albany, NY\"\n#code,36003,\"Allegany, NY\"\n#code,36061,\"New York, NY\"\n#code,36047,\"Kings, NY\"\n#code,36005,\"Bronx, NY\"\n"
	c, err := request.BindChart("type=bar")
	if err != nil {
		t.Fatal(err)
	}
	s, _, err := request.Spec(context.Background(), vintageOf(t, header+labels+rows+"36000,2018,4"), c)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(s.Categories, func(c chart.Category) bool { return c.Group })
	if i < 0 || s.Categories[i].Label != "New York (as a whole)" {
		t.Errorf("categories %v, want New York set apart", s.Categories)
	}
	if !strings.HasPrefix(s.Subtitle, "By county · ") {
		t.Errorf("subtitle %q, want that of counties", s.Subtitle)
	}
}
