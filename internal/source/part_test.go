package source

import (
	"slices"
	"strings"
	"testing"

	"almanac/internal/source/fetch"
)

// A code may pin a version, keys and filters. An @ that belongs to the ID of a dataflow is
// no version.
func TestSDMXParts(t *testing.T) {
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
			s := &sdmx{Office: Office{Agency: c.agency}}
			f, err := s.parseFlow(s.normalize(c.code))
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

// References to parts of one dataset are joined. Others stay as they are.
func TestJoinParts(t *testing.T) {
	client, err := fetch.New(fetch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	table, err := NewTable(client, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := table.JoinParts([]string{
		"ecb:EXR/M.USD.EUR.SP00.A", "eurostat:une_rt_m", "ecb:EXR/M.GBP.EUR.SP00.A", "ecb:EXR/M.USD.EUR.SP00.A", "ecb:EXR",
		"ecb:EXR/M.CHF.EUR.SP00.A?startPeriod=2015", "ecb:BSI/M.U2", "ecb:EXR/*", "nowhere:x",
	})
	want := []string{
		"ecb:EXR/M.USD.EUR.SP00.A;M.GBP.EUR.SP00.A", "eurostat:une_rt_m", "ecb:EXR",
		"ecb:EXR/M.CHF.EUR.SP00.A?startPeriod=2015", "ecb:BSI/M.U2", "ecb:EXR/*", "nowhere:x",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Filters keep values of variables, and name what the table does not have.
func TestPxwebFilters(t *testing.T) {
	for _, c := range []struct{ query, want, fault string }{
		{"Region=00,01&Tid=2024", "00,01|2024", ""},
		{"valueCodes[region]=01", "01|2023,2024", ""},
		{"Kon=1", "", `no variable "Kon"; its variables are Region, Tid`},
		{"Tid=2022", "", `Tid has no value "2022"; its values are 2023, 2024`},
	} {
		table := pxwebTable{variables: []pxwebVariable{{code: "Region", values: []string{"00", "01", "02"}}, {code: "Tid", values: []string{"2023", "2024"}}}}
		keep, err := pxwebFilter(c.query)
		if err == nil {
			err = keep(&table)
		}
		got := strings.Join(table.variables[0].values, ",") + "|" + strings.Join(table.variables[1].values, ",")
		if (err == nil) != (c.fault == "") || err == nil && got != c.want || err != nil && !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%s: got %s, %v, want %s, %s", c.query, got, err, c.want, c.fault)
		}
	}
}

// A part of a dataset of Eurostat is requested by key or by the filters of its API.
func TestEurostatParts(t *testing.T) {
	s := &eurostat{Office: Office{ID: "eurostat", Address: "https://e/api/dissemination"}}
	for code, want := range map[string]string{
		"nama_10_gdp":                             "https://e/api/dissemination/sdmx/2.1/data/nama_10_gdp?format=TSV&compressed=true",
		"nama_10_gdp/A.CP_MEUR.B1GQ.DE+FR":        "https://e/api/dissemination/sdmx/2.1/data/nama_10_gdp/A.CP_MEUR.B1GQ.DE+FR?format=TSV&compressed=true",
		"DS-045409/M.DE.FR.8703?startPeriod=2020": "https://e/api/comext/dissemination/sdmx/2.1/data/DS-045409/M.DE.FR.8703?format=TSV&compressed=true&startPeriod=2020",
		"nama_10_gdp?geo=DE&sinceTimePeriod=2015": "https://e/api/dissemination/statistics/1.0/data/nama_10_gdp?format=JSON&lang=EN&geo=DE&sinceTimePeriod=2015",
	} {
		p, err := s.parsePart(code)
		if got := s.partAddress(p); err != nil || got != want {
			t.Errorf("%s: got %s, %v, want %s", code, got, err, want)
		}
	}
	for _, code := range []string{"a/b", "a/..", "a/.", "a?x", "a?x=1&", "a/b.c?x=%00\n"} {
		if _, err := s.parsePart(code); err == nil {
			t.Errorf("%s: want an error", code)
		}
	}
}
