package source

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Reading any text as a list of contents ends, and every entry has a code and a bounded
// number of folders.
func FuzzEurostatContents(f *testing.F) {
	head := "\"title\"\t\"code\"\t\"type\"\t\"last update of data\"\n"
	f.Add([]byte(head + "\"Data\"\t\"data\"\t\"folder\"\t\" \"\n\"    A\"\t\"a\"\t\"dataset\"\t\"14.07.2023\"\n"))
	f.Add([]byte(head + "\"                A\"\t\"a\"\t\"table\"\t\"14.07.2023 11:00\"\n"))
	f.Add([]byte(head + "\"A\"\"\"\t\"\"\t\"dataset\"\t\n\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		yielded := 0
		for e, err := range eurostatEntries(bytes.NewReader(text)) {
			if yielded++; err == nil && (e.Code == "" || len(e.Folders) > eurostatMaxDepth) {
				t.Errorf("%+v", e)
			}
		}
		if lines := bytes.Count(text, []byte("\n")) + 1; yielded > lines+1 {
			t.Errorf("got %d entries from %d lines", yielded, lines)
		}
	})
}

// An ID from an envelope is safe in an address.
func FuzzEurostatEnvelope(f *testing.F) {
	f.Add([]byte(`<env:Envelope><queued><id>98de05ea-540a</id><status>SUBMITTED</status></queued></env:Envelope>`))
	f.Add([]byte(`<S:Fault><faultcode>413</faultcode><faultstring>EXTRACTION_TOO_BIG: a &lt; b</faultstring></S:Fault>`))
	f.Add([]byte(`<!DOCTYPE a [<!ENTITY b "c">]><id>&b;</id>`))
	f.Fuzz(func(t *testing.T, body []byte) {
		envelope := readEurostatEnvelope(body)
		if envelope.id != "" && !eurostatID.MatchString(envelope.id) || strings.ContainsAny(envelope.fault, "\n\r") {
			t.Errorf("%+v", envelope)
		}
	})
}

// The dimensions in the first cell of a table are safe in an address.
func FuzzEurostatDimensions(f *testing.F) {
	f.Add([]byte("freq,unit,geo\\TIME_PERIOD\t2024 \n"))
	f.Add([]byte("unit,time\\geo\tAT\n"))
	f.Add([]byte("\x1f\x8b\x08\x00"))
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "data")
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
		names, err := eurostatDimensions(path)
		for _, name := range names {
			if err != nil || !eurostatDimension.MatchString(name) {
				t.Errorf("%q, %v", name, err)
			}
		}
	})
}

// Reading any text as a collection ends.
func FuzzJSONStatCollection(f *testing.F) {
	f.Add([]byte(`{"class": "collection", "link": {"item": [{"class": "dataset", "href": "a.json", "label": "A", "extension": {"matrix": "A"}}]}}`))
	f.Add([]byte(`{"link": {"item": [`))
	f.Add([]byte(`{"a": {"link": 1}, "link": {"self": [], "item": [null, 1]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		s := jsonstat{Office: Office{Data: "https://x.example/{code}/2.0"}}
		yielded := 0
		for item, err := range jsonstatItems(t.Context(), bytes.NewReader(text)) {
			if yielded++; yielded > len(text)+1 {
				t.Fatal("got more items than bytes")
			}
			if e, ok := s.entry(item, "https://x.example/list"); ok && (err != nil || e.Code == "") {
				t.Errorf("%+v, %v", e, err)
			}
		}
	})
}

// A file name stays in its folder and keeps its extension.
func FuzzFileName(f *testing.F) {
	for _, name := range []string{"a.csv", "../../etc/passwd", "..", "", ".hidden", strings.Repeat("ä", 99) + ".csv.zip", "a\x00b\\c.px"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		got := fileNameOf(name)
		if got == "" || got != filepath.Base(got) || strings.HasPrefix(got, ".") || strings.ContainsAny(got, "/\\\x00\n") || len(got) > plainNameBytes {
			t.Errorf("%q is saved as %q", name, got)
		}
	})
}
