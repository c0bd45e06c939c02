package hits

import (
	"strings"
	"testing"

	"almanac/internal/stat"
)

// TestPositions says which area of a dataset is shown: the asked one as the office has it, or without
// one the group that stands for all.
func TestPositions(t *testing.T) {
	for name, c := range map[string]struct {
		have, asked, want string
	}{
		"the world":                {"DE un:001 FR", "", "un:001"},
		"the world of UNICEF":      {"DE WORLD FR", "", "WORLD"},
		"the euro area of the ECB": {"DK U2 US", "", "U2"},
		"no group":                 {"DK US", "", ""},
		"the only area":            {"DK", "", "DK"},
		"metropolitan France":      {"insee:FM", "FR", "insee:FM"},
		"the country itself":       {"FR FX", "FR", "FR"},
	} {
		d := &stat.Dataset{}
		for area := range strings.FieldsSeq(c.have) {
			d.Geography.Codes = append(d.Geography.Codes, stat.Code{ID: "x" + area, Area: area})
		}
		var asked []Area
		if c.asked != "" {
			asked = []Area{{Code: c.asked}}
		}
		got := ""
		if at := positions(d, asked); len(at) > 0 {
			got = d.Geography.Codes[at[0]].Area
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
