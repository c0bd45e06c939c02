package sdmx

import (
	"strings"
	"testing"

	"almanac/internal/source"
)

// A code may pin a version, keys and filters. An @ that belongs to the ID of a dataflow is
// no version.
func TestParts(t *testing.T) {
	for _, c := range []struct{ name, agency, code, want, addresses string }{
		{"key", "ECB", "EXR/M.USD.EUR.SP00.A", "EXR/M.USD.EUR.SP00.A", "/data/EXR/M.USD.EUR.SP00.A"},
		{"own agency", "ECB", "ECB,EXR/M...", "EXR/M...", "/data/EXR/M..."},
		{"version", "ECB", "EXR@1.0/M...", "ECB,EXR,1.0/M...", "/data/ECB,EXR,1.0/M..."},
		{"version of another agency", "", "OECD.SDD.NAD,DSD_NAMAIN1@DF_QNA@1.1", "OECD.SDD.NAD,DSD_NAMAIN1@DF_QNA,1.1", "/data/OECD.SDD.NAD,DSD_NAMAIN1@DF_QNA,1.1/all"},
		{"no version", "", "OECD.SDD.NAD,DSD_NAMAIN1@DF_QNA", "OECD.SDD.NAD,DSD_NAMAIN1@DF_QNA", "/data/OECD.SDD.NAD,DSD_NAMAIN1@DF_QNA/all"},
		{"version as SDMX writes it", "", "A,F,1.1", "A,F,1.1", "/data/A,F,1.1/all"},
		{"years", "ECB", "EXR?startPeriod=2015", "EXR?startPeriod=2015", "/data/EXR/all?startPeriod=2015"},
		{"years and a version", "", "A,F@1.1?startPeriod=2015&endPeriod=2020", "A,F,1.1?startPeriod=2015&endPeriod=2020", "/data/A,F,1.1/all?startPeriod=2015&endPeriod=2020"},
		{"months", "ECB", "EXR/M...?startPeriod=2015-03", "EXR/M...?startPeriod=2015-03", "/data/EXR/M...?startPeriod=2015-03"},
		{"several keys", "ECB", "EXR/M.USD;D.GBP?endPeriod=2020", "EXR/M.USD;D.GBP?endPeriod=2020", "/data/EXR/M.USD?endPeriod=2020 /data/EXR/D.GBP?endPeriod=2020"},
		{"all", "ECB", "EXR/all", "EXR", "/data/EXR/all"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &server{Office: source.Office{Agency: c.agency}}
			f, err := s.parseFlow(s.Normalize(c.code))
			if err != nil {
				t.Fatal(err)
			}
			var addresses []string
			for _, q := range f.queries() {
				addresses = append(addresses, s.dataAddress(f, q))
			}
			if got := s.code(f); got != c.want || strings.Join(addresses, " ") != c.addresses {
				t.Errorf("got %s at %s, want %s at %s", got, addresses, c.want, c.addresses)
			}
		})
	}
}
