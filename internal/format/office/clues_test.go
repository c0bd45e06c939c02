package office_test

import (
	"testing"

	"almanac/internal/format/office"
	"almanac/internal/stat"
)

// A file without a source gets the name of the office that makes such files, or that its
// description names.
func TestNameByClues(t *testing.T) {
	measures := func(codes ...string) []stat.Dimension {
		d := stat.Dimension{ID: "INDICATOR", Role: stat.RoleOther}
		for _, code := range codes {
			d.Codes = append(d.Codes, stat.Code{ID: code})
		}
		return []stat.Dimension{d}
	}
	for _, c := range []struct {
		dataset stat.Dataset
		want    string
	}{
		{stat.Dataset{Code: "stadat-nep0034-22.1.2.1-hu"}, "Hungarian Central Statistical Office"},
		{stat.Dataset{Code: "NCHS_-_Leading_Causes"}, "National Center for Health Statistics"},
		{stat.Dataset{Code: "unrate"}, "FRED"},
		{stat.Dataset{Code: "rates"}, ""},
		{stat.Dataset{Code: "people", Dimensions: measures("POPESTIMATE", "NPOPCHG")}, "US Census Bureau"},
		{stat.Dataset{Code: "people", Dimensions: measures("POPESTIMATE")}, ""},
		{stat.Dataset{Code: "rv021", Dimensions: []stat.Dimension{{ID: "Sugu"}}}, "Statistics Estonia"},
		{stat.Dataset{Code: "rv021"}, ""},
		{stat.Dataset{Code: "a", Description: "Estimates\nSource:  U.S. Census Bureau, Small Area Estimates\nRelease"}, "US Census Bureau"},
		{stat.Dataset{Code: "a", Description: "See https://hdr.undp.org/notes.pdf and https://hdr.undp.org."}, "UNDP Human Development Reports"},
		{stat.Dataset{Code: "a", Description: "See https://hdr.undp.org/notes.pdf and https://www.bls.gov/cpi"}, ""},
	} {
		if got := office.NameByClues(&c.dataset); got != c.want {
			t.Errorf("%s: %q, want %q", c.dataset.Code, got, c.want)
		}
	}
}
