package sdmx_test

import (
	"net/http"
	"strings"
	"testing"

	"almanac/internal/importer"
	"almanac/internal/source"
	"almanac/internal/source/replay"
	"almanac/internal/source/replay/sdmxtest"
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

// A 413 that says that the response is being prepared is waited for, and nothing is split.
func TestPreparation(t *testing.T) {
	b := newHarness(t, sdmxtest.Offices(stattest.DataDir(t))["ecb"], "ecb", nil)
	b.Fault(replay.Fault{Match: "/data/", Status: http.StatusRequestEntityTooLarge, Body: "The response is currently being prepared. Please repeat the request in a few minutes.", Times: 3})
	d, err := b.Fetch(t, "EXR", nil)
	if err != nil || len(d.Data) != 1 {
		t.Fatalf("got %+v, %v, want one file", d, err)
	}
	requests := b.Requests("/data/")
	for _, r := range requests {
		if strings.Contains(r.Path, "endPeriod") {
			t.Errorf("the request was split: %s", r.Path)
		}
	}
	if len(requests) != 4 {
		t.Errorf("got %d requests, want 4", len(requests))
	}
}

// 204 means that the server does not have what was requested. It is not repeated.
func TestNoContent(t *testing.T) {
	b := newHarness(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }), "imf", nil)
	if _, err := b.Contents(t, source.Filter{}); stat.KindOf(err) != stat.NotFound || !strings.Contains(err.Error(), "204") {
		t.Errorf("the list: got %v", err)
	}
	if _, err := b.Contents(t, source.Filter{Under: "IMF.NONE"}); stat.KindOf(err) != stat.NotFound || !strings.Contains(err.Error(), "IMF.NONE") {
		t.Errorf("the list of an agency: got %v", err)
	}
	if _, err := b.Fetch(t, "IMF.RES,NOPE", nil); stat.KindOf(err) != stat.NotFound || !strings.Contains(err.Error(), "has no dataset IMF.RES,NOPE") {
		t.Errorf("a dataset: got %v", err)
	}
	if n := len(b.Requests("")); n != 4 {
		t.Errorf("got %d requests, want 4", n)
	}
}

// Several keys of a dataflow are one dataset.
func TestSeveralKeys(t *testing.T) {
	b := newHarness(t, sdmxtest.Offices(stattest.DataDir(t))["ecb"], "ecb", nil)
	o := b.MustImport(t, "EXR/A.ARS.EUR.SP00.A;A.AUD.EUR.SP00.A")
	if o.Status != importer.Created || o.Code != "EXR/A.ARS.EUR.SP00.A;A.AUD.EUR.SP00.A" {
		t.Fatalf("got %+v", o)
	}
	if n := len(b.Requests("/data/")); n != 2 {
		t.Errorf("got %d requests for data, want one for each key", n)
	}
	currencies := map[string]bool{}
	for key := range b.Values(t, o.ID) {
		currencies[strings.Split(key, ",")[1]] = true
	}
	if len(currencies) != 2 || !currencies["ARS"] || !currencies["AUD"] {
		t.Errorf("got the currencies %v, want ARS and AUD", currencies)
	}
	if d, err := b.Fetch(t, o.Code, nil); err != nil || !d.Unchanged {
		t.Errorf("without a change: got %+v, %v", d, err)
	}
	if _, err := b.Fetch(t, "EXR/A.ARS.EUR.SP00.A;A.XXX.EUR.SP00.A", nil); err == nil || !strings.Contains(err.Error(), "no observations for the key A.XXX.EUR.SP00.A") {
		t.Errorf("one key without data: got %v", err)
	}
}
