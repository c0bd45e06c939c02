package hits

import (
	"strings"
	"testing"

	"almanac/internal/search"
	"almanac/internal/stat"
)

// TestPositions says which area of a dataset is shown: the asked one as the office has it, or without
// one the group that stands for all.
func TestPositions(t *testing.T) {
	for name, c := range map[string]struct {
		have, asked, want string
	}{
		"the world":                 {"DE un:001 FR", "", "un:001"},
		"the world of UNICEF":       {"DE WORLD FR", "", "WORLD"},
		"the euro area of the ECB":  {"DK U2 US", "", "U2"},
		"no group":                  {"DK US", "", ""},
		"the only area":             {"DK", "", "DK"},
		"metropolitan France":       {"insee:FM", "FR", "insee:FM"},
		"the country itself":        {"FR FX", "FR", "FR"},
		"another composition":       {"DE EA18 EA19", "EA", "EA19"},
		"members of each time":      {"DE EA19 U2", "EA", "U2"},
		"one composition only":      {"DE EA18 EA19", "EA20", ""},
		"the ECB's composition":     {"DE I8 I7", "EA", "I8"},
		"an earlier European Union": {"DE EU28 EU15", "EU", "EU28"},
	} {
		d := &stat.Dataset{}
		for area := range strings.FieldsSeq(c.have) {
			d.Geography.Codes = append(d.Geography.Codes, stat.Code{ID: "x" + area, Area: area})
		}
		var asked []string
		if c.asked != "" {
			asked = search.AreasNamed(c.asked, c.asked)
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
