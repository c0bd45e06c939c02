package chart_test

import (
	"slices"
	"strings"
	"testing"
)

// A picture states the office's notes on the values that it shows, and counts the values if that would be
// too much.
func TestOfficeNotes(t *testing.T) {
	const head = "#almanac-tidy,1\n#source,t,Office\n#dataset,t,Population\n#geography,geo,Area\n#code,TZ,Tanzania\n#code,KE,Kenya\ngeo,TIME_PERIOD,OBS_VALUE,OBS_NOTE,OBS_STATUS\n"
	long := strings.Repeat("Revised after the census. ", 6)
	for _, c := range []struct{ name, query, rows, want string }{
		{"a line", "type=line", "TZ,2000,34,Including Zanzibar.,\nTZ,2001,35,Including Zanzibar.,\nTZ,2002,36,,\nKE,2000,31,,\nKE,2001,32,,\nKE,2002,33,,",
			"Note of the source on Tanzania 2000–2001: Including Zanzibar."},
		{"a value that is not drawn", "type=line&period_from=2001", "TZ,2000,34,Including Zanzibar,\nTZ,2001,35,,\nTZ,2002,36,,\nKE,2001,32,,\nKE,2002,33,,", ""},
		{"bars", "type=bar&latest=true", "TZ,2002,36,,\nKE,2002,33,Census year,", "Note of the source on Kenya: Census year."},
		{"two points", "type=dumbbell", "TZ,2001,35,,\nTZ,2002,36,,\nKE,2001,33,Census year,\nKE,2002,34,,", "Note of the source on Kenya, 2001: Census year."},
		{"all values", "type=bar&latest=true", "TZ,2002,36,Estimate of the office,\nKE,2002,33,Estimate of the office,", "Note of the source on all values: Estimate of the office."},
		{"what a flag says", "type=line", "TZ,2000,34,Break,B\nTZ,2001,35,,\nTZ,2002,36,,", ""},
		{"a mark and columns of the file", "type=line", "TZ,2000,34,*,\nTZ,2001,35,Region: Africa; C/T: c,\nTZ,2002,36,,", ""},
		{"long", "type=bar&latest=true", "TZ,2002,36,,\nKE,2002,33," + long + ",", "The source has notes on Kenya, which are in the data."},
		{"many", "type=line", "TZ,2000,34,a,\nTZ,2001,35,b,\nTZ,2002,36,c,\nKE,2000,31,,\nKE,2001,32,,\nKE,2002,33,d,", "The source has notes on 4 of 6 values, which are in the data."},
	} {
		s := drawn(t, head+c.rows, c.query)
		at := slices.IndexFunc(s.Notes, func(note string) bool { return strings.Contains(note, "source") })
		if got := append(s.Notes, "")[max(at, 0)]; at < 0 && c.want != "" || at >= 0 && got != c.want {
			t.Errorf("%s: notes %q, want %q", c.name, s.Notes, c.want)
		}
	}
}
