package eurostat

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/source"
)

// Reading any text as a list of contents ends, and every entry has a code and a bounded
// number of folders.
func FuzzContents(f *testing.F) {
	head := "\"title\"\t\"code\"\t\"type\"\t\"last update of data\"\n"
	f.Add([]byte(head + "\"Data\"\t\"data\"\t\"folder\"\t\" \"\n\"    A\"\t\"a\"\t\"dataset\"\t\"14.07.2023\"\n"))
	f.Add([]byte(head + "\"                A\"\t\"a\"\t\"table\"\t\"14.07.2023 11:00\"\n"))
	f.Add([]byte(head + "\"A\"\"\"\t\"\"\t\"dataset\"\t\n\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		yielded := 0
		for e, err := range readEntries(bytes.NewReader(text)) {
			if yielded++; err == nil && (e.Code == "" || len(e.Folders) > maxDepth) {
				t.Errorf("%+v", e)
			}
		}
		if lines := bytes.Count(text, []byte("\n")) + 1; yielded > lines+1 {
			t.Errorf("got %d entries from %d lines", yielded, lines)
		}
	})
}

// An ID from an envelope is safe in an address.
func FuzzEnvelope(f *testing.F) {
	f.Add([]byte(`<env:Envelope><queued><id>98de05ea-540a</id><status>SUBMITTED</status></queued></env:Envelope>`))
	f.Add([]byte(`<S:Fault><faultcode>413</faultcode><faultstring>EXTRACTION_TOO_BIG: a &lt; b</faultstring></S:Fault>`))
	f.Add([]byte(`<!DOCTYPE a [<!ENTITY b "c">]><id>&b;</id>`))
	f.Fuzz(func(t *testing.T, body []byte) {
		envelope := readEnvelope(body)
		if envelope.id != "" && !requestIDPattern.MatchString(envelope.id) || strings.ContainsAny(envelope.fault, "\n\r") {
			t.Errorf("%+v", envelope)
		}
	})
}

// The dimensions in the first cell of a table are safe in an address.
func FuzzDimensions(f *testing.F) {
	f.Add([]byte("freq,unit,geo\\TIME_PERIOD\t2024 \n"))
	f.Add([]byte("unit,time\\geo\tAT\n"))
	f.Add([]byte("\x1f\x8b\x08\x00"))
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "data")
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
		names, err := readDimensions(path)
		for _, name := range names {
			if err != nil || !dimensionPattern.MatchString(name) {
				t.Errorf("%q, %v", name, err)
			}
		}
	})
}

// A part of a dataset of Eurostat is requested by key or by the filters of its API.
func TestParts(t *testing.T) {
	s := &server{Office: source.Office{ID: "eurostat", Address: "https://e/api/dissemination"}}
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
